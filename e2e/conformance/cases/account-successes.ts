import { deepStrictEqual as same, notStrictEqual as differs, ok } from 'node:assert/strict'
import type { CaseGroup } from '../case.ts'
import { isProblem, isSuccess } from '../check.ts'
import { openOnboardedSite, openSite, paymentBody, provider } from '../practice.ts'

interface Onboarding {
  account: { accountId: string; paymentProvider: string; status: string; createdAt: string }
  onboardingSession: { session: string; expiresAt: string }
  onboardingLink: { url: string; expiresAt: string }
}

export const accountSuccesses: CaseGroup = {
  title: 'provider accounts: successes',
  cases: [
    {
      title: 'A new site has no accounts and no payments',
      shows: ['listAccounts success', 'listPayments success'],
      async run(system) {
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        same(isSuccess(await system.call('listAccounts', { params }), 'listAccounts', 200), [])
        same(isSuccess(await system.call('listPayments', { params }), 'listPayments', 200), { Items: [] })
      },
    },
    {
      title:
        'A site has one account per provider: creating it again answers 200 with the same account and a new onboarding session',
      shows: ['createAccount success', 'listAccounts success', 'getAccount success'],
      needs: ['sandbox'],
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const call = { params: { SiteSlug }, body: { paymentProvider: provider } }
        const empty = await system.call('listAccounts', { params: { SiteSlug } })
        same(isSuccess(empty, 'listAccounts', 200), [])
        const asked = Date.now()
        const first = isSuccess(await system.call('createAccount', call), 'createAccount', 201) as never as Onboarding
        const again = isSuccess(await system.call('createAccount', call), 'createAccount', 200) as never as Onboarding
        same(first.account.status, 'None')
        same(first.account.paymentProvider, provider)
        ok(Math.abs(Date.parse(first.account.createdAt) - asked) < 60_000, 'createdAt is not now')
        same(again.account, first.account)
        differs(again.onboardingSession.session, first.onboardingSession.session)
        for (const { onboardingSession, onboardingLink } of [first, again]) {
          ok(Date.parse(onboardingSession.expiresAt) > asked, 'the session has run out')
          ok(Date.parse(onboardingLink.expiresAt) > asked, 'the link has run out')
        }
        const list = await system.call('listAccounts', { params: { SiteSlug } })
        same(isSuccess(list, 'listAccounts', 200), [first.account])
        const one = await system.call('getAccount', { params: { SiteSlug, AccountId: first.account.accountId } })
        same(isSuccess(one, 'getAccount', 200), first.account)
      },
    },
    {
      title: 'Each visit of the onboarding link leads to a new page of the provider',
      needs: ['sandbox', 'receiver'],
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const call = { params: { SiteSlug }, body: { paymentProvider: provider } }
        const created = await system.call('createAccount', call)
        const { onboardingLink } = isSuccess(created, 'createAccount', 201) as never as Onboarding
        const visit = () => fetch(onboardingLink.url, { redirect: 'manual' })
        const [one, other] = [await visit(), await visit()]
        same([one.status, other.status], [302, 302])
        differs(one.headers.get('location'), other.headers.get('location'))
      },
    },
    {
      title: 'A deleted account is returned whole, is then gone and not listed, and can be created anew',
      shows: ['deleteAccount success'],
      needs: ['sandbox'],
      async run(system) {
        const { site, account } = await openOnboardedSite(system)
        const params = { SiteSlug: site.SiteSlug, AccountId: account.accountId }
        const before = isSuccess(await system.call('getAccount', { params }), 'getAccount', 200)
        const deleted = isSuccess(await system.call('deleteAccount', { params }), 'deleteAccount', 200)
        same({ ...deleted, status: '' }, { ...before, status: '' })
        for (const id of ['getAccount', 'deleteAccount'] as const)
          isProblem(await system.call(id, { params }), { status: 404, code: 'account_not_found' })
        same(isSuccess(await system.call('listAccounts', { params }), 'listAccounts', 200), [])
        const refused = await system.call('createPayment', { params, body: paymentBody() })
        isProblem(refused, { status: 422, code: 'provider_account_not_ready' })
        const created = await system.call('createAccount', { params, body: { paymentProvider: provider } })
        const fresh = isSuccess(created, 'createAccount', 201) as never as Onboarding
        differs(fresh.account.accountId, account.accountId)
      },
    },
  ],
}
