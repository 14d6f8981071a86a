import { firstRow, camelRows, type Queryable, type Transaction } from '@frontdesk/database'
import { appendToOutbox, type EventOrigin, type EventSite } from '@frontdesk/events'
import type { Subscription } from '../db.ts'
import type { PauseReason } from './domain.ts'

/** Serialises changes to the subscription of one client and site, also while there is none yet. */
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

/** The id of a client's address, made where it is new. */
export async function endpointOf(tx: Transaction, client: string, url: string): Promise<bigint> {
  const result = await tx.query<{ id: bigint }>(
    `insert into endpoints (client, url) values ($1, $2)
     on conflict (client, url) do update set url = excluded.url returning id`,
    [client, url],
  )
  const id = result.rows[0]?.id
  if (id === undefined) throw new Error('the endpoint was not stored')
  return id
}

/** What a caller sets by subscribing. */
export interface SubscriptionSettings {
  site: EventSite
  endpointId: bigint
  url: string
  eventTypes: readonly string[]
  headerNames: readonly string[]
  sealedHeaders: string
}

export async function insertSubscription(
  tx: Transaction,
  fresh: SubscriptionSettings & { id: string; client: string; sealedSecret: string },
): Promise<void> {
  await tx.query(
    `insert into subscriptions (id, client, site_slug, site, endpoint_id, url, event_types, header_names, sealed_headers, sealed_secret, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'active')`,
    [
      fresh.id,
      fresh.client,
      fresh.site.siteSlug,
      fresh.site,
      fresh.endpointId,
      fresh.url,
      fresh.eventTypes,
      fresh.headerNames,
      fresh.sealedHeaders,
      fresh.sealedSecret,
    ],
  )
}

/** Subscribing again: keeps id, secret and history, replaces the rest, resumes. Returns the new version. */
export async function replaceSettings(tx: Transaction, id: string, next: SubscriptionSettings): Promise<number> {
  const result = await tx.query<{ version: number }>(
    `update subscriptions set site = $2, endpoint_id = $3, url = $4, event_types = $5, header_names = $6, sealed_headers = $7,
            state = 'active', pause_reason = null, paused_at = null, next_probe_at = null, failing_since = null, failed_attempts = 0,
            version = version + 1, changed_at = now()
      where id = $1 returning version`,
    [id, next.site, next.endpointId, next.url, next.eventTypes, next.headerNames, next.sealedHeaders],
  )
  return versionOf(result.rows)
}

/** Puts a new secret in place; the old one signs beside it until the time that is returned. */
export async function rotateSecret(
  tx: Transaction,
  id: string,
  { rotationId, sealedSecret, overlapMs }: { rotationId: string; sealedSecret: string; overlapMs: number },
): Promise<Date> {
  const result = await tx.query<{ until: Date }>(
    `update subscriptions set sealed_previous_secret = sealed_secret, sealed_secret = $2, rotation_id = $4,
            previous_secret_expires_at = now() + make_interval(secs => $3::float8 / 1000), version = version + 1, changed_at = now()
      where id = $1 returning previous_secret_expires_at as until`,
    [id, sealedSecret, overlapMs, rotationId],
  )
  const until = result.rows[0]?.until
  if (until === undefined) throw new Error('the subscription is gone')
  return until
}

/** Ends a subscription; `matchMs` is how long it still matches new events. */
export async function endSubscriptions(tx: Transaction, ids: readonly string[], matchMs: number): Promise<void> {
  await tx.query(
    `update subscriptions set deleted_at = now(), matches_until = now() + make_interval(secs => $2::float8 / 1000),
            next_probe_at = null, version = version + 1, changed_at = now()
      where id = any($1) and deleted_at is null`,
    [ids, matchMs],
  )
}

/** The ids of a site's live subscriptions, locked in their order. */
export async function lockSubscriptionsOfSite(tx: Transaction, siteSlug: string): Promise<string[]> {
  const result = await tx.query<{ id: string }>(
    'select id from subscriptions where site_slug = $1 and deleted_at is null order by id for update',
    [siteSlug],
  )
  return result.rows.map((row) => row.id)
}

/**
 * Cancels what is pending of a subscription: all that is claimed, so that a request on its way changes nothing any more,
 * and of what waits so many that no request takes long over it. Returns whether more may wait: nobody will claim it, and
 * the scanner cancels it.
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
              where subscription_id = $1 and state = 'pending' and claim_id is null and event_id >= $2 limit ${most}) as waiting
      where d.subscription_id = $1 and d.event_id = waiting.event_id and d.state = 'pending' and d.claim_id is null`,
    [subscriptionId, since],
  )
  return waiting.rowCount === most
}

/** Pauses a locked subscription; where failure is the reason, it is tried again later. Returns the new version. */
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
  return versionOf(result.rows)
}

/** Tells other services that a subscription was paused or resumed: Internal, with its full state. */
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

/** The settings deliveries need, of several subscriptions, deleted ones too (their deliveries may run out their schedule). */
export async function readSettings(db: Queryable, ids: readonly string[]): Promise<Subscription[]> {
  return camelRows<Subscription>(
    await db.query({
      name: 'subscription-settings',
      text: 'select * from subscriptions where id = any($1)',
      values: [ids],
    }),
  )
}

function versionOf(rows: readonly { version: number }[]): number {
  const version = rows[0]?.version
  if (version === undefined) throw new Error('the subscription is gone')
  return version
}

/** A subscription's health after a note. */
export interface NotedHealth {
  id: string
  state: string
  pauseReason: string | null
  failingSince: Date | null
  failedAttempts: number
  /** Postgres's clock. */
  now: Date
}

/** Counts failures, and forgets them where a subscription has answered. Returns those that changed. */
export async function noteHealth(
  db: Queryable,
  notes: readonly { id: string; answered: boolean; failures: number }[],
): Promise<NotedHealth[]> {
  const inOrder = notes.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return camelRows<NotedHealth>(
    await db.query(
      `update subscriptions s
          set failing_since = case when note.answered then null else coalesce(s.failing_since, now()) end,
              failed_attempts = case when note.answered then 0 else s.failed_attempts + note.failures end
         from unnest($1::uuid[], $2::boolean[], $3::int[]) as note (id, answered, failures)
        where s.id = note.id and (not note.answered or s.failing_since is not null or s.state = 'paused')
       returning s.id, s.state, s.pause_reason, s.failing_since, s.failed_attempts, now() as now`,
      [inOrder.map((note) => note.id), inOrder.map((note) => note.answered), inOrder.map((note) => note.failures)],
    ),
  )
}
