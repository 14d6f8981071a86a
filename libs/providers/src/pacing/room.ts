import type { PaymentProvider as ProviderName } from '@frontdesk/contracts'
import type { Pace } from './pace.ts'

/**
 * Returns how many checks a service may start now, `atMost` or fewer, and the providers that let none through: they have us wait,
 * or their rate limit is used up. Whoever claims more has them wait for their turn, and in the end fail.
 */
export function roomForChecks(
  paces: ReadonlyMap<ProviderName, Pick<Pace, 'roomForChecks'>>,
  atMost: number,
): { room: number; full: ProviderName[] } {
  const rooms = [...paces].map(([name, pace]) => ({ name, room: pace.roomForChecks() }))
  const full = rooms.filter(({ room }) => room === 0).map(({ name }) => name)
  return { full, room: Math.min(atMost, ...rooms.filter(({ room }) => room > 0).map(({ room }) => room)) }
}
