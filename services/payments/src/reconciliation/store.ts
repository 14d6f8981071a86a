import type { PaymentProvider } from '@frontdesk/contracts'
import { camelRows, type Queryable } from '@frontdesk/database'
import { composeEvent, eventSiteOf, outboxInsert, outboxParameters } from '@frontdesk/events'
import type { PaymentDeps } from '../payment/deps.ts'
import type { Decision } from '../payment/domain.ts'
import { refundsParameter, refundsUpsert } from '../payment/refund-store.ts'
import { nextCheck } from '../payment/schedule.ts'
import { paymentColumns } from '../payment/store.ts'
import { lastingColumns, secretContext, toStoredNote, type PaymentRow } from '../payment/wire.ts'
import type { ListedAccount } from './domain.ts'

/** Returns the accounts that may have taken money since a time: all but those that were deleted before. */
export async function findAccounts(db: Queryable, since: Date): Promise<ListedAccount[]> {
  const result = await db.query<{
    provider: PaymentProvider
    provider_account_id: string
    site_slug: string
    is_deleted: boolean
  }>(
    `select provider, external_account_id as provider_account_id, site_slug, deleted_at is not null as is_deleted
       from account_copies where external_account_id is not null and coalesce(deleted_at > $1, true)
      order by account_id`,
    [since],
  )
  return camelRows<ListedAccount>(result)
}

/** Returns the payments that these checkouts name, by id or by checkout. */
export async function findListedPayments(
  db: Queryable,
  recordIds: readonly string[],
  checkoutIds: readonly string[],
): Promise<PaymentRow[]> {
  const result = await db.query(
    `select ${paymentColumns} from payments where id = any($1::uuid[])
     union all
     select ${paymentColumns} from payments where payment_id = any($2) and not id = any($1::uuid[])`,
    [recordIds, checkoutIds],
  )
  return camelRows<PaymentRow>(result)
}

/**
 * Inserts a restored payment with its events, in one statement. It has no stored provider request: its checkout exists, so
 * nothing is ever sent again. Returns false if the payment exists.
 */
export async function insertRestored(
  { pool, origin, ring, schedule }: PaymentDeps,
  { next, history, events }: Decision,
  now: Date,
): Promise<boolean> {
  const outgoing = events.map((event, index) =>
    composeEvent(origin, {
      ...event,
      aggregate: { type: 'payment', id: next.recordId, version: index + 1 },
      time: now,
      site: eventSiteOf(next.site),
    }),
  )
  const values = {
    ...lastingColumns(next),
    provider_request: {},
    tip_amount: next.tipAmount,
    amount_refunded: next.amountRefunded,
    paid_amount: next.paidAmount,
    paid_currency: next.paidCurrency,
    dispute: next.dispute,
    status: next.status,
    version: next.version,
    event_count: outgoing.length,
    outcome: next.outcome,
    history: JSON.stringify(history.map(toStoredNote)),
    payment_id: next.paymentId,
    payment_intent_id: next.paymentIntentId,
    charge_id: next.chargeId,
    decline_code: next.declineCode,
    checkout_url: next.checkoutUrl,
    client_secret:
      next.clientSecret === undefined ? null : ring.encrypt(next.clientSecret, secretContext(next.recordId)),
    expires_at: next.expiresAt,
    changed_at: now,
    next_check_at: nextCheck(next, now, schedule),
  }
  const names = Object.keys(values)
  const result = await pool.query(
    `with saved as (
       insert into payments (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})
       on conflict (id) do nothing returning id),
     sent as (${outboxInsert(names.length + 1, 'saved')}),
     refunded as (${refundsUpsert(names.length + 9, 'saved')})
     select id from saved`,
    [...Object.values(values), ...outboxParameters(outgoing), refundsParameter(next, next.refunds, now)],
  )
  return result.rowCount === 1
}
