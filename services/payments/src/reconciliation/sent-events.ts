import type { Bus } from '@frontdesk/events'
import { readStreamSince } from '@frontdesk/operate'
import type { PaymentEvent } from '../payment/domain.ts'

/** Whether an event of a payment, its refunds or disputes is in the stream: sent before our database was restored to an earlier time. */
export type SentEvents = (siteSlug: string, recordId: string) => Promise<(event: PaymentEvent) => boolean>

/** Returns a function that looks into the stream of payments' events, once for each site, back to `since`. */
export function createSentEvents(bus: Bus, since: Date): SentEvents {
  const bySite = new Map<string, Promise<ReadonlySet<string>>>()
  return async (siteSlug, recordId) => {
    const reading = bySite.get(siteSlug) ?? readSite(bus, siteSlug, since)
    bySite.set(siteSlug, reading)
    const sent = await reading
    return ({ type, data }) => sent.has(nameOf(recordId, type, data))
  }
}

async function readSite(bus: Bus, siteSlug: string, since: Date): Promise<ReadonlySet<string>> {
  const sent = new Set<string>()
  const consumer = { stream: 'EVT_PAYMENTS', filter: `evt.*.payments.*.*.v1.${siteSlug}` }
  for await (const messages of readStreamSince(bus, consumer, since)) {
    for (const message of messages) {
      const { subject, type, data } = message.json<{ subject?: string; type?: string; data?: object }>()
      sent.add(nameOf(subject, type, data))
    }
  }
  return sent
}

/** Names what an event tells: of a payment each type once, of each refund too, of each dispute its opening and its ends. */
function nameOf(recordId: string | undefined, type: string | undefined, data: object = {}): string {
  const { refundId, disputeId, disputeOutcome } = data as Record<string, string | undefined>
  return [recordId, type, refundId ?? disputeId, disputeOutcome].join(' ')
}
