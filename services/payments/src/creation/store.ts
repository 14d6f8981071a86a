import type { AccountState, PaymentProvider } from '@frontdesk/contracts'
import { firstRow, type Queryable } from '@frontdesk/database'
import type { CheckoutRequest } from '@frontdesk/providers'
import { auditInsert, auditParameter, type Act } from '@frontdesk/service/audit'
import type { Decision } from '../payment/domain.ts'
import { nextCheck, type CheckSchedule } from '../payment/schedule.ts'
import { lastingColumns, toStoredNote, type PaymentRow } from '../payment/wire.ts'

/** What a new payment is decided on. */
export interface Basis {
  /** False if the payment exists already (the request resumes an earlier one) or the site is deleted. */
  mayInsert: boolean
  /** Our copy of the site's account at the provider. */
  account: AccountState | undefined
  /** Postgres's time before the provider is asked; to the millisecond, like every Date. */
  askedAt: Date
}

/** Reads what a new payment is decided on, in one statement. */
export async function findBasis(
  db: Queryable,
  recordId: string,
  siteSlug: string,
  provider: PaymentProvider,
): Promise<Basis> {
  const { rows } = await db.query<{ may_insert: boolean; account: AccountState | null; asked_at: Date }>({
    name: 'payment-basis',
    text: `select not exists (select from payments where id = $1)
                    and not exists (select from deleted_sites where slug = $2) as may_insert,
                  (select jsonb_strip_nulls(jsonb_build_object('version', version, 'accountId', account_id,
                            'siteSlug', site_slug, 'paymentProvider', provider, 'status', status,
                            'externalAccountId', external_account_id,
                            'statementDescriptorPrefix', statement_descriptor_prefix, 'createdAt', created_at))
                     from account_copies
                    where site_slug = $2 and provider = $3 and deleted_at is null
                    order by created_at desc limit 1) as account,
                  clock_timestamp() as asked_at`,
    values: [recordId, siteSlug, provider],
  })
  const [row] = rows
  if (row === undefined) throw new Error('a select without a from clause returned no row')
  return { mayInsert: row.may_insert, account: row.account ?? undefined, askedAt: row.asked_at }
}

/** A payment as `Created`, with the exact request for the provider. */
export interface NewPayment {
  decision: Decision
  request: CheckoutRequest
  traceparent: string
  schedule: CheckSchedule
  act: Act
}

/**
 * Inserts a new payment and returns it; undefined if it exists already, or its site is deleted. A deletion that comes at the
 * same time waits, and then finds the payment. Its first check sends it again, should this process die during the request.
 */
export async function insertPayment(
  db: Queryable,
  { decision: { next, history }, request, traceparent, schedule, act }: NewPayment,
): Promise<PaymentRow | undefined> {
  const values = {
    ...lastingColumns(next),
    traceparent,
    provider_request: request,
    status: next.status,
    version: next.version,
    history: JSON.stringify(history.map(toStoredNote)),
    changed_at: next.createdAt,
    next_check_at: nextCheck(next, next.createdAt, schedule),
  }
  act.about(`payment:${next.recordId}`)
  const parameters = Object.keys(values).map((_, index) => `$${index + 1}`)
  const result = await db.query({
    name: 'payment-insert',
    text: `with made as (
             insert into payments (${Object.keys(values).join(', ')})
             select ${parameters.join(', ')} where not site_is_deleted($2)
             on conflict (id) do nothing
             returning *
           ), audited as (${auditInsert(parameters.length + 1, 'made')})
           select *, '[]'::json as refunds from made`,
    values: [...Object.values(values), auditParameter(act)],
  })
  if (result.rowCount === 1) act.recorded()
  return firstRow<PaymentRow>(result)
}
