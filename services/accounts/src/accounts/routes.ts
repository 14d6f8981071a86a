import type { PaymentProvider } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { enabledProvider, isProviderError, providerProblem, type Provider } from '@frontdesk/providers'
import { within } from '@frontdesk/service/background'
import { createAct, insertAuditEntry } from '@frontdesk/service/audit'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { InternalHandlers, OperationHandlers, OperationRequest } from '@frontdesk/service/http'
import type { AccountRow } from '../db.ts'
import { accountState, deleteAccount, hasNothingToDo, isCutOff, makeRoom } from './domain.ts'
import {
  addressOf,
  checkReturnUrl,
  endAddressOf,
  onboardingAddress,
  readToken,
  type Onboarding,
} from './onboarding-link.ts'
import { change, confirmAccount, countOpenPayments, orProblem, refreshAccount, type AccountDeps } from './provider.ts'
import { findAccount, listAccounts, openAccount } from './store.ts'
import { fromRow, toWire } from './wire.ts'

export interface RouteDeps extends AccountDeps {
  ring: KeyRing
  publicUrl: string
  /** Whether a practice may be sent back to an http address; otherwise https only. */
  allowHttp: boolean
}

/** A client gets a stored state of this age at most; an older one is refreshed at the provider. */
const freshForMs = 60_000
/** Payments asks only when it is about to refuse: a state from before the customer's last click would be wrong. */
const freshForPaymentsMs = 5_000
/** A person comes from the provider's page a moment after the last click there. */
const freshForVisitorsMs = 1_000

