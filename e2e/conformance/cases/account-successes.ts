import { deepStrictEqual as same, notStrictEqual as differs, ok } from 'node:assert/strict'
import type { CaseGroup } from '../case.ts'
import { isProblem } from '../check.ts'
import { onboard, openOnboardedSite, openSite, paymentBody, provider } from '../practice.ts'

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
        same(await system.success('listAccounts', { params }), [])
        same(await system.success('listPayments', { params }), { Items: [] })
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
        same(await system.success('listAccounts', { params: { SiteSlug } }), [])
        const asked = Date.now()
        const first = (await system.success('createAccount', call, 201)) as never as Onboarding
        const again = (await system.success('createAccount', call, 200)) as never as Onboarding
        same(first.account.status, 'None')
        same(first.account.paymentProvider, provider)
        ok(Math.abs(Date.parse(first.account.createdAt) - asked) < 60_000, 'createdAt is not now')
        same(again.account, first.account)
        differs(again.onboardingSession.session, first.onboardingSession.session)
        for (const { onboardingSession, onboardingLink } of [first, again]) {
          ok(Date.parse(onboardingSession.expiresAt) > asked, 'the session has run out')
          ok(Date.parse(onboardingLink.expiresAt) > asked, 'the link has run out')
        }
        same(await system.success('listAccounts', { params: { SiteSlug } }), [first.account])
        same(
          await system.success('getAccount', { params: { SiteSlug, AccountId: first.account.accountId } }),
          first.account,
        )
      },
    },
    {
      title: 'Each visit of the onboarding link leads to a new page of the provider',
      needs: ['sandbox', 'receiver'],
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const call = { params: { SiteSlug }, body: { paymentProvider: provider } }
        const { onboardingLink } = (await system.success('createAccount', call, 201)) as never as Onboarding
        const visit = () => fetch(onboardingLink.url, { redirect: 'manual' })
        const [one, other] = [await visit(), await visit()]
        same([one.status, other.status], [302, 302])
        differs(one.headers.get('location'), other.headers.get('location'))
      },
    },
    {
      title: 'Our page after onboarding says how it ended and leads back to the given address',
      needs: ['sandbox', 'receiver'],
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const returnUrl = 'https://pms.example/settings?tab=payments'
        const call = { params: { SiteSlug }, body: { paymentProvider: provider, returnUrl } }
        const { onboardingLink } = (await system.success('createAccount', call, 201)) as never as Onboarding
        const read = async () => (await fetch(`${onboardingLink.url}/done`)).text()
        ok((await read()).includes('You have not finished yet'), 'an unfinished onboarding is called finished')
        await onboard(system, SiteSlug)
        const after = await read()
        ok(after.includes('Your practice can take payments'), 'the page does not say that onboarding is complete')
        ok(after.includes(`href="${returnUrl}"`), 'the page does not lead back')
        const relative = { ...call, body: { ...call.body, returnUrl: '/settings' } }
        isProblem(await system.call('createAccount', relative), { status: 400, code: 'malformed_request' })
      },
    },
    {
      title: 'A deleted account is returned whole, is then gone and not listed, and can be created anew',
      shows: ['deleteAccount success'],
      needs: ['sandbox'],
      async run(system) {
        const { site, account } = await openOnboardedSite(system)
        const params = { SiteSlug: site.SiteSlug, AccountId: account.accountId }
        const before = await system.success('getAccount', { params })
        const deleted = await system.success('deleteAccount', { params })
        same({ ...deleted, status: '' }, { ...before, status: '' })
        for (const id of ['getAccount', 'deleteAccount'] as const)
          isProblem(await system.call(id, { params }), { status: 404, code: 'account_not_found' })
        same(await system.success('listAccounts', { params }), [])
        const refused = await system.call('createPayment', { params, body: paymentBody() })
        isProblem(refused, { status: 422, code: 'provider_account_not_ready' })
        const fresh = (await system.success(
          'createAccount',
          { params, body: { paymentProvider: provider } },
          201,
        )) as never as Onboarding
        differs(fresh.account.accountId, account.accountId)
      },
    },
  ],
}
