import { consumers } from '@frontdesk/contracts'
import { transaction, type Pool } from '@frontdesk/database'
import { readEvent, receiveOnce, type ConsumerOptions, type EventOrigin } from '@frontdesk/events'
import { endSiteKey } from './credentials.ts'
import { matchAfterSiteDeletionMs } from './domain.ts'
import { endSubscriptions, lockSubscriptionsOfSite } from './store.ts'

export interface SiteConsumerDeps {
  pool: Pool
  origin: EventOrigin
  wake: () => void
  onChange: (subscriptionId: string) => void
}

/**
 * Ends the subscriptions of a deleted site: they leave the API at once, but match the site's last events for a while, and
 * existing deliveries go on by their schedule. Pauses what a replaced site key made.
 */
export function siteConsumer({
  pool,
  origin,
  wake,
  onChange,
}: SiteConsumerDeps): Pick<ConsumerOptions, 'consumer' | 'handle'> {
  return {
    consumer: consumers.deliverySites,
    async handle(message) {
      const event = readEvent(message)
      if (event.type !== 'site.deleted' && event.type !== 'site.updated') return
      const { siteSlug, replacedSiteKeyId: siteKeyId } = event.data
      if (event.type === 'site.updated' && siteKeyId === undefined) return
      const paused = await transaction(pool, async (tx) => {
        if (!(await receiveOnce(tx, consumers.deliverySites.name, event))) return []
        if (siteKeyId !== undefined) return endSiteKey(tx, origin, { siteSlug, siteKeyId })
        await endSubscriptions(tx, await lockSubscriptionsOfSite(tx, siteSlug), matchAfterSiteDeletionMs)
        return []
      })
      wake()
      for (const id of paused) onChange(id)
    },
  }
}
