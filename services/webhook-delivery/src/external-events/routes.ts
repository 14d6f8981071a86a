import type { Relay } from '@frontdesk/events'
import { problem, type ProblemError, type ProblemFault } from '@frontdesk/problems'
import type { OperationHandlers } from '@frontdesk/service/http'
import type { Database } from '../db.ts'
import { acceptExternalEvent, type ExternalEvent } from './domain.ts'
import { overheadBytes, publishExternalEvents, type Excess } from './store.ts'

export interface ExternalEventRoutesDeps {
  db: Database
  relay: Relay
  /** How much each client may publish on a day (UTC). */
  externalBytesPerDay: number
}

/** Publishes the events of external systems, one or a batch: all, or none. */
export function externalEventRoutes({
  db,
  relay,
  externalBytesPerDay,
}: ExternalEventRoutesDeps): OperationHandlers<'publishEvents'> {
  return {
    async publishEvents({ body, site, principal, headers, traceparent, act }) {
      const isBatch = Array.isArray(body)
      if (isBatch !== /batch/i.test(headers['content-type'] ?? '')) {
        throw problem('malformed_request', 'A batch is an array, sent as application/cloudevents-batch+json.')
      }
      const accepted: ExternalEvent[] = []
      const faults: ProblemFault[] = []
      for (const [index, envelope] of (isBatch ? body : [body]).entries()) {
        const outcome = acceptExternalEvent(envelope, { site, eventSource: principal.eventSource }, new Date())
        if ('event' in outcome) accepted.push(outcome.event)
        else
          for (const { pointer, detail } of outcome.faults)
            faults.push({ pointer: isBatch ? `/${index}${pointer}` : pointer, detail })
      }
      if (faults.length > 0)
        throw problem('event_refused', { detail: 'Nothing was published.', errors: faults.slice(0, 100) })
      act.about(`events:${accepted.length}`)
      const excess = await publishExternalEvents(db.pool, accepted, {
        client: principal.id,
        siteSlug: site.slug,
        traceparent,
        bytesPerDay: externalBytesPerDay,
        act,
      })
      if (excess !== undefined) throw shareUsedUp(externalBytesPerDay, excess)
      relay.wake()
      return { status: 202, body: { Accepted: accepted.length } }
    },
  }
}

function shareUsedUp(bytesPerDay: number, { bytes, secondsLeft }: Excess): ProblemError {
  return problem('rate_limited', {
    detail: `Your events may have ${bytesPerDay} bytes a day (UTC), with ${overheadBytes} for each event. With these they would have ${bytes}. Nothing was published.`,
    retryAfter: secondsLeft,
    extensions: { 'violated-policies': ['external-events-per-day'] },
  })
}
