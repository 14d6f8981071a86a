import { consumers } from '@frontdesk/contracts'
import { transaction } from '@frontdesk/database'
import { readEvent, receiveOnce, type EventMessage } from '@frontdesk/events'
import type { AccountDeps } from './provider.ts'
import { closeAccountsOfSite } from './store.ts'

/** Follows the registry's sites: closes the accounts of a deleted site at once. */
export async function applySiteEvent({ pool, origin, relay }: AccountDeps, message: EventMessage): Promise<void> {
  const event = readEvent(message)
  if (event.type !== 'site.deleted') return
  await transaction(pool, async (tx) => {
    if (!(await receiveOnce(tx, consumers.accountsSites.name, event))) return
    await closeAccountsOfSite(tx, origin, event.data.siteSlug, event.traceparent ?? undefined)
  })
  relay.wake()
}
