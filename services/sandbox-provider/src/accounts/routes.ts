import { type Pool, type Queryable, transaction } from '@frontdesk/database'
import { accountInvalid, invalidRequest } from '../api/errors.ts'
import { type Api, type ApiCall, ok } from '../api/gate.ts'
import type { ApiReply } from '../api/idempotency.ts'
import { decodeParameters } from '../api/parameters.ts'
import { storeReply } from '../api/store.ts'
import type { Account, AccountLink, AccountSession, WebhookEvent } from '../db.ts'
import { newId } from '../ids.ts'
import type { Webhooks } from '../webhooks/store.ts'
import { changedAccount, newAccount } from './new-account.ts'
import {
  accountChanges,
  accountLinkParameters,
  accountParameters,
  accountSessionParameters,
  noParameters,
} from './parameters.ts'
import {
  balanceOf,
  deleteAccount,
  findAccount,
  insertAccount,
  insertAccountSession,
  insertLink,
  lockAccount,
  saveAccount,
} from './store.ts'
import { accountSessionToWire, accountToWire, seconds } from './wire.ts'

export interface AccountRoutesDeps {
  pool: Pool
  webhooks: Webhooks
  /** base URL of the pages */
  baseUrl: () => string
  /** whether accounts are deleted as in live mode */
  deletionNeedsZeroBalance: () => boolean
}

const sessionMinutes = 60
const linkMinutes = 5

/** The operations on accounts, account sessions and account links. */
export function accountRoutes(
  api: Api,
  { pool, webhooks, baseUrl, deletionNeedsZeroBalance }: AccountRoutesDeps,
): void {
  api.post('/accounts', async (call) => {
    const account = newAccount(decodeParameters(accountParameters, call.form), call.now, newId('acct_1', 16))
    return stored(pool, call, ok(accountToWire(account)), (tx) => insertAccount(tx, account))
  })

  api.get('/accounts/:id', async (call) => {
    decodeParameters(noParameters, call.form)
    return ok(accountToWire(await reachableAccount(pool, call.path['id'] ?? '')))
  })

  api.post('/accounts/:id', async (call) => {
    const changes = decodeParameters(accountChanges, call.form)
    let events: WebhookEvent[] = []
    const reply = await transaction(pool, async (tx) => {
      const id = call.path['id'] ?? ''
      const account = changedAccount(reachable(await lockAccount(tx, id), id), changes)
      events = await saveAccount(tx, webhooks, account, ['account.updated'], call.now)
      const updated = ok(accountToWire(account))
      await storeReply(tx, call.keyed, updated)
      return updated
    })
    webhooks.send(events)
    return reply
  })

  // In test mode, Stripe deletes an account whatever its balance is; in live mode, only one that neither has nor owes money.
  api.delete('/accounts/:id', async (call) => {
    const account = await reachableAccount(pool, call.path['id'] ?? '')
    if (deletionNeedsZeroBalance() && (await balanceOf(pool, account.id)).some(({ amount }) => amount !== 0)) {
      throw invalidRequest(`The account ${account.id} cannot be deleted: its balance must be zero.`)
    }
    await deleteAccount(pool, account.id, call.now)
    return ok({ id: account.id, object: 'account', deleted: true })
  })

  api.post('/account_sessions', async (call) => {
    const params = decodeParameters(accountSessionParameters, call.form)
    const account = await namedAccount(pool, params.account)
    const session: AccountSession = {
      clientSecret: newId('accs_secret__', 40),
      accountId: account.id,
      components: Object.fromEntries(
        Object.entries(params.components).flatMap(([name, component]) =>
          component === undefined ? [] : [[name, { enabled: component.enabled, features: component.features ?? {} }]],
        ),
      ),
      createdAt: call.now,
      expiresAt: minutesLater(call.now, sessionMinutes),
    }
    return stored(pool, call, ok(accountSessionToWire(session)), (tx) => insertAccountSession(tx, session))
  })

  api.post('/account_links', async (call) => {
    const params = decodeParameters(accountLinkParameters, call.form)
    const account = await namedAccount(pool, params.account)
    if (params.type === 'account_update' && account.controller.requirementCollection === 'stripe') {
      throw invalidRequest(
        'You cannot create `account_update` type Account Links for this account: Stripe collects its requirements. ' +
          'Use `account_onboarding`.',
        'type',
      )
    }
    const link: AccountLink = {
      token: newId('', 32),
      accountId: account.id,
      refreshUrl: params.refresh_url,
      returnUrl: params.return_url,
      createdAt: call.now,
      expiresAt: minutesLater(call.now, linkMinutes),
      usedAt: null,
      setupToken: null,
      setupExpiresAt: null,
    }
    const reply = ok({
      object: 'account_link',
      created: seconds(link.createdAt),
      expires_at: seconds(link.expiresAt),
      url: `${baseUrl()}/o/${link.token}`,
    })
    return stored(pool, call, reply, (tx) => insertLink(tx, link))
  })
}

/** Commits an effect together with the reply to replay for its key. */
async function stored(
  pool: Pool,
  call: ApiCall,
  reply: ApiReply,
  effect: (tx: Queryable) => Promise<void>,
): Promise<ApiReply> {
  await transaction(pool, async (tx) => {
    await effect(tx)
    await storeReply(tx, call.keyed, reply)
  })
  return reply
}

/** Returns the account in a path. Throws Stripe's 403, which does not say why, if the platform cannot reach it. */
async function reachableAccount(pool: Pool, id: string): Promise<Account> {
  return reachable(await findAccount(pool, id), id)
}

function reachable(account: Account | undefined, id: string): Account {
  if (account === undefined || account.deauthorizedAt !== null) throw accountInvalid(id)
  return account
}

/** Returns the account that a parameter names. */
async function namedAccount(pool: Pool, id: string): Promise<Account> {
  const account = await findAccount(pool, id)
  if (account === undefined || account.deauthorizedAt !== null) {
    throw invalidRequest(`No such account: '${id}'`, 'account', 'resource_missing')
  }
  return account
}

function minutesLater(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * 60_000)
}
