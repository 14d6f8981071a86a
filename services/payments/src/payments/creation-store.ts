import type { AccountState, PaymentProvider } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'
import type { CheckoutRequest } from '@frontdesk/providers'
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

/**
 * Stores a new payment as `Created`, with the exact request that the provider will get. The first check is 60 s away: by
 * then no request is still at work on it. Returns false where it is there already.
 */
export async function insertPayment(
  db: Queryable,
  { next, history }: Decision,
  { request, traceparent }: { request: CheckoutRequest; traceparent: string },
): Promise<boolean> {
  const result = await db.query({
    name: 'payment-insert',
    text: `insert into payments (id, site_slug, organisation_slug, billing_organisation_slug, product, pms_specific_id,
             traceparent, provider, provider_account_id, provider_request, ui_mode, currency, amount, fee_amount, reference,
             customer_id, statement_descriptor, status, version, history, created_at, changed_at, checked_at, next_check_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $21,
             clock_timestamp(), clock_timestamp() + interval '60 seconds')
           on conflict (id) do nothing`,
    values: [
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
    ],
  })
  return result.rowCount === 1
}