/** The public operations of provider accounts. */
export function accountRoutes(
  deps: RouteDeps,
): OperationHandlers<'createAccount' | 'listAccounts' | 'getAccount' | 'deleteAccount'> {
  return {
    async createAccount(request) {
      const provider = enabledProvider(deps.providers, request.body.paymentProvider)
      const { returnUrl } = request.body
      checkReturnUrl(returnUrl, deps)
      const { account, session } = await openWithSession(deps, provider, request)
      const link = onboardingAddress(deps.ring, deps.publicUrl, { accountId: account.id, returnUrl }, new Date())
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

    async deleteAccount({ params, site, traceparent, act }) {
      act.about(`account:${params.AccountId}`)
      const known = await knownAccount(deps, { id: params.AccountId, siteSlug: site.slug })
      const provider = enabledProvider(deps.providers, known.provider as PaymentProvider)
      const row = await deletable(deps, known, traceparent)
      if (!isCutOff(fromRow(row))) await orProblem(provider.deleteAccount(row.externalAccountId ?? ''))
      const closed = await change(deps, row.id, deleteAccount, { traceparent, act })
      return { status: 200, body: toWire(closed ?? row) }
    },
  }
}

export function internalAccountRoutes(
  deps: RouteDeps,
): InternalHandlers<'getAccountState' | 'mintOnboardingLink' | 'getOnboarding'> {
  return {
    /** Payments asks this before it refuses a payment because of the account. */
    async getAccountState({ params }) {
      const row = await knownAccount(deps, { siteSlug: params.SiteSlug, provider: params.Provider })
      return accountState(fromRow(await upToDate(deps, row, freshForPaymentsMs, 1_500)))
    },

    /**
     * The gateway asks this at each visit to our onboarding address: every visit gets a new link of the provider, as long as there is
     * something to do.
     */
    async mintOnboardingLink({ params, headers, traceId }) {
      const { account } = await onboardingOf(deps, params.Token)
      if (hasNothingToDo(fromRow(account))) return { url: endAddressOf(deps.publicUrl, params.Token) }
      const provider = enabledProvider(deps.providers, account.provider as PaymentProvider)
      // A visitor whose link has expired at the provider comes back to us and gets the next one.
      const refreshUrl = addressOf(deps.publicUrl, params.Token)
      const urls = { refreshUrl, returnUrl: endAddressOf(deps.publicUrl, params.Token) }
      const { url } = await orProblem(provider.createAccountLink(account.externalAccountId ?? '', urls))
      const site = { slug: account.siteSlug, owningOrganisation: account.organisationSlug }
      const act = createAct({ operation: 'mintOnboardingLink', principal: { id: 'visitor' }, site, headers, traceId })
      act.about(`account:${account.id}`)
      await insertAuditEntry(deps.pool, act.entry('Succeeded'))
      return { url }
    },

    /** The gateway asks this for our page after onboarding. A provider does not tell us how a person left it. */
    async getOnboarding({ params }) {
      const { account, onboarding } = await onboardingOf(deps, params.Token)
      const { siteSlug, status } = fromRow(account)
      return { siteSlug, status, ...(onboarding.returnUrl === undefined ? {} : { returnUrl: onboarding.returnUrl }) }
    },
  }
}

/** Returns the account of an onboarding token in the provider's newest state. Throws `onboarding_link_invalid`. */
async function onboardingOf(deps: RouteDeps, token: string): Promise<{ account: AccountRow; onboarding: Onboarding }> {
  const onboarding = readToken(deps.ring, token, new Date())
  const row = onboarding === undefined ? null : await findAccount(deps.prisma, { id: onboarding.accountId })
  if (onboarding === undefined || row === null) throw problem('onboarding_link_invalid')
  return { account: await upToDate(deps, row, freshForVisitorsMs, 1_500), onboarding }
}

async function knownAccount({ prisma }: RouteDeps, by: Parameters<typeof findAccount>[1]): Promise<AccountRow> {
  const row = await findAccount(prisma, by)
  if (row === null) throw problem('account_not_found')
  return row
}

/**
 * Returns an account that may be deleted. One that has revoked our access may: its payments keep its id, and there is nothing
 * to delete at the provider. Throws `account_has_open_payments`.
 */
async function deletable(deps: RouteDeps, known: AccountRow, traceparent: string): Promise<AccountRow> {
  if (isCutOff(fromRow(known))) return known
  const open = await countOpenPayments(deps, known, traceparent)
  if (open === 0) return known
  // It may have revoked our access a moment ago.
  const provider = enabledProvider(deps.providers, known.provider as PaymentProvider)
  const row = (await within(1_500, refreshAccount(deps, provider, known))) ?? known
  if (isCutOff(fromRow(row))) return row
  throw problem('account_has_open_payments', `${open} payments of this account are open.`)
}

/** Refreshes an account that was last checked `freshMs` ago or more. If that takes over `waitMs`, returns the stored one. */
async function upToDate(deps: RouteDeps, row: AccountRow, freshMs: number, waitMs: number): Promise<AccountRow> {
  const provider = deps.providers.get(row.provider as PaymentProvider)
  const isFresh = row.checkedAt !== null && deps.now().getTime() - row.checkedAt.getTime() < freshMs
  if (provider === undefined || isFresh || row.status === 'Rejected') return row
  return (await within(waitMs, refreshAccount(deps, provider, row))) ?? row
}

/**
 * Opens the site's account, and has the provider confirm it. Our row is committed before the provider is called. An account
 * that has revoked our access is closed, and another one opened.
 */
async function openConfirmed(
  deps: RouteDeps,
  provider: Provider,
  { site, resourceId, traceparent, act }: OperationRequest<'createAccount'>,
): Promise<AccountRow> {
  const open = async () => {
    const row = await openAccount(deps.pool, { accountId: resourceId, site, provider, traceparent, act })
    if (row === undefined) throw problem('site_not_found')
    return row
  }
  let opened = await open()
  while (isCutOff(fromRow(opened))) {
    // It may have granted access again.
    await orProblem(refreshAccount(deps, provider, opened, { traceparent }))
    await change(deps, opened.id, makeRoom, { traceparent })
    opened = await open()
  }
  if (opened.externalAccountId !== null) return opened
  const confirmed = await orProblem(confirmAccount(deps, provider, opened, { traceparent }))
  if (confirmed === undefined || confirmed.deletedAt !== null) throw problem('site_not_found')
  return confirmed
}

/** Returns the site's account and a session of its onboarding. An account that proves to have revoked our access is replaced. */
async function openWithSession(deps: RouteDeps, provider: Provider, request: OperationRequest<'createAccount'>) {
  const sessionOf = (account: AccountRow) => provider.createAccountSession(account.externalAccountId ?? '')
  const account = await openConfirmed(deps, provider, request)
  try {
    return { account, session: await sessionOf(account) }
  } catch (error) {
    if (!isProviderError(error)) throw error
    // The provider may have cut the account off: the record should say so before the client looks.
    const refreshed = await within(2_000, refreshAccount(deps, provider, account))
    // Without its answer nobody knows what the refusal is about: a final 422 would keep a practice out that may come back.
    if (refreshed === undefined) throw problem('provider_unavailable', { retryAfter: 1, cause: error })
    if (!isCutOff(fromRow(refreshed))) throw providerProblem(error)
    const next = await openConfirmed(deps, provider, request)
    return { account: next, session: await orProblem(sessionOf(next)) }
  }
}
