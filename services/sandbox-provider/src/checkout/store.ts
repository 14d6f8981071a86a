import { camelRows, type Pool, type Queryable, transaction } from '@frontdesk/database'
import { type ApiReply, type KeyedRequest, keyInUse } from '../api/idempotency.ts'
import { insertRecord, recordValues } from '../api/store.ts'
import { chargeToWire, disputeToWire, refundToWire } from '../charges/wire.ts'
import {
  type Charge,
  type CheckoutSession,
  type Dispute,
  insert,
  type PaymentIntent,
  type Refund,
  rowFromJson,
  rowJson,
  type WebhookEvent,
} from '../db.ts'
import { type EventDraft, storeEvents, type Webhooks } from '../webhooks/store.ts'
import type { Checkout, CheckoutChange, CheckoutEvent } from './checkout.ts'
import { intentToWire, sessionToWire } from './wire.ts'

/**
 * Stores a new session and the reply under its key. One statement, because every payment creation passes here.
 *
 * @throws ApiError (409) if another process has stored the key meanwhile
 */
export async function insertSession(
  db: Queryable,
  session: CheckoutSession,
  keyed: KeyedRequest | undefined,
  reply: ApiReply,
): Promise<void> {
  if (keyed === undefined) return insert(db, 'checkout_sessions', session)
  const inserted = await db.query({
    name: 'insert-keyed-checkout-session',
    text: `with record as (${insertRecord} returning 1)
           insert into checkout_sessions
           select session.* from record, jsonb_populate_record(null::checkout_sessions, $7::jsonb) as session
           returning id`,
    values: [...recordValues(keyed, reply), rowJson(session)],
  })
  if (inserted.rows.length === 0) throw keyInUse(keyed.key)
}

export async function findCheckout(db: Queryable, sessionId: string): Promise<Checkout | undefined> {
  return readCheckout(db, `where s.id = $1`, sessionId)
}

/** Finds the checkout of a payment intent. */
export async function findCheckoutOfIntent(db: Queryable, intentId: string): Promise<Checkout | undefined> {
  return readCheckout(db, `where i.id = $1`, intentId)
}

/** Finds the checkout whose latest attempt to pay is this charge. */
export async function findCheckoutOfCharge(db: Queryable, chargeId: string): Promise<Checkout | undefined> {
  return readCheckout(db, `where c.id = $1`, chargeId)
}

/** A page of an account's sessions, newest first. Times are epoch seconds, as in Stripe's `created`. */
export interface SessionListQuery {
  accountId: string | null
  gt?: number | undefined
  gte?: number | undefined
  lt?: number | undefined
  lte?: number | undefined
  status: CheckoutSession['status'] | undefined
  /** The session that ended the page before. */
  after: string | undefined
  limit: number
}

/** Returns the account's sessions that match, newest first. */
export async function listCheckouts(db: Queryable, query: SessionListQuery): Promise<Checkout[]> {
  const { accountId, gt, gte, lt, lte, status, after, limit } = query
  return readCheckouts(
    db,
    'list of checkouts',
    `where s.account_id is not distinct from $1
       and ($2::float8 is null or floor(extract(epoch from s.created_at)) > $2)
       and ($3::float8 is null or floor(extract(epoch from s.created_at)) >= $3)
       and ($4::float8 is null or floor(extract(epoch from s.created_at)) < $4)
       and ($5::float8 is null or floor(extract(epoch from s.created_at)) <= $5)
       and ($6::text is null or s.status::text = $6)
       and ($7::text is null or (s.created_at, s.id) < (select created_at, id from checkout_sessions where id = $7))
     order by s.created_at desc, s.id desc limit $8`,
    [accountId, gt, gte, lt, lte, status, after, limit],
  )
}

/** Returns a page of the account's payment intents, newest first. */
export async function listIntents(
  db: Queryable,
  query: { accountId: string | null; after: string | undefined; limit: number },
): Promise<PaymentIntent[]> {
  return camelRows<PaymentIntent>(
    await db.query(
      `select * from payment_intents
        where account_id is not distinct from $1
          and ($2::text is null or (created_at, id) < (select created_at, id from payment_intents where id = $2))
        order by created_at desc, id desc limit $3`,
      [query.accountId, query.after, query.limit],
    ),
  )
}

/** Returns the ids of open sessions that have passed their expiry time. */
export async function overdueSessions(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const found = await db.query<{ id: string }>(
    `select id from checkout_sessions where status = 'open' and expires_at <= $1 order by expires_at limit $2`,
    [now, limit],
  )
  return found.rows.map((row) => row.id)
}

export interface UpdateDeps {
  pool: Pool
  webhooks: Webhooks
  baseUrl: string
  now: Date
}

/**
 * Locks a checkout, changes it by a rule and stores the events of the change, in one transaction.
 *
 * @param alsoCommit runs in the same transaction, after the change
 * @returns undefined if there is no such session
 * @throws what the rule throws; nothing is changed then
 */
