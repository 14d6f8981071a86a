import type { Relay } from '@frontdesk/events'
import { problem, type ProblemFault } from '@frontdesk/problems'
import type { OperationHandlers } from '@frontdesk/service/http'
import type { Database } from '../db.ts'
import { acceptExternalEvent, type ExternalEvent } from './domain.ts'
import { publishExternalEvents } from './store.ts'

export interface ExternalEventRoutesDeps {
  db: Database
  relay: Relay
}

/** Publishes the events of external systems, one or a batch: all, or none. */
export function externalEventRoutes({ db, relay }: ExternalEventRoutesDeps): OperationHandlers<'publishEvents'> {
  return {
    async publishEvents({ body, site, principal, headers, traceparent }) {
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
      await publishExternalEvents(db.pool, accepted, { siteSlug: site.slug, traceparent })
      relay.wake()
      return { status: 202, body: { Accepted: accepted.length } }
    },
  }
}
