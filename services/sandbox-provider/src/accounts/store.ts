import { firstRow, type Pool, type Queryable, transaction } from '@frontdesk/database'
import { type Account, type AccountLink, type AccountSession, insert, rowJson, type WebhookEvent } from '../db.ts'
import { type EventDraft, storeEvents, type Webhooks } from '../webhooks/store.ts'
import type { AccountChange } from './domain.ts'
import { accountToWire } from './wire.ts'

/** Finds an account that was not deleted, whether or not the platform may still act on it. */
export async function findAccount(db: Queryable, id: string): Promise<Account | undefined> {
  const found = await db.query({
    name: 'find-account',
    text: 'select * from accounts where id = $1 and deleted_at is null',
    values: [id],
  })
  return firstRow<Account>(found)
}

/** Finds an account as `findAccount` does, and locks it until the transaction ends. */
export async function lockAccount(tx: Queryable, id: string): Promise<Account | undefined> {
  return firstRow<Account>(
    await tx.query('select * from accounts where id = $1 and deleted_at is null for update', [id]),
  )
}

/**
 * Changes an account by a rule and stores the events of the change in the same transaction.
 *
 * @returns undefined if there is no such account
 * @throws what the rule throws
 */
export async function updateAccount(
  pool: Pool,
  webhooks: Webhooks,
  id: string,
  now: Date,
  decide: (account: Account) => AccountChange,
): Promise<Account | undefined> {
  let stored: WebhookEvent[] = []
  const account = await transaction(pool, async (tx) => {
    const present = await lockAccount(tx, id)
    if (present === undefined) return undefined
    const { next, events } = decide(present)
    stored = await saveAccount(tx, webhooks, next, events, now)
    return next
  })
  webhooks.send(stored)
  return account
}

/** Saves a locked account and the events of its change. The caller sends the events after the commit. */
export async function saveAccount(
  tx: Queryable,
  webhooks: Webhooks,
  account: Account,
  events: AccountChange['events'],
  now: Date,
): Promise<WebhookEvent[]> {
  await tx.query(
    `update accounts set standing = next.standing, email = next.email,
       default_currency = next.default_currency, business_type = next.business_type,
       business_name = next.business_name, business_url = next.business_url, support_phone = next.support_phone,
       support_email = next.support_email, product_description = next.product_description,
       merchant_category = next.merchant_category, statement_descriptor = next.statement_descriptor,
       statement_descriptor_prefix = next.statement_descriptor_prefix, capabilities = next.capabilities,
       metadata = next.metadata, deauthorized_at = next.deauthorized_at
     from jsonb_populate_record(null::accounts, $1::jsonb) as next where accounts.id = next.id`,
    [rowJson(account)],
  )
  return storeEvents(
    tx,
    webhooks,
    events.map((type) => accountEvent(type, account)),
    now,
  )
}

export async function insertAccount(tx: Queryable, account: Account): Promise<void> {
  await insert(tx, 'accounts', account)
}

export async function deleteAccount(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query('update accounts set deleted_at = $2 where id = $1 and deleted_at is null', [id, now])
}

export async function insertAccountSession(tx: Queryable, session: AccountSession): Promise<void> {
  await insert(tx, 'account_sessions', session)
}

export async function insertLink(tx: Queryable, link: AccountLink): Promise<void> {
  await insert(tx, 'account_links', link)
}

export async function findLink(db: Queryable, token: string): Promise<AccountLink | undefined> {
  return firstRow<AccountLink>(await db.query('select * from account_links where token = $1', [token]))
}

/** Finds the link that opened a setup. */
export async function findSetup(db: Queryable, setupToken: string): Promise<AccountLink | undefined> {
  return firstRow<AccountLink>(await db.query('select * from account_links where setup_token = $1', [setupToken]))
}

/**
 * Marks a link as used and begins its setup, which has its own token.
 *
 * @returns false if the link was used before or has expired
 */
export async function useLink(
  db: Queryable,
  token: string,
  setup: { token: string; expiresAt: Date },
  now: Date,
): Promise<boolean> {
  const used = await db.query(
    `update account_links set used_at = $2, setup_token = $3, setup_expires_at = $4
     where token = $1 and used_at is null and expires_at > $2 returning token`,
    [token, now, setup.token, setup.expiresAt],
  )
  return used.rows.length === 1
}

/** An amount in the smallest unit of its currency. */
export interface Money {
  currency: string
  amount: number
}

// Money is withdrawn from an account when a charge is disputed, and comes back when the dispute is won.
const entriesOfAccount = `
  select c.currency, c.amount - coalesce(c.application_fee_amount, 0) - c.amount_refunded as amount
    from charges c where c.account_id = $1 and c.status = 'succeeded'
  union all
  select r.currency, r.fee_returned from refunds r where r.account_id = $1 and r.status <> 'failed'
  union all
  select d.currency, -d.amount from disputes d where d.account_id = $1 and d.status <> 'won'`

const earnedByAccount = `select currency, sum(amount) as amount from (${entriesOfAccount}) as entry group by currency`

/** Returns what an account has earned and was not paid out, by currency. A negative balance is what it owes. */
export async function balanceOf(db: Queryable, accountId: string): Promise<Money[]> {
  const found = await db.query<{ currency: string; amount: string }>(
    `select earned.currency, earned.amount - coalesce((account.paid_out ->> earned.currency)::bigint, 0) as amount
       from (${earnedByAccount}) as earned, accounts account
      where account.id = $1 order by earned.currency`,
    [accountId],
  )
  return found.rows.map(({ currency, amount }) => ({ currency, amount: Number(amount) }))
}

/** Returns the fees that the platform has kept, by currency. */
export async function platformBalance(db: Queryable): Promise<Money[]> {
  const found = await db.query<{ currency: string; amount: string }>(
    `select currency, sum(amount) as amount from (
       select currency, application_fee_amount as amount from charges
        where account_id is not null and status = 'succeeded' and application_fee_amount is not null
       union all
       select currency, -fee_returned from refunds where account_id is not null and status <> 'failed') as entry
     group by currency order by currency`,
  )
  return found.rows.map(({ currency, amount }) => ({ currency, amount: Number(amount) }))
}

/** Pays out the whole balance of an account, and takes what it owes from its bank. Returns false if there is no account. */
export async function payOut(db: Queryable, accountId: string): Promise<boolean> {
  const paid = await db.query(
    `update accounts
        set paid_out = paid_out || coalesce((select jsonb_object_agg(currency, amount) from (${earnedByAccount}) as earned), '{}')
      where id = $1 and deleted_at is null returning id`,
    [accountId],
  )
  return paid.rows.length === 1
}

function accountEvent(type: AccountChange['events'][number], account: Account): EventDraft {
  const object =
    type === 'account.updated'
      ? accountToWire(account)
      : { id: 'ca_sandbox', object: 'application', name: 'Frontdesk sandbox platform' }
  return { type, accountId: account.id, object }
}
