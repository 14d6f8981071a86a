import type { RefundStatus } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'
import type { Payment, Refund } from './domain.ts'
import type { OpenOnes } from './metrics.ts'
import { refundColumns } from './refund-wire.ts'

/**
 * Returns SQL, to be embedded in the statement that saves a payment, that inserts or updates refunds of it. It takes the
 * parameter `$parameter` of `refundsParameter`. Nothing is saved unless the common table expression `basis` has the payment.
 */
export function refundsUpsert(parameter: number, basis: string): string {
  const names = columns.map(([name]) => name)
  return `
    insert into refunds (${names.join(', ')})
    select refund.* from ${basis}, json_to_recordset($${parameter}::json) as refund (${columns.map((each) => each.join(' ')).join(', ')})
    on conflict (record_id, id) do update set
      provider_refund_id = excluded.provider_refund_id, amount = excluded.amount, currency = excluded.currency,
      status = excluded.status, failure_reason = excluded.failure_reason, listed = excluded.listed,
      outcome = excluded.outcome, changed_at = excluded.changed_at`
}

export const refundsParameter = (payment: Payment, refunds: readonly Refund[], now: Date): string =>
  JSON.stringify(refunds.map((refund) => refundColumns(payment, refund, now)))

const columns = [
  ['record_id', 'uuid'],
  ['id', 'uuid'],
  ['provider', 'text'],
  ['provider_refund_id', 'text'],
  ['amount', 'bigint'],
  ['currency', 'text'],
  ['status', 'text'],
  ['reason', 'text'],
  ['reference', 'text'],
  ['failure_reason', 'text'],
  ['listed', 'boolean'],
  ['outcome', 'text'],
  ['provider_request', 'json'],
  ['created_at', 'timestamptz'],
  ['changed_at', 'timestamptz'],
] as const satisfies readonly (readonly [keyof ReturnType<typeof refundColumns>, string])[]

/** Returns how many refunds each status that is not an end has, and how long ago the longest waiting one last changed. */
export async function findOpenRefunds(db: Queryable): Promise<Map<RefundStatus, OpenOnes>> {
  const { rows } = await db.query<{ status: RefundStatus } & OpenOnes>(
    `select status, count(*)::float8 as count, extract(epoch from now() - min(changed_at))::float8 as seconds
       from refunds where status in ('Created', 'Pending') group by status`,
  )
  return new Map(rows.map(({ status, ...open }) => [status, open]))
}
