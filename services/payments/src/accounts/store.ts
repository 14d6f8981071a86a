import type { AccountState, PaymentProvider } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'
import { openStatuses } from '../payment/domain.ts'

/** Stores the state of an account as the accounts service tells it. A state that is older than the stored one changes nothing. */
export async function saveAccountCopy(db: Queryable, state: AccountState): Promise<void> {
  await db.query({
    name: 'account-copy-save',
    text: `insert into account_copies (account_id, site_slug, provider, status, external_account_id,
             statement_descriptor_prefix, version, created_at, deleted_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           on conflict (account_id) do update set
             status = excluded.status, external_account_id = excluded.external_account_id,
             statement_descriptor_prefix = excluded.statement_descriptor_prefix, version = excluded.version,
             deleted_at = excluded.deleted_at
           where account_copies.version < excluded.version`,
    values: [
      state.accountId,
      state.siteSlug,
      state.paymentProvider,
      state.status,
      state.externalAccountId,
      state.statementDescriptorPrefix,
      state.version,
      state.createdAt,
      state.deletedAt,
    ],
  })
}

/**
 * Makes the open payments of an account that cannot charge due for a check now: if it has revoked our access, they are known
 * at once to be out of reach.
 */
export async function checkOpenPayments(db: Queryable, { siteSlug, externalAccountId }: AccountState): Promise<void> {
  await db.query({
    name: 'account-payments-due',
    text: `update payments set next_check_at = now()
            where site_slug = $1 and provider_account_id = $2 and status = any($3) and status <> 'Created'
              and next_check_at is not null`,
    values: [siteSlug, externalAccountId, openStatuses],
  })
}

/**
 * Returns how many payments of a site keep its account at that provider from being deleted: those that are open, disputed, or
 * have a refund under way. One that the provider does not tell about any more keeps nothing.
 */
export async function countOpenPayments(db: Queryable, siteSlug: string, provider: PaymentProvider): Promise<number> {
  const result = await db.query<{ open: number }>({
    name: 'payments-open',
    text: `select count(*)::int as open from payments
            where site_slug = $1 and provider = $2 and unreachable_since is null
              and ((status = any($3) and listed) or status = 'Disputed'
                   or id = any(array(select record_id from refunds where status in ('Created', 'Pending'))))`,
    values: [siteSlug, provider, openStatuses],
  })
  return result.rows[0]?.open ?? 0
}
