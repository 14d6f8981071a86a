import type { PaymentProvider, PaymentProviderAccount } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { enabledProvider, type AccountOrder, type Provider } from '@frontdesk/providers'
import { within } from '@frontdesk/service/background'
import type { InternalClient } from '@frontdesk/service/calls'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { InternalHandlers, OperationHandlers, OperationRequest } from '@frontdesk/service/http'
import { onboardingAddress } from '../onboarding/link.ts'
import { accountState, deleteAccount } from './domain.ts'
import { change, confirmAccount, refreshAccount, toProblem, type AccountDeps } from './provider.ts'
import { findAccount, findAccountOfSite, fromRow, listAccounts, openAccount, type AccountRow } from './store.ts'

export interface RouteDeps extends AccountDeps {
  ring: KeyRing
  publicUrl: string
  /** Calls to our own services. */
  internal: InternalClient
}

type PublicIds = 'createAccount' | 'listAccounts' | 'getAccount' | 'deleteAccount'

/** A stored state is shown as it is for so long; after that the provider is asked. */
const freshForMs = 60_000
/** Payments asks only when it is about to refuse: an answer from before the customer's last click would be wrong. */
const freshForPaymentsMs = 5_000

/** The public operations of provider accounts. */
export function accountRoutes(deps: RouteDeps): OperationHandlers<PublicIds> {
  return {
    async createAccount(request) {
      const provider = enabledProvider(deps.providers, request.body.paymentProvider)
      const account = await openedAccount(deps, provider, request)
      const session = await onboardingSession(deps, provider, account)
      const link = onboardingAddress(deps.ring, deps.publicUrl, account.id, new Date())
      const body = {
        account: toWire(account),
        onboardingSession: { session: session.session, expiresAt: session.expiresAt.toISOString() },
        onboardingLink: { url: link.url, expiresAt: link.expiresAt.toISOString() },
      }
      // A resumed request has the id of its first try: what that one made is still new to the client.
      return account.id === request.resourceId ? { status: 201, body } : { status: 200, body }
    },

    async listAccounts({ site }) {
      return { status: 200, body: (await listAccounts(deps.prisma, site.slug)).map(toWire) }
    },

    async getAccount({ params, site }) {
      const row = await knownAccount(deps, site.slug, params.AccountId)
      return { status: 200, body: toWire(await brought(deps, row, freshForMs, 2_000)) }
    },

    async deleteAccount({ params, site, traceparent }) {
      const row = await knownAccount(deps, site.slug, params.AccountId)
      const provider = enabledProvider(deps.providers, row.provider as PaymentProvider)
      const { open } = await deps.internal.call(
        'countOpenPayments',
        { SiteSlug: site.slug, Provider: provider.name },
        { traceparent },
      )
      if (open > 0) throw problem('account_has_open_payments', `${open} payments of this account are open.`)
      await provider.deleteAccount(row.externalAccountId ?? '').catch((error: unknown) => {
        throw toProblem(error)
      })
      const closed = await change(deps, row.id, deleteAccount, { traceparent })
      return { status: 200, body: toWire(closed ?? row) }
    },
  }
}

/** What payments asks before it refuses for want of an account. */
export function accountStateRoute(deps: RouteDeps): InternalHandlers<'getAccountState'> {
  return {
    async getAccountState({ params }) {
      const row = await findAccountOfSite(deps.prisma, params.SiteSlug, params.Provider)
      if (row === null) throw problem('account_not_found')
      return accountState(fromRow(await brought(deps, row, freshForPaymentsMs, 1_500)))
    },
  }
}

async function knownAccount({ prisma }: RouteDeps, siteSlug: string, accountId: string): Promise<AccountRow> {
  const row = await findAccount(prisma, siteSlug, accountId)
  if (row === null) throw problem('account_not_found')
  return row
}

/** Brings an account up to date where that is quick; else the stored record is the answer. */
async function brought(deps: RouteDeps, row: AccountRow, freshMs: number, waitMs: number): Promise<AccountRow> {
  const provider = deps.providers.get(row.provider as PaymentProvider)
  const isFresh = row.checkedAt !== null && Date.now() - row.checkedAt.getTime() < freshMs
  if (provider === undefined || isFresh || row.status === 'Rejected') return row
  return (await within(waitMs, refreshAccount(deps, provider, row))) ?? row
}

/** The site's account at the provider, confirmed by it: our row is committed before the provider is asked. */
async function openedAccount(
  deps: RouteDeps,
  provider: Provider,
  request: OperationRequest<'createAccount'>,
): Promise<AccountRow> {
  const { site, resourceId, traceparent } = request
  const order: AccountOrder = {
    accountId: resourceId,
    siteSlug: site.slug,
    siteName: site.name,
    currency: site.currency,
  }
  const opened = await openAccount(deps.pool, {
    accountId: resourceId,
    site,
    provider: provider.name,
    order,
    traceparent,
  })
  if (opened === undefined) throw problem('site_not_found')
  if (opened.externalAccountId !== null) return opened
  const confirmed = await confirmAccount(deps, provider, opened, { traceparent }).catch((error: unknown) => {
    throw toProblem(error)
  })
  if (confirmed === undefined || confirmed.deletedAt !== null) throw problem('site_not_found')
  return confirmed
}

async function onboardingSession(deps: RouteDeps, provider: Provider, account: AccountRow) {
  try {
    return await provider.createAccountSession(account.externalAccountId ?? '')
  } catch (error) {
    // Cut off at the provider: the record should say so before the client looks.
    await within(2_000, refreshAccount(deps, provider, account))
    throw toProblem(error)
  }
}

/** An account as the interface shows it. */
export function toWire(row: AccountRow): PaymentProviderAccount {
  const account = fromRow(row)
  return {
    accountId: account.accountId,
    paymentProvider: account.provider,
    status: account.status,
    createdAt: account.createdAt.toISOString(),
    ...(account.externalAccountId === undefined ? {} : { externalAccountId: account.externalAccountId }),
  }
}
