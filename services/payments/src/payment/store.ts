import type { PaymentListQuery, PaymentProvider, PaymentStatus } from '@frontdesk/contracts'
import { camelRows, firstRow, type Queryable } from '@frontdesk/database'
import { composeEvent, eventSiteOf, outboxInsert, outboxParameters } from '@frontdesk/events'
import { problem } from '@frontdesk/problems'
import { auditInsert, auditParameter, type Act } from '@frontdesk/service/audit'
import type { Database } from '../db.ts'
import type { PaymentDeps } from './deps.ts'
import { openStatuses, unchanged, type Decision, type Payment, type PaymentEvent } from './domain.ts'
import type { OpenOnes } from './metrics.ts'
import { nextCheck, soonMs, type CheckSchedule } from './schedule.ts'
import { refundsParameter, refundsUpsert } from './refund-store.ts'
import { fromRow, historyOf, secretContext, toStoredNote, type PaymentRow, type StoredNote } from './wire.ts'

/** The encrypted column of the table, for a new master key. */
export const encryptedSecret = {
  table: 'payments',
  keys: { id: 'uuid' },
  column: 'client_secret',
  context: ([id = '']: readonly string[]) => secretContext(id),
}

/** What to select of `payments` for a PaymentRow: its columns and, in one lookup by the payment's id, its refunds. */
export const paymentColumns = `payments.*, (
  select coalesce(json_agg(json_build_object('id', refunds.id, 'providerRefundId', provider_refund_id, 'amount', refunds.amount,
           'currency', refunds.currency, 'status', refunds.status, 'reason', reason, 'reference', refunds.reference,
           'failureReason', failure_reason, 'listed', refunds.listed, 'outcome', refunds.outcome,
           'providerRequest', refunds.provider_request, 'createdAt', refunds.created_at) order by refunds.id), '[]')
    from refunds where record_id = payments.id) as refunds`

export async function findPayment(db: Queryable, recordId: string): Promise<PaymentRow | undefined> {
  return firstRow<PaymentRow>(
    await db.query({
      name: 'payment-find',
      text: `select ${paymentColumns} from payments where id = $1`,
      values: [recordId],
    }),
  )
}

/** Returns a payment of a site. Throws the problem payment_not_found. */
export async function findPaymentOfSite(db: Queryable, siteSlug: string, recordId: string): Promise<PaymentRow> {
  const row = await findPayment(db, recordId)
  if (row === undefined || row.siteSlug !== siteSlug) throw problem('payment_not_found')
  return row
}

type Filters = Omit<PaymentListQuery, 'pageSize' | 'nextPageToken'>

/** Returns the listed payments of a site, newest first: ids are UUIDv7, so their order is that of creation. */
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
    include: { refunds: { orderBy: { id: 'asc' } } },
  })
}

/** A stored event of a provider. */
export interface ProviderEventKey {
  provider: PaymentProvider
  eventId: string
}

export interface ChangeOptions {
  /** The payment as it was just read, which saves a round trip. Default: it is read first. */
  basis?: PaymentRow | undefined
  /**
   * When the provider was asked for the answer that `decide` applies, by Postgres's clock. An answer that is older than
   * the one last applied is dropped, since it tells of the past.
   */
  askedAt?: Date | undefined
  /** The provider's event that led here: noted as applied by the statement that saves. */
  event?: ProviderEventKey | undefined
  /** Whether an event of the change was sent before, and is not to be sent again. Default: none was. */
  wasSent?: ((event: PaymentEvent) => boolean) | undefined
  /** The act of the request that causes the change: its entry is stored with the change. */
  act?: Act | undefined
}

/** A payment after a change, with its whole history. */
export interface Changed {
  payment: Payment
  history: readonly StoredNote[]
}

/**
 * Changes a payment: reads it, decides, and saves if it still has the version that was read; otherwise reads and decides
 * again. No lock is held while this process decides. Then has the events sent and the change counted.
 * Throws `payment_not_found`, and what `decide` throws.
 */
export async function changePayment(
  deps: PaymentDeps,
  recordId: string,
  decide: (payment: Payment, now: Date) => Decision,
  { basis, askedAt, event, wasSent = () => false, act }: ChangeOptions = {},
): Promise<Changed> {
  let row = basis ?? (await findPayment(deps.pool, recordId))
  while (row !== undefined) {
    const before = fromRow(row, deps.ring)
    const now = new Date()
    const isOutdated = askedAt !== undefined && row.checkedAt !== null && row.checkedAt > askedAt
    const decided = isOutdated ? unchanged(before) : decide(before, now)
    const decision = { ...decided, events: decided.events.filter((each) => !wasSent(each)) }
    const save = decision.next === before ? saveCheck : saveDecision
    if (await save(deps, row, before, decision, now, { askedAt, event, act })) {
      if (decision.events.length > 0) deps.relay.wake()
      deps.metrics.changed(decision)
      return { payment: decision.next, history: [...historyOf(row), ...decision.history.map(toStoredNote)] }
    }
    row = await findPayment(deps.pool, recordId)
  }
  throw problem('payment_not_found')
}

type SaveOptions = Pick<ChangeOptions, 'askedAt' | 'event' | 'act'>

/**
 * Saves a decision with its history and its events, in one statement and so in one transaction. Returns false, and saves
 * nothing, if the payment has changed since `basis`, or a newer answer of the provider was applied.
 */
