import type { PaymentProvider } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'

/** Returns the provider's id of the newest account that can take payments; none if there is no such account. */
export async function findUsableAccount(db: Queryable, provider: PaymentProvider): Promise<string[]> {
  const result = await db.query<{ id: string }>(
    `select external_account_id as id from account_copies
      where provider = $1 and deleted_at is null and external_account_id is not null and status in ('Active', 'Restricted')
      order by created_at desc limit 1`,
    [provider],
  )
  return result.rows.map(({ id }) => id)
}
