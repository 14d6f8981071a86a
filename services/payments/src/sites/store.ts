import { camelRows, transaction, type Pool, type Queryable } from '@frontdesk/database'
import { openStatuses, payableStatuses } from '../payment/domain.ts'
import { paymentColumns } from '../payment/store.ts'
import type { PaymentRow } from '../payment/wire.ts'

/**
 * Remembers that a site is deleted: no payment is made for it any more. Waits for those that are being inserted, which hold
 * the same lock (`site_is_deleted`), so that whoever looks for the site's payments afterwards finds them all.
 */
export async function saveDeletedSite(pool: Pool, siteSlug: string): Promise<void> {
  await transaction(pool, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('deleted site ' || $1, 0))`, [siteSlug])
    await tx.query('insert into deleted_sites (slug) values ($1) on conflict do nothing', [siteSlug])
  })
}

export async function findOpenPaymentsOfSite(db: Queryable, siteSlug: string): Promise<PaymentRow[]> {
  return camelRows<PaymentRow>(
    await db.query(`select ${paymentColumns} from payments where site_slug = $1 and status = any($2)`, [
      siteSlug,
      openStatuses,
    ]),
  )
}

/** Makes the site's payments that are to be cancelled and have a checkout due for a check now, which expires the checkout. */
export async function expireCheckoutsOfSite(db: Queryable, siteSlug: string): Promise<void> {
  await db.query(
    'update payments set next_check_at = now() where site_slug = $1 and cancelling is not null and status = any($2)',
    [siteSlug, payableStatuses],
  )
}