async function saveDecision(
  { pool, origin, ring, schedule }: PaymentDeps,
  basis: PaymentRow,
  before: Payment,
  { next, history, events }: Decision,
  now: Date,
  { askedAt, event, act }: SaveOptions,
): Promise<boolean> {
  const outgoing = events.map((each, index) =>
    composeEvent(origin, {
      ...each,
      aggregate: { type: 'payment', id: basis.id, version: basis.eventCount + index + 1 },
      time: now,
      site: eventSiteOf(next.site),
      traceparent: basis.traceparent ?? undefined,
    }),
  )
  const refunds = next.refunds.filter((refund) => !before.refunds.includes(refund))
  const result = await pool.query({
    ...(refunds.length === 0 ? saveAlone : saveWithRefunds)[act === undefined ? 'unaudited' : 'audited'],
    values: [
      basis.id,
      basis.version,
      event?.provider,
      event?.eventId,
      askedAt,
      nextCheck(next, now, schedule),
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
      next.clientSecret === undefined ? null : ring.encrypt(next.clientSecret, secretContext(basis.id)),
      next.expiresAt,
      JSON.stringify(history.map(toStoredNote)),
      now,
      next.paidAmount,
      next.paidCurrency,
      next.dispute,
      next.unreachableSince,
      ...outboxParameters(outgoing),
      ...(refunds.length === 0 ? [] : [refundsParameter(next, refunds, now)]),
      ...(act === undefined ? [] : [auditParameter(act)]),
    ],
  })
  if (result.rowCount === 1) act?.recorded()
  return result.rowCount === 1
}

/** Notes the provider event $3, $4, if there is one, along with the row in `saved`. */
const noteSql = `
  noted as (
    update provider_events set applied_at = now(), note = 'applied' from saved where provider = $3 and event_id = $4)`

// The outbox insert reads from the updated row, so the row is locked before `seq` is drawn.
const saveSql = (others: string) => `
  with saved as (
    update payments set
      checked_at = coalesce($5, checked_at), next_check_at = $6, version = $7, status = $8, listed = $9, outcome = $10,
      cancelling = $11, tip_amount = $12, amount_refunded = $13, payment_id = $14, payment_intent_id = $15,
      charge_id = $16, decline_code = $17, checkout_url = $18, client_secret = $19, expires_at = $20,
      history = history || $21::jsonb, changed_at = $22, paid_amount = $23, paid_currency = $24, dispute = $25,
      unreachable_since = $26, event_count = event_count + cardinality($27::uuid[])
    where id = $1 and version = $2 and ($5::timestamptz is null or checked_at is null or checked_at <= $5)
    returning id),
  sent as (${outboxInsert(27, 'saved')}),${others}
  ${noteSql}
  select id from saved`

/** Most changes touch no refund and are nobody's act: they say nothing about either to Postgres. */
const saves = (name: string, refunded: string, auditAt: number) => ({
  unaudited: { name, text: saveSql(refunded) },
  audited: { name: `${name}-audited`, text: saveSql(`${refunded}\n  audited as (${auditInsert(auditAt, 'saved')}),`) },
})
const saveAlone = saves('payment-save', '', 35)
const saveWithRefunds = saves('payment-save-refunds', `\n  refunded as (${refundsUpsert(35, 'saved')}),`, 36)

/**
 * Saves that a payment was asked about and stays as it is. Returns false, and saves nothing, if it has changed since
 * `basis`. If nobody was asked, or the answer is outdated, the next check stays as it is too.
 */
async function saveCheck(
  { pool, schedule }: PaymentDeps,
  basis: PaymentRow,
  _before: Payment,
  { next }: Decision,
  now: Date,
  { askedAt, event }: SaveOptions,
): Promise<boolean> {
  const result = await pool.query({
    name: 'payment-save-check',
    text: saveCheckSql,
    values: [basis.id, basis.version, event?.provider, event?.eventId, askedAt, nextCheck(next, now, schedule)],
  })
  return result.rowCount === 1
}

const saveCheckSql = `
  with saved as (
    update payments set
      checked_at = greatest(checked_at, $5),
      next_check_at = case when coalesce(checked_at, '-infinity') <= $5 then $6 else next_check_at end
    where id = $1 and version = $2
    returning id),
  ${noteSql}
  select id from saved`

/** Returns how many payments each open status has, and how long ago the longest waiting one last changed. */
export async function findOpenPayments(db: Queryable): Promise<Map<PaymentStatus, OpenOnes>> {
  const { rows } = await db.query<{ status: PaymentStatus } & OpenOnes>(
    `select status, count(*)::float8 as count, extract(epoch from now() - min(changed_at))::float8 as seconds
       from payments where status = any($1) group by status`,
    [openStatuses],
  )
  return new Map(rows.map(({ status, ...open }) => [status, open]))
}

/**
 * Returns payments whose next check is due, `without` those of some providers, and puts that check off: other replicas skip
 * them, and a failed check comes again.
 */
export async function claimDueChecks(
  db: Queryable,
  [againAfterMs]: CheckSchedule,
  { limit, without }: { limit: number; without: readonly PaymentProvider[] },
): Promise<PaymentRow[]> {
  return camelRows<PaymentRow>(
    await db.query({
      name: 'payments-due',
      text: `update payments set next_check_at = now() + $2::float8 * interval '1 millisecond'
              where id in (select id from payments where next_check_at <= now() and provider <> all($3::text[])
                            order by next_check_at limit $1 for update skip locked)
              returning ${paymentColumns}`,
      values: [limit, againAfterMs, without],
    }),
  )
}

/** Makes a payment due for a check soon. */
export async function makeDue(db: Queryable, schedule: CheckSchedule, recordId: string): Promise<void> {
  await db.query({
    name: 'payment-make-due',
    text: `update payments set next_check_at =
             least(coalesce(next_check_at, 'infinity'), now() + $2::float8 * interval '1 millisecond') where id = $1`,
    values: [recordId, soonMs(schedule)],
  })
}
