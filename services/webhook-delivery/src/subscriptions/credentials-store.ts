import type { ClientRights } from '@frontdesk/contracts'
import { camelRows, type Queryable, type Transaction } from '@frontdesk/database'
import type { Subscription } from '../db.ts'
import { principalOfClient } from './domain.ts'

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

/**
 * Locks up to `most` subscriptions of clients, among those of one part of the clients, whose state does not follow from their
 * client's rights: `entitled` ones that are paused for lost rights, or others that are not. One of a deleted site counts while it
 * matches the site's last events.
 */
export async function lockMisjudged(
  tx: Transaction,
  { clients, after, upTo }: ClientRights,
  { entitled, most }: { entitled: boolean; most: number },
): Promise<Subscription[]> {
  const told = clients.map(({ id, practiceManagementSystems, organisations }) => ({
    client: principalOfClient(id),
    systems: practiceManagementSystems,
    organisations,
  }))
  const result = await tx.query(
    `select s.* from subscriptions s
       left join jsonb_to_recordset($1) as told (client text, systems text[], organisations text[]) on told.client = s.client
      where s.client like 'client:%' and (s.deleted_at is null or s.matches_until > now())
        and ($2::text is null or s.client collate "C" > $2) and ($3::text is null or s.client collate "C" <= $3)
        and (s.pause_reason is not distinct from 'rights_lost') = $4
        and coalesce(s.site ->> 'product' = any(told.systems)
                     and (told.organisations is null or s.site ->> 'organisationSlug' = any(told.organisations)), false) = $4
      order by s.id limit $5 for update of s`,
    [
      JSON.stringify(told),
      after === undefined ? null : principalOfClient(after),
      upTo === undefined ? null : principalOfClient(upTo),
      entitled,
      most,
    ],
  )
  return camelRows<Subscription>(result)
}
