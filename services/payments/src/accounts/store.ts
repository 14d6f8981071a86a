import type { AccountState } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'

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
