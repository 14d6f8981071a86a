import type { Pool } from '@frontdesk/database'
import type { Account } from '../db.ts'
import { newId } from '../ids.ts'
import type { Webhooks } from '../webhooks/store.ts'
import { type AccountCommand, decideAccount } from './domain.ts'
import { findAccount, findLink, findSetup, updateAccount, useLink } from './store.ts'

/** What the practice enters or confirms while it is onboarded. */
export interface PracticeDetails {
  businessName: string
  supportPhone: string | null
  businessUrl: string | null
}

/** A setup in progress, behind a link that was opened. */
export interface Setup {
  account: Account
  returnUrl: string
  refreshUrl: string
  /** false when half an hour is over: the practice needs a new link */
  alive: boolean
}

/** What can be done to accounts: the pages and the control API call the same functions. */
export interface Accounts {
  find: (accountId: string) => Promise<Account | undefined>
  /**
   * Does something to an account; its event is stored when this returns.
   *
   * @param details what the practice confirmed along with it
   * @returns undefined where there is no such account
   * @throws ImpossibleAccount
   */
  act: (accountId: string, command: AccountCommand, details?: PracticeDetails) => Promise<Account | undefined>
  /**
   * Opens a link, which uses it up.
   *
   * @returns the token of the setup, or where to get a new link (used before, run out); undefined for no link at all
   */
  openLink: (token: string) => Promise<{ setupToken: string } | { refreshUrl: string } | undefined>
  findSetup: (setupToken: string) => Promise<Setup | undefined>
}

export interface AccountsOptions {
  pool: Pool
  webhooks: Webhooks
  now: () => Date
}

const setupMinutes = 30

export function createAccounts({ pool, webhooks, now }: AccountsOptions): Accounts {
  return {
    find: (accountId) => findAccount(pool, accountId),
    act(accountId, command, details) {
      const at = now()
      return updateAccount(pool, webhooks, accountId, at, (account) =>
        decideAccount({ ...account, ...details }, command, at),
      )
    },
    async openLink(token) {
      const at = now()
      const setup = { token: newId('', 32), expiresAt: new Date(at.getTime() + setupMinutes * 60_000) }
      if (await useLink(pool, token, setup, at)) return { setupToken: setup.token }
      const link = await findLink(pool, token)
      return link === undefined ? undefined : { refreshUrl: link.refreshUrl }
    },
    async findSetup(setupToken) {
      const link = await findSetup(pool, setupToken)
      const account = link === undefined ? undefined : await findAccount(pool, link.accountId)
      if (link === undefined || account === undefined) return undefined
      const alive = link.setupExpiresAt !== null && link.setupExpiresAt > now() && account.deauthorizedAt === null
      return { account, returnUrl: link.returnUrl, refreshUrl: link.refreshUrl, alive }
    },
  }
}
