import { Visibility, type EventData, type PrivateEventType } from '@frontdesk/contracts'
import type { Logger } from 'pino'

/** Emits an event of Private visibility: a log record of this process, and nothing that a broker ever sees. */
export function emitPrivately<T extends PrivateEventType>(log: Logger, type: T, data: EventData<T>): void {
  log.info({ event: { type, visibility: Visibility.Private, data } }, type)
}
