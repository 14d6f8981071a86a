import type { Pool } from '@frontdesk/database'
import type { Account } from '../db.ts'
import { newId } from '../ids.ts'
import type { Webhooks } from '../webhooks/store.ts'
import { type AccountCommand, decideAccount } from './domain.ts'
import { findAccount, findLink, findSetup, payOut, updateAccount, useLink } from './store.ts'

/** The details that a practice enters or confirms during onboarding. */
export interface PracticeDetails {
  businessName: string
  supportPhone: string | null
  businessUrl: string | null
}

/** An onboarding in progress, begun by opening a link. */
export interface Setup {
  account: Account
  returnUrl: string
  refreshUrl: string
  /** false after half an hour: the practice then needs a new link */
  alive: boolean
}

/** The operations on accounts that the pages and the control API share. */
export interface Accounts {
  find: (accountId: string) => Promise<Account | undefined>
  /**
   * Applies a command to an account. Its event is stored when this returns.
   *
   * @param details the details that the practice confirmed with the command
   * @returns undefined if there is no such account
   * @throws ImpossibleAccount
   */
  act: (accountId: string, command: AccountCommand, details?: PracticeDetails) => Promise<Account | undefined>
  /** Pays out the whole balance of an account. Returns false if there is no such account. */
  payOut: (accountId: string) => Promise<boolean>
  /**
   * Opens a link, which works once.
   *
   * @returns the token of the setup; the address for a new link if this one was used or has expired; undefined if there
   *   is no such link
   */
  openLink: (token: string) => Promise<{ setupToken: string } | { refreshUrl: string } | undefined>
  findSetup: (setupToken: string) => Promise<Setup | undefined>
}

export interface AccountsDeps {
  pool: Pool
  webhooks: Webhooks
  now: () => Date
}

const setupMinutes = 30

export function createAccounts({ pool, webhooks, now }: AccountsDeps): Accounts {
  return {
    find: (accountId) => findAccount(pool, accountId),
    act(accountId, command, details) {
      const at = now()
      return updateAccount(pool, webhooks, accountId, at, (account) =>
        decideAccount({ ...account, ...details }, command, at),
      )
    },
    payOut: (accountId) => payOut(pool, accountId),
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
