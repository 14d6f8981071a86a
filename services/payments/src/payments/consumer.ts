import { consumers } from '@frontdesk/contracts'
import { transaction } from '@frontdesk/database'
import { parseEvent, receiveOnce } from '@frontdesk/events'
import type { PaymentDeps } from './provider.ts'
import { cancelPaymentsOfSite } from './store.ts'

/** Follows the sites of the registry: open payments of one that was deleted are cancelled. Returns whether that was so. */
export async function applySiteEvent(deps: PaymentDeps, bytes: Uint8Array): Promise<boolean> {
  const event = parseEvent(bytes)
  if (event.type !== 'site.deleted') return false
  await transaction(deps.pool, async (tx) => {
    if (await receiveOnce(tx, consumers.paymentsSites.name, event))
      await cancelPaymentsOfSite(tx, deps, event.data.siteSlug)
  })
  return true
}
