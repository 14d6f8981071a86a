import { firstRow, camelRows, type Queryable, type Transaction } from '@frontdesk/database'
import { appendToOutbox, type EventOrigin, type EventSite } from '@frontdesk/events'
import type { Subscription } from '../db.ts'
import type { PauseReason } from './domain.ts'

/** Locks the subscription of a client and site, also while there is none yet. Returns it, or undefined. */
export async function lockSubscription(
  tx: Transaction,
  client: string,
  siteSlug: string,
): Promise<Subscription | undefined> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`, [client, siteSlug])
  return firstRow<Subscription>(
    await tx.query(
      'select * from subscriptions where client = $1 and site_slug = $2 and deleted_at is null for update',
      [client, siteSlug],
    ),
  )
}

export async function lockSubscriptionById(tx: Transaction, id: string): Promise<Subscription | undefined> {
  return firstRow<Subscription>(await tx.query('select * from subscriptions where id = $1 for update', [id]))
}

/**
 * The endpoint's id of a client and an origin (scheme, host, port); a new origin gets one. By origin and not by address: queries
 * and paths cost nothing, and each would have its own requests in flight at the same host.
 */
export async function endpointOf(tx: Transaction, client: string, origin: string): Promise<bigint> {
  const result = await tx.query<{ id: bigint }>(
    `insert into endpoints (client, url) values ($1, $2)
     on conflict (client, url) do update set url = excluded.url returning id`,
    [client, origin],
  )
  const id = result.rows[0]?.id
  if (id === undefined) throw new Error('the endpoint was not stored')
  return id
}

/** The settings that a caller sends to subscribe. */
export interface SubscriptionSettings {
  site: EventSite
  endpointId: bigint
  url: string
  eventTypes: readonly string[]
  headerNames: readonly string[]
  encryptedHeaders: string
  /** The site key of the request; null for a client's. */
  siteKeyId: string | null
}

export async function insertSubscription(
  tx: Transaction,
  fresh: SubscriptionSettings & { id: string; client: string; encryptedSecret: string },
): Promise<void> {
  await tx.query(
    `insert into subscriptions (id, client, site_slug, site, endpoint_id, url, event_types, header_names, encrypted_headers, encrypted_secret, site_key_id, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active')`,
    [
      fresh.id,
      fresh.client,
      fresh.site.siteSlug,
      fresh.site,
      fresh.endpointId,
      fresh.url,
      fresh.eventTypes,
      fresh.headerNames,
      fresh.encryptedHeaders,
      fresh.encryptedSecret,
      fresh.siteKeyId,
    ],
  )
}

/** Replaces the settings of a subscription and resumes it; id, secret and history stay. Returns the new version. */
export async function replaceSettings(tx: Transaction, id: string, next: SubscriptionSettings): Promise<number> {
  const result = await tx.query<{ version: number }>(
    `update subscriptions set site = $2, endpoint_id = $3, url = $4, event_types = $5, header_names = $6, encrypted_headers = $7, site_key_id = $8,
            state = 'active', pause_reason = null, paused_at = null, next_probe_at = null, failing_since = null, failed_attempts = 0,
            version = version + 1, changed_at = now()
      where id = $1 returning version`,
    [
      id,
      next.site,
      next.endpointId,
      next.url,
      next.eventTypes,
      next.headerNames,
      next.encryptedHeaders,
      next.siteKeyId,
    ],
  )
  await wakeQueues(tx, id)
  return versionOf(result.rows)
}

/** Stores a new secret. Returns until when the old one signs beside it. */
export async function rotateSecret(
  tx: Transaction,
  id: string,
  {
    rotationId,
    encryptedSecret,
    siteKeyId,
    overlapMs,
  }: { rotationId: string; encryptedSecret: string; siteKeyId: string | null; overlapMs: number },
): Promise<Date> {
  const result = await tx.query<{ until: Date }>(
    `update subscriptions set encrypted_previous_secret = encrypted_secret, encrypted_secret = $2, rotation_id = $4, site_key_id = $5,
            previous_secret_expires_at = now() + make_interval(secs => $3::float8 / 1000), version = version + 1, changed_at = now()
      where id = $1 returning previous_secret_expires_at as until`,
    [id, encryptedSecret, overlapMs, rotationId, siteKeyId],
  )
  const until = result.rows[0]?.until
  if (until === undefined) throw new Error('the subscription is gone')
  return until
}

/**
 * Ends subscriptions. `matchMs` is how long they still match new events. Whoever changes deliveries as well does that first: they
 * are locked before the queues that they wait in.
 */
export async function endSubscriptions(tx: Transaction, ids: readonly string[], matchMs: number): Promise<void> {
  await tx.query(
    `update subscriptions set deleted_at = now(), matches_until = now() + make_interval(secs => $2::float8 / 1000),
            next_probe_at = null, version = version + 1, changed_at = now()
      where id = any($1) and deleted_at is null`,
    [ids, matchMs],
  )
  for (const id of ids) await wakeQueues(tx, id)
}

/** Locks subscriptions in the order of their ids. */
export async function lockSubscriptions(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query('select 1 from subscriptions where id = any($1) order by id for update', [ids])
}

/** Locks a live subscription of a site, whoever made it. */
export async function lockSubscriptionOfSite(
  tx: Transaction,
  siteSlug: string,
  id: string,
): Promise<Subscription | undefined> {
  return firstRow<Subscription>(
    await tx.query('select * from subscriptions where id = $1 and site_slug = $2 and deleted_at is null for update', [
      id,
      siteSlug,
    ]),
  )
}

