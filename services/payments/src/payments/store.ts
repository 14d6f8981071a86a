import type { PaymentListQuery, PaymentProvider } from '@frontdesk/contracts'
import { camelRows, firstRow, type Queryable } from '@frontdesk/database'
import { composeEvent, eventSiteOf, type EventOrigin } from '@frontdesk/events'
import type { KeyRing } from '@frontdesk/service/encryption'
import { settleSql, settleValues, type IdempotentRequest, type StoredReply } from '@frontdesk/service/idempotency'
import type { Database } from '../db.ts'
import { nextCheck, soonMs, type CheckSchedule } from './checks.ts'
import { openStatuses, payableStatuses, siteDeleted, type Decision, type Payment } from './domain.ts'
import { fromRow, secretContext, toStoredNote, type PaymentRow } from './rows.ts'

/** What saving needs besides a connection. */
export interface SaveContext {
  origin: EventOrigin
  /** Encrypts client secrets and replies. */
  ring: KeyRing
  schedule: CheckSchedule
}

export async function findPayment(db: Queryable, recordId: string): Promise<PaymentRow | undefined> {
  return firstRow<PaymentRow>(
    await db.query({ name: 'payment-find', text: 'select * from payments where id = $1', values: [recordId] }),
  )
}

type Filters = Omit<PaymentListQuery, 'pageSize' | 'nextPageToken'>

