import { readEvent, type EventMessage } from '@frontdesk/events'
import type { PaymentDeps } from '../payment/deps.ts'
import { siteDeleted } from '../payment/domain.ts'
import { changePayment } from '../payment/store.ts'
import { expireCheckoutsOfSite, findOpenPaymentsOfSite, saveDeletedSite } from './store.ts'

/**
 * Has the open payments of a deleted site cancelled; returns false for other events. A payment that is still `Created`
 * may be in the hands of its request and keeps its next check. The event needs no inbox row: a second time nothing changes.
 */
export async function applySiteEvent(deps: PaymentDeps, message: EventMessage): Promise<boolean> {
  const event = readEvent(message)
  if (event.type !== 'site.deleted') return false
  const { siteSlug } = event.data
  // Committed first: a payment inserted later is refused, a payment inserted before is found.
  await saveDeletedSite(deps.pool, siteSlug)
  for (const row of await findOpenPaymentsOfSite(deps.pool, siteSlug)) {
    await changePayment(deps, row.id, siteDeleted, { basis: row })
  }
  await expireCheckoutsOfSite(deps.pool, siteSlug)
  return true
}
