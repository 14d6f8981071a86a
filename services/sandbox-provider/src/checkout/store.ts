import { camelRows, type Pool, type Queryable, transaction } from '@frontdesk/database'
import { type ApiReply, type KeyedRequest, keyInUse } from '../api/idempotency.ts'
import { insertRecord, recordValues } from '../api/store.ts'
import {
  type Charge,
  type CheckoutSession,
  insert,
  type PaymentIntent,
  rowFromJson,
  rowJson,
  type WebhookEvent,
} from '../db.ts'
import { type EventDraft, storeEvents, type Webhooks } from '../webhooks/store.ts'
import type { Checkout, CheckoutChange } from './checkout.ts'
import { chargeToWire, disputeToWire, intentToWire, sessionToWire } from './wire.ts'

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

/** Returns the ids of open sessions that have passed their expiry time. */
export async function overdueSessions(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const found = await db.query<{ id: string }>(
    `select id from checkout_sessions where status = 'open' and expires_at <= $1 order by expires_at limit $2`,
    [now, limit],
  )
  return found.rows.map((row) => row.id)
}

/** A checkout in the ledger: its amount, and every attempt to pay. */
export interface LedgerEntry {
  paymentId: string
  /** the `client_reference_id`, by which the platform knows the payment */
  reference: string | null
  accountId: string | null
  status: CheckoutSession['status']
  paymentStatus: CheckoutSession['paymentStatus']
  currency: string
  amount: number
  createdAt: Date
  intentStatus: PaymentIntent['status'] | null
  charges: Pick<Charge, 'id' | 'status' | 'amount' | 'amountRefunded' | 'disputeStatus'>[]
}

/** Returns the checkouts of all accounts in the order of their ids, beginning after the id `after`. */
export async function readLedger(db: Queryable, after: string, limit: number): Promise<LedgerEntry[]> {
  return camelRows<LedgerEntry>(
    await db.query(
      `select s.id as payment_id, s.client_reference_id as reference, s.account_id, s.status, s.payment_status, s.currency,
              s.amount_total as amount, s.created_at, i.status as intent_status,
              coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'status', c.status, 'amount', c.amount,
                                 'amountRefunded', c.amount_refunded, 'disputeStatus', c.dispute_status) order by c.created_at, c.id)
                          from charges c where c.payment_intent_id = i.id), '[]') as charges
         from checkout_sessions s left join payment_intents i on i.session_id = s.id
        where s.id > $1 order by s.id limit $2`,
      [after, limit],
    ),
  )
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
    const present = await readCheckout(tx, `where s.id = $1 for update of s`, sessionId)
    if (present === undefined) return undefined
    const { next, events } = await decide(present, tx)
    await saveCheckout(tx, next)
    stored = await storeEvents(tx, webhooks, drafts(next, events, baseUrl), now)
    await alsoCommit(next, tx)
    return next
  })
  webhooks.send(stored)
  return updated
}

// One statement, so that session, intent and charge are consistent.
async function readCheckout(db: Queryable, where: string, id: string): Promise<Checkout | undefined> {
  const found = await db.query({
    name: `checkout ${where}`,
    text: `select s.*, to_jsonb(i) as intent, to_jsonb(c) as charge
             from checkout_sessions s
             left join payment_intents i on i.session_id = s.id
             left join charges c on c.id = i.latest_charge_id
             ${where}`,
    values: [id],
  })
  const row = camelRows<
    CheckoutSession & { intent: Record<string, unknown> | null; charge: Record<string, unknown> | null }
  >(found)[0]
  if (row === undefined) return undefined
  const { intent, charge, ...session } = row
  return {
    session,
    intent: intent === null ? undefined : rowFromJson<PaymentIntent>(intent),
    charge: charge === null ? undefined : rowFromJson<Charge>(charge),
  }
}

async function saveCheckout(tx: Queryable, { session, intent, charge }: Checkout): Promise<void> {
  await tx.query({
    name: 'update-checkout',
    text: 'update checkout_sessions set status = $2, payment_status = $3, payment_intent_id = $4 where id = $1',
    values: [session.id, session.status, session.paymentStatus, session.paymentIntentId],
  })
  if (intent !== undefined) {
    await insert(
      tx,
      'payment_intents',
      intent,
      `(id) do update set status = excluded.status, last_payment_error = excluded.last_payment_error,
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
         amount_refunded = excluded.amount_refunded, dispute_id = excluded.dispute_id,
         dispute_status = excluded.dispute_status`,
    )
  }
}

function drafts(checkout: Checkout, events: CheckoutChange['events'], baseUrl: string): EventDraft[] {
  const { session, intent, charge } = checkout
  const objects = {
    session: () => sessionToWire(checkout, baseUrl),
    intent: () => (intent === undefined ? {} : intentToWire(intent)),
    charge: () => (charge === undefined ? {} : chargeToWire(charge)),
    dispute: () => (charge === undefined ? {} : disputeToWire(charge)),
  }
  return events.map(({ type, subject }) => ({ type, accountId: session.accountId, object: objects[subject]() }))
}
