import { consumers } from '@frontdesk/contracts'
import { transaction, type Pool } from '@frontdesk/database'
import { readEvent, receiveOnce, type ConsumerOptions } from '@frontdesk/events'
import { matchAfterSiteDeletionMs } from './domain.ts'
import { endSubscriptions, lockSubscriptionsOfSite } from './store.ts'

/**
 * Ends the subscriptions of a deleted site. They leave the API at once, but match the site's last events for a while, and
 * existing deliveries go on by their schedule.
 */
export function siteConsumer(pool: Pool): Pick<ConsumerOptions, 'consumer' | 'handle'> {
  return {
    consumer: consumers.deliverySites,
    async handle(message) {
      const event = readEvent(message)
      if (event.type !== 'site.deleted') return
      const { siteSlug } = event.data
      await transaction(pool, async (tx) => {
        if (!(await receiveOnce(tx, consumers.deliverySites.name, event))) return
        await endSubscriptions(tx, await lockSubscriptionsOfSite(tx, siteSlug), matchAfterSiteDeletionMs)
      })
    },
  }
}