export async function updateCheckout(
  { pool, webhooks, baseUrl, now }: UpdateDeps,
  sessionId: string,
  decide: (checkout: Checkout, tx: Queryable) => CheckoutChange | Promise<CheckoutChange>,
  alsoCommit: (next: Checkout, tx: Queryable) => Promise<void> = async () => {},
): Promise<Checkout | undefined> {
  let stored: WebhookEvent[] = []
  const updated = await transaction(pool, async (tx) => {
    // Locked before it is read: a statement that waits for a lock would see the other rows as they were before the wait.
    await lockSession(tx, sessionId)
    const present = await readCheckout(tx, `where s.id = $1`, sessionId)
    if (present === undefined) return undefined
    const { next, events } = await decide(present, tx)
    await saveCheckout(tx, present, next)
    stored = await storeEvents(tx, webhooks, drafts(next, events, baseUrl), now)
    await alsoCommit(next, tx)
    return next
  })
  webhooks.send(stored)
  return updated
}

async function lockSession(tx: Queryable, id: string): Promise<void> {
  await tx.query({
    name: 'lock-checkout',
    text: 'select 1 from checkout_sessions where id = $1 for update',
    values: [id],
  })
}

async function readCheckout(db: Queryable, where: string, id: string): Promise<Checkout | undefined> {
  return (await readCheckouts(db, `checkout ${where}`, where, [id]))[0]
}

// One statement, so that session, intent, charge, refunds and disputes are consistent.
async function readCheckouts(db: Queryable, name: string, where: string, values: unknown[]): Promise<Checkout[]> {
  const found = await db.query({
    name,
    text: `select s.*, to_jsonb(i) as intent, to_jsonb(c) as charge,
                  coalesce((select jsonb_agg(to_jsonb(r) order by r.number) from refunds r where r.charge_id = c.id), '[]') as refunds,
                  coalesce((select jsonb_agg(to_jsonb(d) order by d.number) from disputes d where d.charge_id = c.id), '[]') as disputes
             from checkout_sessions s
             left join payment_intents i on i.session_id = s.id
             left join charges c on c.id = i.latest_charge_id
             ${where}`,
    values,
  })
  type Json = Record<string, unknown>
  return camelRows<CheckoutSession & { intent: Json | null; charge: Json | null; refunds: Json[]; disputes: Json[] }>(
    found,
  ).map(({ intent, charge, refunds, disputes, ...session }) => ({
    session,
    intent: intent === null ? undefined : rowFromJson<PaymentIntent>(intent),
    charge: charge === null ? undefined : rowFromJson<Charge>(charge),
    refunds: refunds.map((refund) => rowFromJson<Refund>(refund)),
    disputes: disputes.map((dispute) => rowFromJson<Dispute>(dispute)),
  }))
}

async function saveCheckout(tx: Queryable, present: Checkout, next: Checkout): Promise<void> {
  const { session, intent, charge } = next
  await tx.query({
    name: 'update-checkout',
    text: `update checkout_sessions set status = $2, payment_status = $3, payment_intent_id = $4, amount_total = $5,
             currency = $6 where id = $1`,
    values: [
      session.id,
      session.status,
      session.paymentStatus,
      session.paymentIntentId,
      session.amountTotal,
      session.currency,
    ],
  })
  if (intent !== undefined) {
    await insert(
      tx,
      'payment_intents',
      intent,
      `(id) do update set status = excluded.status, amount = excluded.amount, currency = excluded.currency,
         application_fee_amount = excluded.application_fee_amount, last_payment_error = excluded.last_payment_error,
         latest_charge_id = excluded.latest_charge_id, cancellation_reason = excluded.cancellation_reason,
         canceled_at = excluded.canceled_at`,
    )
  }
  if (charge !== undefined) {
    await insert(
      tx,
      'charges',
      charge,
      `(id) do update set status = excluded.status, failure_code = excluded.failure_code,
         decline_code = excluded.decline_code, failure_message = excluded.failure_message,
         amount_refunded = excluded.amount_refunded`,
    )
  }
  for (const refund of next.refunds.filter((row) => !present.refunds.includes(row))) {
    const changes = 'status = excluded.status, failure_reason = excluded.failure_reason'
    await insert(tx, 'refunds', refund, `(id) do update set ${changes}`)
  }
  for (const dispute of next.disputes.filter((row) => !present.disputes.includes(row))) {
    await insert(tx, 'disputes', dispute, '(id) do update set status = excluded.status')
  }
}

function drafts(checkout: Checkout, events: CheckoutChange['events'], baseUrl: string): EventDraft[] {
  return events.map((event) => ({
    type: event.type,
    accountId: checkout.session.accountId,
    object: shownIn(event, checkout, baseUrl),
  }))
}

function shownIn(event: CheckoutEvent, checkout: Checkout, baseUrl: string): object {
  const { intent, charge, refunds, disputes } = checkout
  switch (event.subject) {
    case 'session':
      return sessionToWire(checkout, baseUrl)
    case 'intent':
      return intent === undefined ? {} : intentToWire(intent)
    case 'charge':
      return charge === undefined ? {} : chargeToWire(charge, disputes)
    case 'refund':
      return refunds.filter(({ id }) => id === event.id).map(refundToWire)[0] ?? {}
    case 'dispute':
      return disputes.filter(({ id }) => id === event.id).map(disputeToWire)[0] ?? {}
  }
}
