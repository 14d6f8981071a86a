import { firstRow, type Queryable, type Transaction } from '@frontdesk/database'
import { auditInsert, auditParameter, type Act } from '@frontdesk/service/audit'
import { mostAttempts } from '../replies/outcome.ts'

/** A request to deliver again what was not delivered since a time, and how far it has come. */
export interface Recovery {
  id: string
  subscriptionId: string
  since: Date
  /** The last event that it has looked at. */
  position: string
  /** The event at which it ends. */
  last: string
  /** Deliveries that it has made due. */
  deliveries: number
  createdAt: Date
  completedAt: Date | null
}

/** Stores a recovery, unless one of the same subscription and time is open. Returns the one that is stored. */
export async function insertRecovery(
  db: Queryable,
  fresh: Pick<Recovery, 'id' | 'subscriptionId' | 'since' | 'position' | 'last'> & { act: Act },
): Promise<Recovery | undefined> {
  const made = await db.query(
    `with made as (
       insert into delivery.recoveries (id, subscription_id, since, position, last) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning 1
     ), audited as (${auditInsert(6, 'made')})
     select from made`,
    [fresh.id, fresh.subscriptionId, fresh.since, fresh.position, fresh.last, auditParameter(fresh.act)],
  )
  if (made.rowCount === 1) fresh.act.recorded()
  return firstRow<Recovery>(
    await db.query(
      `select * from delivery.recoveries
        where id = $1 or (subscription_id = $2 and since = $3 and completed_at is null) order by id = $1 desc limit 1`,
      [fresh.id, fresh.subscriptionId, fresh.since],
    ),
  )
}

/** The latest recovery of a subscription; undefined if there is none. */
export async function latestRecovery(db: Queryable, subscriptionId: string): Promise<Recovery | undefined> {
  return firstRow<Recovery>(
    await db.query(
      'select * from delivery.recoveries where subscription_id = $1 order by created_at desc, id desc limit 1',
      [subscriptionId],
    ),
  )
}

/** Locks the open recovery that has rested for longest, or the one with this id. Undefined if others work on all of them. */
export async function lockOpenRecovery(tx: Transaction, id?: string): Promise<Recovery | undefined> {
  return firstRow<Recovery>(
    await tx.query(
      `select * from delivery.recoveries where completed_at is null and ($1::uuid is null or id = $1)
        order by worked_at limit 1 for update skip locked`,
      [id ?? null],
    ),
  )
}

/**
 * Makes the next deliveries due that were not delivered: exhausted, rejected, waiting for a retry, or never tried. Leased
 * and expired ones are left alone, and those of a subscription that has ended. Looks at `most` of them. Returns how many it
 * made due, and the last one that it looked at; undefined if there are no more.
 */
export async function recoverSome(
  tx: Transaction,
  { subscriptionId, position, last }: Pick<Recovery, 'subscriptionId' | 'position' | 'last'>,
  most: number,
): Promise<{ recovered: number; position: string | undefined }> {
  const result = await tx.query<{ recovered: number; position: string | null }>(
    `with chunk as (
       select d.event_id from delivery.deliveries d join subscriptions s on s.id = d.subscription_id and s.deleted_at is null
        where d.subscription_id = $1 and d.event_id > $2 and d.event_id <= $3
          and d.state in ('exhausted', 'rejected', 'pending') and d.claim_id is null and d.attempts < ${mostAttempts}
        order by d.event_id limit $4
        -- Locked in one order: recoveries of other times may look at the same deliveries.
        for update of d
     ), changed as (
       update delivery.deliveries d set state = 'pending', step = 0, due_at = now(), completed_at = null
         from chunk join delivery.events e on e.event_id = chunk.event_id
        where d.subscription_id = $1 and d.event_id = chunk.event_id and d.event_id > $2 and d.event_id <= $3
          and d.state in ('exhausted', 'rejected', 'pending') and d.claim_id is null
          and (d.state <> 'pending' or coalesce(e.not_before <= now(), true)) and coalesce(e.expires_at > now(), true)
       returning 1
     )
     select (select count(*)::int from changed) as recovered,
            (select event_id::text from chunk order by event_id desc limit 1) as position`,
    [subscriptionId, position, last, most],
  )
  const row = result.rows[0]
  return { recovered: row?.recovered ?? 0, position: row?.position ?? undefined }
}

/** Records how far a locked recovery has come. Returns it. */
export async function saveProgress(
  tx: Transaction,
  id: string,
  progress: { position: string | undefined; recovered: number },
): Promise<Recovery | undefined> {
  return firstRow<Recovery>(
    await tx.query(
      `update delivery.recoveries set position = coalesce($2, position), deliveries = deliveries + $3, worked_at = now(),
              completed_at = case when $2::uuid is null then now() end
        where id = $1 returning *`,
      [id, progress.position ?? null, progress.recovered],
    ),
  )
}

/** Deletes recoveries that ended before a time. */
export async function deleteOldRecoveries(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from delivery.recoveries where completed_at < $1', [before])
}
