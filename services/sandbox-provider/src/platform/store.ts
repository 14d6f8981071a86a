import { camelRows, type Queryable } from '@frontdesk/database'
import type { Charge } from '../db.ts'

/** The fee that the platform took of a charge. Amounts are in the smallest unit of the currency. */
export type ApplicationFee = Pick<Charge, 'id' | 'accountId' | 'currency' | 'amount' | 'createdAt'> & {
  returned: number
}

/** Returns a page of the platform's fees, newest first; `id` is that of the charge. */
export async function listFees(
  db: Queryable,
  query: { charge: string | undefined; after: string | undefined; limit: number },
): Promise<ApplicationFee[]> {
  return camelRows<ApplicationFee>(
    await db.query(
      `select c.id, c.account_id, c.currency, c.application_fee_amount as amount, c.created_at,
              coalesce((select sum(r.fee_returned) from refunds r where r.charge_id = c.id and r.status <> 'failed'), 0)::int as returned
         from charges c
        where c.account_id is not null and c.status = 'succeeded' and c.application_fee_amount > 0
          and ($1::text is null or c.id = $1)
          and ($2::text is null or (c.created_at, c.id) < (select created_at, id from charges where id = $2))
        order by c.created_at desc, c.id desc limit $3`,
      [query.charge, query.after, query.limit],
    ),
  )
}