/** Locks a site's live subscriptions in the order of their ids, and returns these. */
export async function lockSubscriptionsOfSite(tx: Transaction, siteSlug: string): Promise<string[]> {
  const result = await tx.query<{ id: string }>(
    'select id from subscriptions where site_slug = $1 and deleted_at is null order by id for update',
    [siteSlug],
  )
  return result.rows.map((row) => row.id)
}

/**
 * Cancels the pending deliveries of a subscription: all leased ones, so that a request on its way changes nothing any
 * more, and up to 5000 that wait. Returns whether more may wait: no replica will claim those, and the poller cancels them.
 */
export async function cancelPending(db: Queryable, subscriptionId: string, since: string): Promise<boolean> {
  const most = 5_000
  // Two statements, for each has its own partial index.
  await db.query(
    `update delivery.deliveries set state = 'cancelled', claim_id = null, completed_at = now()
      where subscription_id = $1 and state = 'pending' and claim_id is not null and event_id >= $2`,
    [subscriptionId, since],
  )
  const waiting = await db.query(
    `update delivery.deliveries d set state = 'cancelled', completed_at = now()
       from (select event_id from delivery.deliveries
              where subscription_id = $1 and state = 'pending' and claim_id is null and event_id >= $2
              order by event_id limit ${most} for update) as waiting
      where d.subscription_id = $1 and d.event_id = waiting.event_id and d.state = 'pending' and d.claim_id is null`,
    [subscriptionId, since],
  )
  return waiting.rowCount === most
}

/** Pauses a locked subscription. A failing one is probed after `probeMs`. Returns the new version. */
export async function pauseSubscription(
  tx: Transaction,
  id: string,
  reason: PauseReason,
  probeMs: number,
): Promise<number> {
  const result = await tx.query<{ version: number }>(
    `update subscriptions set state = 'paused', pause_reason = $2::text, paused_at = now(), version = version + 1, changed_at = now(),
            next_probe_at = case when $2::text = 'failing' then now() + make_interval(secs => $3::float8 / 1000) end
      where id = $1 returning version`,
    [id, reason, probeMs],
  )
  return versionOf(result.rows)
}

/** Ends the pause of a locked subscription. Returns the new version. */
export async function resumeSubscription(tx: Transaction, id: string): Promise<number> {
  const result = await tx.query<{ version: number }>(
    `update subscriptions set state = 'active', pause_reason = null, paused_at = null, next_probe_at = null,
            failing_since = null, failed_attempts = 0, version = version + 1, changed_at = now()
      where id = $1 returning version`,
    [id],
  )
  await wakeQueues(tx, id)
  return versionOf(result.rows)
}

/** Appends the Internal event that a subscription was paused or resumed, with its full state. */
export async function appendStateEvent(
  tx: Transaction,
  origin: EventOrigin,
  subscription: Subscription,
  change: { version: number; state: 'active' | 'paused'; reason?: PauseReason; now: Date },
): Promise<void> {
  await appendToOutbox(tx, origin, [
    {
      type: change.state === 'paused' ? 'subscription.paused' : 'subscription.resumed',
      aggregate: { type: 'subscription', id: subscription.id, version: change.version },
      time: change.now,
      site: subscription.site as unknown as EventSite,
      data: {
        version: change.version,
        subscriptionId: subscription.id,
        siteSlug: subscription.siteSlug,
        client: subscription.client,
        state: change.state,
        ...(change.reason === undefined ? {} : { reason: change.reason }),
      },
    },
  ])
}

/** These subscriptions, deleted ones too: their deliveries may still go through their schedule. */
export async function readSettings(db: Queryable, ids: readonly string[]): Promise<Subscription[]> {
  return camelRows<Subscription>(
    await db.query({
      name: 'subscription-settings',
      text: 'select * from subscriptions where id = any($1)',
      values: [ids],
    }),
  )
}

/**
 * Makes the waiting deliveries of a locked subscription known to the poller: all of them are looked at now, at its present
 * endpoint. Comes after every change of state or endpoint, in its transaction.
 */
async function wakeQueues(tx: Transaction, id: string): Promise<void> {
  await tx.query(
    `with moved as (
       update delivery.waiting_queues q set next_at = now(), endpoint_id = s.endpoint_id
         from subscriptions s where s.id = $1 and q.subscription_id = s.id
       returning q.endpoint_id, q.rank
     )
     insert into delivery.waiting_endpoints as e (endpoint_id, rank, next_at)
     select endpoint_id, rank, now() from moved order by endpoint_id, rank
     on conflict (endpoint_id, rank) do update set next_at = excluded.next_at where e.next_at > excluded.next_at`,
    [id],
  )
}

function versionOf(rows: readonly { version: number }[]): number {
  const version = rows[0]?.version
  if (version === undefined) throw new Error('the subscription is gone')
  return version
}

/**
 * Deletes subscriptions that ended before a time, match no events `now` and have no deliveries left, `most` at a time. Returns
 * whether there may be more.
 */
export async function deleteEnded(
  db: Queryable,
  { before, now }: { before: Date; now: Date },
  most: number,
): Promise<boolean> {
  const result = await db.query(
    `delete from subscriptions where id in (
       select s.id from subscriptions s
        where s.deleted_at < $1 and s.matches_until <= $3 and not exists (select 1 from delivery.deliveries d where d.subscription_id = s.id)
        order by s.deleted_at limit $2 for update skip locked)`,
    [before, most, now],
  )
  return (result.rowCount ?? 0) >= most
}
