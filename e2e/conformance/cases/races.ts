import { deepStrictEqual as same, ok } from 'node:assert/strict'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import { deletedAtEnd, openSite, provider, siteOf, type Site } from '../practice.ts'
import type { TestedSystem } from '../tested-system.ts'

const remove = (system: TestedSystem, site: Site) =>
  system.call('deleteSite', { params: { SiteIdentifier: site.SiteSlug } })

/** Each race is repeated: one order of events proves nothing. */
const rounds = 8

export const races: CaseGroup = {
  title: 'races',
  cases: [
    {
      title:
        "Two simultaneous deletions of an organisation's last two sites succeed, and one of them deletes the organisation",
      timeoutMs: 60_000,
      async run(system) {
        for (let round = 0; round < rounds; round++) {
          const first = await openSite(system)
          const second = await openSite(system, { body: { OwningOrganisationSlug: first.OwningOrganisationSlug } })
          const answers = await Promise.all([first, second].map((site) => remove(system, site)))
          const bodies = answers.map((answer) => isSuccess(answer, 'deleteSite', 200))
          same(bodies.filter((body) => 'DeletedOrganisation' in body).length, 1)
        }
      },
    },
    {
      title: 'Of two simultaneous deletions of one site, one succeeds and the other is 404',
      timeoutMs: 60_000,
      async run(system) {
        for (let round = 0; round < rounds; round++) {
          const site = await openSite(system)
          const answers = await Promise.all([1, 2].map(() => remove(system, site)))
          same(
            answers.map(({ status }) => status).toSorted((a, b) => a - b),
            [200, 404],
          )
        }
      },
    },
    {
      title:
        "When a site is created while the organisation's last one is deleted, the organisation is deleted or has the new site",
      timeoutMs: 60_000,
      async run(system) {
        for (let round = 0; round < rounds; round++) {
          const first = await openSite(system)
          const slug = first.OwningOrganisationSlug
          const body = { Name: 'Joining', OwningOrganisationSlug: slug }
          const [deleted, created] = await Promise.all([remove(system, first), system.call('createSite', { body })])
          const isDeleted = 'DeletedOrganisation' in isSuccess(deleted, 'deleteSite', 200)
          if (isDeleted) isProblem(created, { status: 422, code: 'organisation_unknown' })
          else {
            const site = siteOf(created)
            deletedAtEnd(system, site.SiteSlug, { client: system.main.id }, site.PracticeManagementSoftware)
            same(site.OwningOrganisationSlug, slug)
            const { DeletedOrganisation: last } = isSuccess(await remove(system, site), 'deleteSite', 200)
            ensure(last !== undefined, deleted, 'the organisation outlived its last site')
          }
          isProblem(await system.call('createSite', { body }), { status: 422, code: 'organisation_unknown' })
        }
      },
    },
    {
      title: 'Ten simultaneous creations of an account make one account',
      needs: ['sandbox'],
      timeoutMs: 60_000,
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const params = { SiteSlug }
        const create = () => system.call('createAccount', { params, body: { paymentProvider: provider } })
        const answers = await Promise.all(Array.from({ length: 10 }, create))
        const ids = answers.map((answer) => {
          ensure([200, 201].includes(answer.status), answer, 'no success')
          const { account } = isSuccess(answer, 'createAccount', answer.status)
          return (account as { accountId: string }).accountId
        })
        same(new Set(ids).size, 1)
        same(answers.filter(({ status }) => status === 201).length, 1)
        const list = await system.call('listAccounts', { params })
        same((isSuccess(list, 'listAccounts', 200) as unknown as unknown[]).length, 1)
      },
    },
    {
      title: 'Ten simultaneous subscriptions make one, with one of the addresses and one secret',
      timeoutMs: 60_000,
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const params = { SiteSlug }
        const urls = Array.from({ length: 10 }, (_, index) => `https://subscriber.example/${index}`)
        const answers = await Promise.all(
          urls.map((Url) => system.call('subscribe', { params, body: { EventTypes: ['payment.*'], Url } })),
        )
        for (const answer of answers) {
          ensure([200, 201].includes(answer.status), answer, 'no success')
          isSuccess(answer, 'subscribe', answer.status)
        }
        const created = answers.filter(({ status }) => status === 201)
        same(created.length, 1)
        same(answers.filter(({ text }) => text.includes('SigningSecret')).length, 1)
        const { Url } = await system.success('getSubscription', { params })
        ok(urls.includes(String(Url)))
        await system.success('unsubscribe', { params })
        isProblem(await system.call('getSubscription', { params }), { status: 404 })
      },
    },
    {
      title: 'While keys rotate, each use is 200 or 401, and afterwards only the last keys are valid',
      timeoutMs: 60_000,
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const params = { SiteIdentifier: SiteSlug, Key: 'Primary' }
        const use = (siteKey: string) => system.call('listAccounts', { params: { SiteSlug }, as: { siteKey } })
        const known = [keys.PrimaryKey]
        for (let round = 0; round < rounds; round++) {
          const current = known.at(-1) ?? ''
          const [rotated, ...uses] = await Promise.all([
            system.call('rotateSiteKey', { params }),
            ...Array.from({ length: 4 }, () => use(current)),
            use(keys.SecondaryKey),
          ])
          known.push(String(isSuccess(rotated, 'rotateSiteKey', 200)['PrimaryKey']))
          for (const answer of uses.slice(0, -1))
            ensure([200, 401].includes(answer.status), answer, 'neither 200 nor 401')
          same(uses.at(-1)?.status, 200)
          same((await use(current)).status, 401)
        }
        same((await use(known.at(-1) ?? '')).status, 200)
      },
    },
    {
      title: 'After ten simultaneous rotations of both keys, one of the answers has the valid keys',
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const rotate = (Key: string) => system.call('rotateSiteKey', { params: { SiteIdentifier: SiteSlug, Key } })
        const names = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'Primary' : 'Secondary'))
        const answers = await Promise.all(names.map(rotate))
        const texts = answers.map((answer) => {
          const { PausedSubscriptions: _paused, ...rotated } = isSuccess(answer, 'rotateSiteKey', 200)
          return JSON.stringify(rotated)
        })
        const { PracticeSiteApiKeys } = await system.success('getSiteIdentity', {
          params: { SiteIdentifier: SiteSlug },
        })
        ok(texts.includes(JSON.stringify(PracticeSiteApiKeys)), 'no answer has the current keys')
      },
    },
    {
      title: 'When three sites take one PMS-specific id at once, one of them gets it',
      async run(system) {
        const sites = [await openSite(system), await openSite(system), await openSite(system)]
        const PmsSpecificSiteId = `Race-${sites[0]?.SiteSlug}`
        const change = ({ SiteSlug }: Site) =>
          system.call('changeSite', { params: { SiteIdentifier: SiteSlug }, body: { PmsSpecificSiteId } })
        const answers = await Promise.all(sites.map(change))
        same(
          answers.map(({ status }) => status).toSorted((a, b) => a - b),
          [200, 409, 409],
        )
      },
    },
  ],
}
