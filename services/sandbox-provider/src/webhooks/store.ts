import { camelRows, type Queryable } from '@frontdesk/database'
import { apiVersion } from '../api/gate.ts'
import type { WebhookDestination, WebhookEvent } from '../db.ts'
import { newId } from '../ids.ts'

/** An event of a state change, before it is stored. */
export interface EventDraft {
  type: string
  /** the connected account of the object; null for the platform's own objects */
  accountId: string | null
  /** the object in the form of the API, as of the change */
  object: object
}

/** The webhooks as seen by state changes: which events to store, and how to send them. */
export interface Webhooks {
  isEnabled: (type: string) => boolean
  /** Sends stored events at once. Call it after their commit. A poll finds events that are lost here. */
  send: (events: WebhookEvent[]) => void
}

/** The event types that Frontdesk handles, as a platform lists them in `enabled_events`. Equal to those of the adapter. */
export const handledEvents = [
  'account.application.deauthorized',
  'account.updated',
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.refunded',
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.succeeded',
  'refund.created',
  'refund.failed',
  'refund.updated',
]

/** Lease of an event during an attempt. Must be longer than an attempt. */
const leaseSeconds = 30
/** Events older than this are given up, as at Stripe. */
const retriedDays = 3

/**
 * Stores the enabled ones of some events in the transaction of their state change, leased to this process, which sends them
 * after the commit. A platform is told nothing more of an account that has disconnected or was deleted.
 *
 * @returns the stored events
 */
export async function storeEvents(
  tx: Queryable,
  webhooks: Webhooks,
  drafts: EventDraft[],
  now: Date,
): Promise<WebhookEvent[]> {
  const events = drafts.filter((draft) => webhooks.isEnabled(draft.type)).map((draft) => newEvent(draft, now))
  if (events.length === 0) return []
  const stored = await tx.query<{ id: string }>({
    name: 'insert-webhook-events',
    text: `insert into webhook_events (id, type, account_id, destination, body, created_at, next_attempt_at)
           select id, type, account_id, destination::webhook_destination, body, $6, now() + interval '${leaseSeconds} seconds'
           from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
             as event (id, type, account_id, destination, body)
           where account_id is null or type = 'account.application.deauthorized' or exists (
             select 1 from accounts where accounts.id = event.account_id and deauthorized_at is null and deleted_at is null)
           returning id`,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.type),
      events.map((event) => event.accountId),
      events.map((event) => event.destination),
      events.map((event) => event.body),
      now,
    ],
  })
  const ids = new Set(stored.rows.map(({ id }) => id))
  return events.filter(({ id }) => ids.has(id))
}

/** Leases up to `limit` due events to this process. */
export async function leaseEvents(db: Queryable, limit: number): Promise<WebhookEvent[]> {
  const leased = await db.query(
    `update webhook_events set next_attempt_at = now() + interval '${leaseSeconds} seconds'
     where id in (
       select id from webhook_events where next_attempt_at <= now()
       order by next_attempt_at limit $1 for update skip locked)
     returning *`,
    [limit],
  )
  return camelRows<WebhookEvent>(leased)
}

/** Ends all leases and waits: a starting process is the only one, so no attempt is running. */
export async function releaseEvents(db: Queryable): Promise<void> {
  await db.query('update webhook_events set next_attempt_at = now() where next_attempt_at > now()')
}

/** How an attempt ended. */
export type AttemptOutcome = { status: number } | { error: string }

/** Records an attempt. An event that was not accepted is due again after `waitMs`, unless it is too old. */
export async function recordAttempt(
  db: Queryable,
  id: string,
  outcome: AttemptOutcome,
  waitMs: number | undefined,
): Promise<void> {
  await db.query({
    name: 'record-webhook-attempt',
    text: `update webhook_events set attempts = attempts + 1, last_status = $2, last_error = $3,
             delivered_at = case when $4::float8 is null then now() end,
             next_attempt_at = case when created_at > now() - interval '${retriedDays} days'
               then now() + $4::float8 * interval '1 millisecond' end
           where id = $1`,
    values: [
      id,
      'status' in outcome ? outcome.status : null,
      'error' in outcome ? outcome.error : null,
      waitMs ?? null,
    ],
  })
}

/** Gives up an event without sending it. */
export async function dropEvent(db: Queryable, id: string): Promise<void> {
  await db.query(`update webhook_events set next_attempt_at = null, last_error = 'dropped by a fault' where id = $1`, [
    id,
  ])
}

/** Makes an event due later, without counting an attempt. */
export async function postponeEvent(db: Queryable, id: string, milliseconds: number): Promise<void> {
  await db.query(
    `update webhook_events set next_attempt_at = now() + $2::float8 * interval '1 millisecond' where id = $1`,
    [id, milliseconds],
  )
}

function newEvent(draft: EventDraft, now: Date): WebhookEvent {
  const id = newId('evt_1', 23)
  const body = JSON.stringify({
    id,
    object: 'event',
    ...(draft.accountId !== null && { account: draft.accountId }),
    api_version: apiVersion,
    created: Math.floor(now.getTime() / 1000),
    data: { object: draft.object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: draft.type,
  })
  return {
    id,
    type: draft.type,
    accountId: draft.accountId,
    destination: destinationOf(draft.type),
    body,
    attempts: 0,
    lastStatus: null,
    lastError: null,
    createdAt: now,
    deliveredAt: null,
    nextAttemptAt: null,
  }
}

/** Returns the destination that gets the events of a type. */
export function destinationOf(type: string): WebhookDestination {
  return type.startsWith('account.') ? 'accounts' : 'payments'
}
