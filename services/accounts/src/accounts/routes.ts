import type { PaymentProvider } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { enabledProvider, type Provider } from '@frontdesk/providers'
import { within } from '@frontdesk/service/background'
import type { InternalClient } from '@frontdesk/service/calls'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { InternalHandlers, OperationHandlers, OperationRequest } from '@frontdesk/service/http'
import type { AccountRow } from '../db.ts'
import { accountState, deleteAccount } from './domain.ts'
import { accountOfToken, addressOf, onboardingAddress } from './onboarding-link.ts'
import { change, confirmAccount, orProblem, refreshAccount, type AccountDeps } from './provider.ts'
import { findAccount, listAccounts, openAccount } from './store.ts'
import { fromRow, toWire } from './wire.ts'

export interface RouteDeps extends AccountDeps {
  ring: KeyRing
  publicUrl: string
  /** Calls to our other services. */
  internal: InternalClient
}

/** A client gets a stored state of this age at most; an older one is refreshed at the provider. */
const freshForMs = 60_000
/** Payments asks only when it is about to refuse: a state from before the customer's last click would be wrong. */
const freshForPaymentsMs = 5_000

/** The public operations of provider accounts. */
export function accountRoutes(
  deps: RouteDeps,
): OperationHandlers<'createAccount' | 'listAccounts' | 'getAccount' | 'deleteAccount'> {
  return {
    async createAccount(request) {
      const provider = enabledProvider(deps.providers, request.body.paymentProvider)
      const account = await openConfirmed(deps, provider, request)
      const session = await onboardingSession(deps, provider, account)
      const link = onboardingAddress(deps.ring, deps.publicUrl, account.id, new Date())
      const body = {
        account: toWire(account),
        onboardingSession: { session: session.session, expiresAt: session.expiresAt.toISOString() },
        onboardingLink: { url: link.url, expiresAt: link.expiresAt.toISOString() },
      }
      // A resumed request has the id of its first try, whose account is still new to the client.
      return { status: account.id === request.resourceId ? 201 : 200, body }
    },

    async listAccounts({ site }) {
      return { status: 200, body: (await listAccounts(deps.prisma, site.slug)).map(toWire) }
    },

    async getAccount({ params, site }) {
      const row = await knownAccount(deps, { id: params.AccountId, siteSlug: site.slug })
      return { status: 200, body: toWire(await upToDate(deps, row, freshForMs, 2_000)) }
    },

    async deleteAccount({ params, site, traceparent }) {
      const row = await knownAccount(deps, { id: params.AccountId, siteSlug: site.slug })
      const provider = enabledProvider(deps.providers, row.provider as PaymentProvider)
      const { open } = await deps.internal.call(
        'countOpenPayments',
        { SiteSlug: site.slug, Provider: provider.name },
        { traceparent },
      )
      if (open > 0) throw problem('account_has_open_payments', `${open} payments of this account are open.`)
      await orProblem(provider.deleteAccount(row.externalAccountId ?? ''))
      const closed = await change(deps, row.id, deleteAccount, { traceparent })
      return { status: 200, body: toWire(closed ?? row) }
    },
  }
}

export function internalAccountRoutes(deps: RouteDeps): InternalHandlers<'getAccountState' | 'mintOnboardingLink'> {
  return {
    /** Payments asks this before it refuses a payment because of the account. */
    async getAccountState({ params }) {
      const row = await knownAccount(deps, { siteSlug: params.SiteSlug, provider: params.Provider })
      return accountState(fromRow(await upToDate(deps, row, freshForPaymentsMs, 1_500)))
    },

    /** The gateway asks this at each visit to our onboarding address: every visit gets a new link of the provider. */
    async mintOnboardingLink({ params }) {
      const id = accountOfToken(deps.ring, params.Token, new Date())
      const account = id === undefined ? null : await findAccount(deps.prisma, { id })
      if (account === null) throw problem('onboarding_link_invalid')
      const provider = enabledProvider(deps.providers, account.provider as PaymentProvider)
      // A visitor whose link has expired at the provider comes back to us and gets the next one.
      const refreshUrl = addressOf(deps.publicUrl, params.Token)
      const urls = { refreshUrl, returnUrl: `${deps.publicUrl}/onboarding/done` }
      return { url: (await orProblem(provider.createAccountLink(account.externalAccountId ?? '', urls))).url }
    },
  }
}

async function knownAccount({ prisma }: RouteDeps, by: Parameters<typeof findAccount>[1]): Promise<AccountRow> {
  const row = await findAccount(prisma, by)
  if (row === null) throw problem('account_not_found')
  return row
}

/** Refreshes an account that was last checked `freshMs` ago or more. If that takes over `waitMs`, returns the stored one. */
async function upToDate(deps: RouteDeps, row: AccountRow, freshMs: number, waitMs: number): Promise<AccountRow> {
  const provider = deps.providers.get(row.provider as PaymentProvider)
  const isFresh = row.checkedAt !== null && Date.now() - row.checkedAt.getTime() < freshMs
  if (provider === undefined || isFresh || row.status === 'Rejected') return row
  return (await within(waitMs, refreshAccount(deps, provider, row))) ?? row
}

/** Opens the site's account, and has the provider confirm it. Our row is committed before the provider is called. */
async function openConfirmed(
  deps: RouteDeps,
  provider: Provider,
  { site, resourceId, traceparent }: OperationRequest<'createAccount'>,
): Promise<AccountRow> {
  const opened = await openAccount(deps.pool, { accountId: resourceId, site, provider: provider.name, traceparent })
  if (opened === undefined) throw problem('site_not_found')
  if (opened.externalAccountId !== null) return opened
  const confirmed = await orProblem(confirmAccount(deps, provider, opened, { traceparent }))
  if (confirmed === undefined || confirmed.deletedAt !== null) throw problem('site_not_found')
  return confirmed
}

async function onboardingSession(deps: RouteDeps, provider: Provider, account: AccountRow) {
  try {
    return await orProblem(provider.createAccountSession(account.externalAccountId ?? ''))
  } catch (error) {
    // The provider may have cut the account off: the record should say so before the client looks.
    await within(2_000, refreshAccount(deps, provider, account))
    throw error
  }
}
