import type { AccountState, PaymentProvider } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'
import type { CheckoutRequest } from '@frontdesk/providers'
import type { KeyRing } from '@frontdesk/service/encryption'
import {
  claimExpression,
  claimValues,
  heldKeySql,
  readClaim,
  type Claim,
  type ClaimRow,
  type IdempotentRequest,
} from '@frontdesk/service/idempotency'
import type { Decision } from './domain.ts'
import { toStoredNote, type PaymentRow } from './rows.ts'
import { findPayment } from './store.ts'

/** What a new payment is decided on, in one statement. */
export interface Ground {
  /** The payment, where an earlier try under the same Idempotency-Key made it. */
  existing: PaymentRow | undefined
  siteDeleted: boolean
  /** Our copy of the site's account at the provider. */
  account: AccountState | undefined
}

export async function findGround(
  db: Queryable,
  recordId: string,
  siteSlug: string,
  provider: PaymentProvider,
): Promise<Ground> {
  const result = await db.query<{ existing: boolean; site_deleted: boolean; account: AccountState | null }>({
    name: 'payment-ground',
    text: `select exists (select from payments where id = $1) as existing,
                  exists (select from deleted_sites where slug = $2) as site_deleted,
                  (select jsonb_strip_nulls(jsonb_build_object('version', version, 'accountId', account_id,
                            'siteSlug', site_slug, 'paymentProvider', provider, 'status', status,
                            'externalAccountId', external_account_id,
                            'statementDescriptorPrefix', statement_descriptor_prefix, 'createdAt', created_at))
                     from account_copies
                    where site_slug = $2 and provider = $3 and deleted_at is null
                    order by created_at desc limit 1) as account`,
    values: [recordId, siteSlug, provider],
  })
  const row = result.rows[0]
  return {
    existing: row?.existing === true ? await findPayment(db, recordId) : undefined,
    siteDeleted: row?.site_deleted === true,
    account: row?.account ?? undefined,
  }
}

/** A payment as `Created`, with the exact request that the provider will get. */
export interface NewPayment {
  decision: Decision
  request: CheckoutRequest
  traceparent: string
  /** When it is checked, should this process not come to its end: by then no request is at work on it. */
  checkAfterMs: number
}

/** Stores a new payment. Returns false where it is there already. */
export async function insertPayment(db: Queryable, payment: NewPayment): Promise<boolean> {
  const result = await db.query({
    name: 'payment-insert',
    text: `${insertSql(1)} on conflict (id) do nothing`,
    values: paymentValues(payment),
  })
  return result.rowCount === 1
}

/**
 * Stores a new payment, provided that what it was decided on still holds: our newest copy of the site's account is
 * `account`, and the site is not deleted. Returns false where it does not, or the payment is there already.
 */
export async function insertOnGround(db: Queryable, payment: NewPayment, account: AccountState): Promise<boolean> {
  const result = await db.query({
    name: 'payment-insert-on-ground',
    text: `with ${groundExpression(1)} ${insertSql(1)} from ground on conflict (id) do nothing`,
    values: [...paymentValues(payment), account.accountId, account.version],
  })
  return result.rowCount === 1
}

/**
 * Claims an Idempotency-Key and, where it is new, stores the payment like `insertOnGround`, all in one statement.
 * Undefined, in a rare race, where whose the key is could not be seen. Throws like `readClaim`.
 */
export async function claimAndInsert(
  db: Queryable,
  ring: KeyRing,
  key: IdempotentRequest,
  payment: NewPayment,
  account: AccountState,
): Promise<{ claim: Claim; inserted: boolean } | undefined> {
  const result = await db.query<ClaimRow & { inserted: boolean }>({
    name: 'payment-claim-insert',
    text: `with ${claimExpression}, ${groundExpression(7)},
             made as (${insertSql(7)} from claim, ground where claim.resource_id = $7 on conflict (id) do nothing returning id)
           select held.*, exists (select from made) as inserted from (${heldKeySql}) as held`,
    values: [
      ...claimValues(key, payment.decision.next.recordId),
      ...paymentValues(payment),
      account.accountId,
      account.version,
    ],
  })
  const row = result.rows[0]
  const claim = readClaim(row, ring, key)
  return claim === undefined ? undefined : { claim, inserted: row?.inserted === true }
}

const columns = [
  'id',
  'site_slug',
  'organisation_slug',
  'billing_organisation_slug',
  'product',
  'pms_specific_id',
  'traceparent',
  'provider',
  'provider_account_id',
  'provider_request',
  'ui_mode',
  'currency',
  'amount',
  'fee_amount',
  'reference',
  'customer_id',
  'statement_descriptor',
  'status',
  'version',
  'history',
  'created_at',
] as const

/** `insert into payments ... select ...` with the parameters of `paymentValues` from `$first` on. */
function insertSql(first: number): string {
  const parameters = columns.map((_, index) => `$${first + index}`)
  const checkAfterMs = `$${first + columns.length}::float8 * interval '1 millisecond'`
  return `insert into payments (${columns.join(', ')}, changed_at, checked_at, next_check_at)
            select ${parameters.join(', ')}, ${parameters.at(-1)}, clock_timestamp(), clock_timestamp() + ${checkAfterMs}`
}

/** `ground`: one row where the account that comes after the payment's parameters is still what to decide on. */
function groundExpression(first: number): string {
  const [site, provider] = [columns.indexOf('site_slug'), columns.indexOf('provider')].map((at) => `$${first + at}`)
  const [accountId, version] = [`$${first + columns.length + 1}`, `$${first + columns.length + 2}`]
  return `ground as (
    select from (select account_id, version from account_copies
                  where site_slug = ${site} and provider = ${provider} and deleted_at is null
                  order by created_at desc limit 1) as newest
     where newest.account_id = ${accountId} and newest.version = ${version}
       and not exists (select from deleted_sites where slug = ${site}))`
}

function paymentValues({ decision: { next, history }, request, traceparent, checkAfterMs }: NewPayment): unknown[] {
  return [
    next.recordId,
    next.site.slug,
    next.site.owningOrganisation,
    next.site.billingOrganisation,
    next.site.system,
    next.site.pmsSpecificId,
    traceparent,
    next.provider,
    next.providerAccountId,
    request,
    next.uiMode,
    next.currency,
    next.amount,
    next.feeAmount,
    next.reference,
    next.customerId,
    next.statementDescriptor,
    next.status,
    next.version,
    JSON.stringify(history.map(toStoredNote)),
    next.createdAt,
    checkAfterMs,
  ]
}
