import type { Queryable, Transaction } from '@frontdesk/database'

/** Notes that a site key was replaced, for as long as a gateway may still let it through. */
export async function noteReplacedKey(tx: Transaction, siteKeyId: string): Promise<void> {
  await tx.query('insert into replaced_site_keys (site_key_id) values ($1) on conflict do nothing', [siteKeyId])
}

/** Whether a site key was replaced lately. */
export async function isReplacedKey(db: Queryable, siteKeyId: string): Promise<boolean> {
  const result = await db.query('select from replaced_site_keys where site_key_id = $1', [siteKeyId])
  return result.rowCount === 1
}

/**
 * Takes the claims from the deliveries of subscriptions. A replica that holds them learns it at the next renewal of its leases, even
 * if nothing else tells it.
 */
export async function releaseClaims(tx: Transaction, ids: readonly string[], since: string): Promise<void> {
  await tx.query(
    `update delivery.deliveries set claim_id = null, due_at = now()
      where subscription_id = any($1) and state = 'pending' and claim_id is not null and event_id >= $2`,
    [ids, since],
  )
}