/** The listed payments of a site, newest first: ids are UUIDv7, so their order is that of creation. */
export async function listPayments(
  prisma: Database['prisma'],
  siteSlug: string,
  filters: Filters,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<PaymentRow[]> {
  const { Status, PaymentProvider, Reference, CreatedFrom, CreatedTo } = filters
  return prisma.payment.findMany({
    where: {
      siteSlug,
      listed: true,
      ...(before === undefined ? {} : { id: { lt: before } }),
      ...(Status === undefined ? {} : { status: { in: Status } }),
      ...(PaymentProvider === undefined ? {} : { provider: PaymentProvider }),
      ...(Reference === undefined ? {} : { reference: Reference }),
      createdAt: {
        ...(CreatedFrom === undefined ? {} : { gte: CreatedFrom }),
        ...(CreatedTo === undefined ? {} : { lt: CreatedTo }),
      },
    },
    orderBy: { id: 'desc' },
    take: limit,
  })
}

/** The version and the number of events that a decision was made on. */
export type Basis = Pick<PaymentRow, 'id' | 'version' | 'eventCount' | 'traceparent'>

/** A request's Idempotency-Key and its reply, to be settled along with the last statement. */
export interface Settlement {
  key: IdempotentRequest
  reply: StoredReply
}

export interface SaveOptions {
  now: Date
  /** When the provider was asked for the answer that was decided on, by Postgres's clock. */
  askedAt?: Date | undefined
  settlement?: Settlement | undefined
  receipt?: Receipt | undefined
}

/** A stored event of a provider that led to a decision: noted as applied along with it. */
export interface Receipt {
  provider: PaymentProvider
  eventId: string
}

/**
 * Saves what was decided, with its history and its events, in one statement and so in one transaction (the outbox rows
 * come from the updated row, which is thereby locked first). Returns false, and saves nothing, where the payment has
 * changed since `basis`, or a newer answer of the provider was applied. Takes a settlement or a receipt, not both.
 */
export async function saveDecision(
  db: Queryable,
  { origin, ring, schedule }: SaveContext,
  basis: Basis,
  { next, history, events }: Decision,
  { now, askedAt, settlement, receipt }: SaveOptions,
): Promise<boolean> {
  const outgoing = events.map((event, index) =>
    composeEvent(origin, {
      ...event,
      aggregate: { type: 'payment', id: basis.id, version: basis.eventCount + index + 1 },
      time: now,
      site: eventSiteOf(next.site),
      traceparent: basis.traceparent ?? undefined,
    }),
  )
  const result = await db.query({
    ...(settlement !== undefined ? saveAndSettle : receipt !== undefined ? saveAndNote : save),
    values: [
      basis.id,
      basis.version,
      next.version,
      next.status,
      next.listed,
      next.outcome,
      next.cancelling,
      next.tipAmount,
      next.amountRefunded,
      next.paymentId,
      next.paymentIntentId,
      next.chargeId,
      next.declineCode,
      next.checkoutUrl,
      next.clientSecret === undefined ? null : ring.seal(next.clientSecret, secretContext(basis.id)),
      next.expiresAt,
      JSON.stringify(history.map(toStoredNote)),
      now,
      askedAt,
      nextCheck(next, now, schedule),
      outgoing.map((event) => event.id),
      outgoing.map((event) => event.aggregateVersion),
      outgoing.map((event) => event.visibility),
      outgoing.map((event) => event.subject),
      outgoing.map((event) => JSON.stringify(event.headers)),
      outgoing.map((event) => event.payload),
      ...(settlement === undefined ? [] : settleValues(ring, settlement.key, settlement.reply)),
      ...(receipt === undefined ? [] : [receipt.provider, receipt.eventId]),
    ],
  })
  return result.rowCount === 1
}

const saveExpressions = `
  with saved as (
    update payments set
      version = $3, status = $4, listed = $5, outcome = $6, cancelling = $7, tip_amount = $8, amount_refunded = $9,
      payment_id = $10, payment_intent_id = $11, charge_id = $12, decline_code = $13, checkout_url = $14,
      client_secret = $15, expires_at = $16, history = history || $17::jsonb, changed_at = $18,
      checked_at = coalesce($19, checked_at), next_check_at = $20, event_count = event_count + cardinality($21::uuid[])
    where id = $1 and version = $2 and ($19::timestamptz is null or checked_at is null or checked_at <= $19)
    returning id),
  sent as (
    insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload)
    select event.id, 'payment', $1::text, event.version, event.visibility, event.subject, event.headers, event.payload
      from saved, unnest($21::uuid[], $22::int[], $23::smallint[], $24::text[], $25::jsonb[], $26::bytea[])
        as event (id, version, visibility, subject, headers, payload))`

const save = { name: 'payment-save', text: `${saveExpressions} select id from saved` }
const saveAndSettle = {
  name: 'payment-save-settle',
  text: `${saveExpressions}, settled as (${settleSql(27)} and exists (select from saved)) select id from saved`,
}
const saveAndNote = {
  name: 'payment-save-note',
  text: `${saveExpressions}, noted as (${noteAppliedSql(27)} and exists (select from saved)) select id from saved`,
}

function noteAppliedSql(first: number): string {
  return `update provider_events set applied_at = now(), note = 'applied' where provider = $${first} and event_id = $${first + 1}`
}

/** A decision that was saved, and the payment as it is now. */
export interface Changed {
  payment: Payment
  decision: Decision
}

export interface ChangeOptions {
  /**
   * When the provider's answer that is decided on had been asked for, by Postgres's clock. An answer older than the one
   * last applied is dropped, since it tells of the past.
   */
  askedAt?: Date | undefined
  /** The payment as it was just read: one round trip less. */
  known?: PaymentRow | undefined
  receipt?: Receipt | undefined
}

/**
 * Changes a payment: reads it, decides, and saves if nobody was quicker; else decides again on what there is now. The
 * statement that saves locks the row, so no lock is held while this process thinks. Undefined where there is no such payment.
 */
export async function changePayment(
  db: Queryable,
  context: SaveContext,
  recordId: string,
  decide: (payment: Payment, now: Date) => Decision,
  { askedAt, known, receipt }: ChangeOptions = {},
): Promise<Changed | undefined> {
  for (let row = known ?? (await findPayment(db, recordId)); row !== undefined; row = await findPayment(db, recordId)) {
    const before = fromRow(row, context.ring)
    const now = new Date()
    const stale = askedAt !== undefined && row.checkedAt !== null && row.checkedAt > askedAt
    const decision = stale ? { next: before, history: [], events: [], alerts: [] } : decide(before, now)
    if (decision.next === before) {
      const next = nextCheck(before, now, context.schedule)
      if (await markChecked(db, row, next, { askedAt: stale ? undefined : askedAt, receipt })) {
        return { payment: before, decision }
      }
    } else if (await saveDecision(db, context, row, decision, { now, askedAt, receipt })) {
      return { payment: decision.next, decision }
    }
  }
  return undefined
}

/**
 * Notes that a payment was asked about and stays as it is. Returns false, and notes nothing, where it has changed since
 * `basis`: what changed it has set its next check. Without `askedAt` (nobody was asked, or the answer is too old) only the
 * receipt is noted.
 */
async function markChecked(
  db: Queryable,
  basis: Pick<PaymentRow, 'id' | 'version'>,
  next: Date | undefined,
  { askedAt, receipt }: Pick<ChangeOptions, 'askedAt' | 'receipt'>,
): Promise<boolean> {
  if (askedAt !== undefined) {
    const result = await db.query({
      name: 'payment-checked',
      text: `update payments set checked_at = greatest(checked_at, $3), next_check_at = $4
              where id = $1 and version = $2`,
      values: [basis.id, basis.version, askedAt, next],
    })
    if (result.rowCount === 0) return false
  }
  if (receipt !== undefined) await db.query({ ...noteApplied, values: [receipt.provider, receipt.eventId] })
  return true
}

const noteApplied = { name: 'provider-event-applied', text: noteAppliedSql(1) }

/** Not yet at an end at that provider: what keeps an account from being deleted. */
export async function countOpenPayments(db: Queryable, siteSlug: string, provider: PaymentProvider): Promise<number> {
  const result = await db.query<{ open: number }>({
    name: 'payments-open',
    text: `select count(*)::int as open from payments
            where site_slug = $1 and provider = $2 and status = any($3) and listed`,
    values: [siteSlug, provider, openStatuses],
  })
  return result.rows[0]?.open ?? 0
}

/** Takes payments whose next check is due, for a while: copies of this service do not ask twice, and a failure comes again. */
export async function claimDueChecks(
  db: Queryable,
  { schedule: [againAfterMs] }: Pick<SaveContext, 'schedule'>,
  limit: number,
): Promise<PaymentRow[]> {
  return camelRows<PaymentRow>(
    await db.query({
      name: 'payments-due',
      text: `update payments set next_check_at = now() + $2::float8 * interval '1 millisecond'
              where id in (select id from payments where next_check_at <= now()
                            order by next_check_at limit $1 for update skip locked)
              returning *`,
      values: [limit, againAfterMs],
    }),
  )
}

/** Makes a payment due for a check soon: the provider is away, and the reason to ask it must not be forgotten. */
export async function makeDue(
  db: Queryable,
  { schedule }: Pick<SaveContext, 'schedule'>,
  recordId: string,
): Promise<void> {
  await db.query({
    name: 'payment-make-due',
    text: `update payments set next_check_at =
             least(coalesce(next_check_at, 'infinity'), now() + $2::float8 * interval '1 millisecond') where id = $1`,
    values: [recordId, soonMs(schedule)],
  })
}

/**
 * Marks the payments of a deleted site to be cancelled, and remembers that it is gone. The checks, due at once, expire
 * the checkouts. One that is `Created` may still be in the hands of its request and keeps its time.
 */
export async function cancelPaymentsOfSite(tx: Queryable, context: SaveContext, siteSlug: string): Promise<void> {
  await tx.query('insert into deleted_sites (slug) values ($1) on conflict do nothing', [siteSlug])
  const rows = camelRows<PaymentRow>(
    await tx.query('select * from payments where site_slug = $1 and status = any($2) order by id for update', [
      siteSlug,
      openStatuses,
    ]),
  )
  const now = new Date()
  for (const row of rows) {
    const before = fromRow(row, context.ring)
    const decision = siteDeleted(before)
    if (decision.next !== before) await saveDecision(tx, context, row, decision, { now })
  }
  await tx.query(
    'update payments set next_check_at = now() where site_slug = $1 and cancelling is not null and status = any($2)',
    [siteSlug, payableStatuses],
  )
}
