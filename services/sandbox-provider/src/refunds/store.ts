import { camelRows, type Queryable } from '@frontdesk/database'
import type { Dispute, Refund } from '../db.ts'

/** A page of an account's refunds or disputes, newest first. Times are epoch seconds, as in Stripe's `created`. */
export interface ListQuery {
  accountId: string | null
  charge: string | undefined
  paymentIntent: string | undefined
  gt?: number | undefined
  gte?: number | undefined
  lt?: number | undefined
  lte?: number | undefined
  /** The row that ended the page before. */
  after: string | undefined
  limit: number
}

/** Returns the account's refunds that match, newest first. */
export async function listRefunds(db: Queryable, query: ListQuery): Promise<Refund[]> {
  return list<Refund>(db, 'refunds', query)
}

/** Returns the account's disputes that match, newest first. */
export async function listDisputes(db: Queryable, query: ListQuery): Promise<Dispute[]> {
  return list<Dispute>(db, 'disputes', query)
}

/** Finds a refund of the account. */
export async function findRefund(db: Queryable, accountId: string | null, id: string): Promise<Refund | undefined> {
  return find<Refund>(db, 'refunds', accountId, id)
}

/** Finds a dispute of the account. */
export async function findDispute(db: Queryable, accountId: string | null, id: string): Promise<Dispute | undefined> {
  return find<Dispute>(db, 'disputes', accountId, id)
}

async function find<Row>(
  db: Queryable,
  table: 'refunds' | 'disputes',
  accountId: string | null,
  id: string,
): Promise<Row | undefined> {
  const found = await db.query(`select * from ${table} where id = $1 and account_id is not distinct from $2`, [
    id,
    accountId,
  ])
  return camelRows<Row>(found)[0]
}

// The conditions are put together, because a parameter that may be null keeps Postgres from using an index.
async function list<Row>(db: Queryable, table: 'refunds' | 'disputes', query: ListQuery): Promise<Row[]> {
  const values: unknown[] = []
  const conditions: string[] = []
  const where = (value: unknown, condition: (parameter: string) => string) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`))
  }
  conditions.push(query.accountId === null ? 'account_id is null' : `account_id = $${values.push(query.accountId)}`)
  where(query.charge, (id) => `charge_id = ${id}`)
  where(query.paymentIntent, (id) => `payment_intent_id = ${id}`)
  const created = 'floor(extract(epoch from created_at))'
  where(query.gt, (time) => `${created} > ${time}`)
  where(query.gte, (time) => `${created} >= ${time}`)
  where(query.lt, (time) => `${created} < ${time}`)
  where(query.lte, (time) => `${created} <= ${time}`)
  where(
    query.after,
    (id) =>
      `(created_at, number, id) < (select last.created_at, last.number, last.id from ${table} last where last.id = ${id})`,
  )
  const found = await db.query(
    `select * from ${table} where ${conditions.join(' and ')}
     order by created_at desc, number desc, id desc limit $${values.push(query.limit)}`,
    values,
  )
  return camelRows<Row>(found)
}
