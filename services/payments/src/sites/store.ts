import { camelRows, type Queryable } from '@frontdesk/database'
import { openStatuses, payableStatuses } from '../payment/domain.ts'
import type { PaymentRow } from '../payment/wire.ts'

/** Remembers that a site is deleted: no payment is made for it any more. */
export async function saveDeletedSite(db: Queryable, siteSlug: string): Promise<void> {
  await db.query('insert into deleted_sites (slug) values ($1) on conflict do nothing', [siteSlug])
}

export async function findOpenPaymentsOfSite(db: Queryable, siteSlug: string): Promise<PaymentRow[]> {
  return camelRows<PaymentRow>(
    await db.query('select * from payments where site_slug = $1 and status = any($2)', [siteSlug, openStatuses]),
  )
}

/** Makes the site's payments that are to be cancelled and have a checkout due for a check now, which expires the checkout. */
export async function expireCheckoutsOfSite(db: Queryable, siteSlug: string): Promise<void> {
  await db.query(
    'update payments set next_check_at = now() where site_slug = $1 and cancelling is not null and status = any($2)',
    [siteSlug, payableStatuses],
  )
}
