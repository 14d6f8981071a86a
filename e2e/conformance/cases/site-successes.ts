import { deepStrictEqual as same, match, notStrictEqual as differs, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { CaseGroup } from '../case.ts'
import { isProblem, isSuccess } from '../check.ts'
import { openSite, siteOf, uniqueName, deletedAtEnd, type Identity, type Site } from '../practice.ts'
import type { TestedSystem } from '../tested-system.ts'

const siteSlug = /^s[0-9A-Za-z]{11}$/
const organisationSlug = /^o[0-9A-Za-z]{11}$/

const address = {
  AddressLine1: '12 Harbour Street',
  AddressLine2: 'First floor',
  Locality: 'Whitstable',
  Region: 'Kent',
  PostalCode: 'CT5 1AH',
  Country: 'GB',
}
const everything = {
  Name: 'Harbour Street Dental',
  Address: address,
  PostalAddress: { AddressLine1: 'PO Box 7', Locality: 'Canterbury', PostalCode: 'CT1 1AA', Country: 'GB' },
  PhoneNumber: '+441632960123',
  EmailAddress: 'reception@harbour-street.example',
  WebhookUrl: 'https://subscriber.example/of-the-site',
  Currency: 'GBP',
}

/** Returns the list item of a site. */
async function listed(system: TestedSystem, slug: string): Promise<Record<string, unknown> | undefined> {
  const { Items } = await system.success('listSites', { query: { Sites: slug } })
  ok((Items as unknown[]).length <= 1)
  return (Items as Record<string, unknown>[])[0]
}

const identityOf = ({ keys: _keys, ...identity }: Site): Identity => identity
const byIdentifier = (SiteIdentifier: string) => ({ params: { SiteIdentifier } })

export const siteSuccesses: CaseGroup = {
  title: 'sites: successes',
  cases: [
    {
      title: 'A site with only a name gets a slug, an organisation of that name, and two different keys',
      shows: ['createSite success'],
      async run(system) {
        const site = await openSite(system, { body: { Name: '  Zahnärzte am Hafen 齿科 🦷 ' } })
        same(site.Name, 'Zahnärzte am Hafen 齿科 🦷')
        same(site.PracticeManagementSoftware, system.main.practiceManagementSoftware[0])
        match(site.SiteSlug, siteSlug)
        match(site.OwningOrganisationSlug, organisationSlug)
        same(site.BillingOrganisationSlug, site.OwningOrganisationSlug)
        same(site.PmsSpecificSiteId, site.SiteSlug)
        differs(site.keys.PrimaryKey, site.keys.SecondaryKey)
        for (const key of Object.values(site.keys)) ok(key.length >= 43, 'a key has less than 256 bits')
      },
    },
    {
      title: 'A site created with every field is listed with each of them as it was sent',
      shows: ['createSite success', 'listSites success'],
      async run(system) {
        const site = await openSite(system, { body: everything })
        const { keys: _keys, ...identity } = site
        same(await listed(system, site.SiteSlug), { ...identity, ...everything, SiteStatus: 'Operational' })
      },
    },
    {
      title: 'A site joins the named organisations: one owns it, another is billed',
      shows: ['createSite success'],
      async run(system) {
        const [owner, biller] = await Promise.all([openSite(system), openSite(system)])
        const slugs = {
          OwningOrganisationSlug: owner.OwningOrganisationSlug,
          BillingOrganisationSlug: biller.OwningOrganisationSlug,
        }
        const site = await openSite(system, { body: slugs })
        same([site.OwningOrganisationSlug, site.BillingOrganisationSlug], Object.values(slugs))
        const owned = await openSite(system, { body: { OwningOrganisationSlug: owner.OwningOrganisationSlug } })
        same(owned.BillingOrganisationSlug, owner.OwningOrganisationSlug)
      },
    },
    {
      title: 'The identity of a site is the one that creation returned, with its keys, and is not cached',
      shows: ['getSiteIdentity success'],
      async run(system) {
        const site = await openSite(system)
        const answer = await system.call('getSiteIdentity', byIdentifier(site.SiteSlug))
        const body = isSuccess(answer, 'getSiteIdentity', 200)
        same(body, { Identity: identityOf(site), PracticeSiteApiKeys: site.keys })
        same(answer.headers['cache-control'], 'no-store')
      },
    },
    {
      title: 'Deleting one of two sites keeps their organisation; deleting the last one deletes it, and says so',
      shows: ['deleteSite success'],
      async run(system) {
        const name = uniqueName()
        const first = await openSite(system, { body: { Name: name } })
        const second = await openSite(system, { body: { OwningOrganisationSlug: first.OwningOrganisationSlug } })
        const one = await system.success('deleteSite', byIdentifier(first.SiteSlug))
        same(one, { Identity: identityOf(first) })
        const last = await system.success('deleteSite', byIdentifier(second.SiteSlug))
        same(last, {
          Identity: identityOf(second),
          DeletedOrganisation: {
            Name: name,
            PracticeManagementSoftware: first.PracticeManagementSoftware,
            PmsSpecificOrganisationId: first.OwningOrganisationSlug,
            OrganisationSlug: first.OwningOrganisationSlug,
          },
        })
        const joining = { body: { Name: 'Too late', OwningOrganisationSlug: first.OwningOrganisationSlug } }
        isProblem(await system.call('createSite', joining), { status: 422, code: 'organisation_unknown' })
      },
    },
    {
      title: 'A deleted site is gone everywhere: identity, list, deletion, change, keys and everything below it',
      shows: ['deleteSite Not Found', 'getSiteIdentity Not Found'],
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        await system.success('listAccounts', { params: { SiteSlug } })
        await system.success('deleteSite', byIdentifier(SiteSlug))
        const gone = { status: 404, code: 'site_not_found' } as const
        isProblem(await system.call('getSiteIdentity', byIdentifier(SiteSlug)), gone)
        isProblem(await system.call('deleteSite', byIdentifier(SiteSlug)), gone)
        isProblem(await system.call('changeSite', { ...byIdentifier(SiteSlug), body: { Name: 'x' } }), gone)
        isProblem(await system.call('listAccounts', { params: { SiteSlug } }), gone)
        isProblem(await system.call('listPayments', { params: { SiteSlug } }), gone)
        same(await listed(system, SiteSlug), undefined)
        for (const siteKey of Object.values(keys)) {
          const answer = await system.call('listAccounts', { params: { SiteSlug }, as: { siteKey } })
          isProblem(answer, { status: 401 })
        }
      },
    },
    {
      title: 'A change sets every field of the list item that creation does not take, and null removes a field',
      shows: ['changeSite success', 'listSites success'],
      async run(system) {
        const site = await openSite(system, { body: everything })
        const more = {
          Coordinates: { Latitude: 51.3617, Longitude: -1.0256 },
          MapPlaceId: 'ChIJ-51.36:1.02',
          ApplicationVersion: '24.1.0-rc.2+build 7',
          SiteStatus: 'Suspended',
          PmsSpecificSiteId: `HS-${randomUUID()}`,
        }
        const body = { ...more, PhoneNumber: null, Address: { AddressLine2: null, Locality: 'Herne Bay' } }
        const changed = await system.call('changeSite', { ...byIdentifier(site.SiteSlug), body })
        const { PhoneNumber: _number, ...rest } = { ...identityOf(site), ...everything, ...more }
        const { AddressLine2: _line, ...left } = { ...address, Locality: 'Herne Bay' }
        same(isSuccess(changed, 'changeSite', 200), { ...rest, Address: left })
        same(await listed(system, site.SiteSlug), changed.body)

        const nothing = { Coordinates: null, MapPlaceId: null, ApplicationVersion: null, Address: null, Currency: null }
        const headers = { 'content-type': 'application/merge-patch+json' }
        const byPmsId = { ...byIdentifier(more.PmsSpecificSiteId), headers }
        const cleared = await system.call('changeSite', { ...byPmsId, body: nothing })
        const members = Object.keys(isSuccess(cleared, 'changeSite', 200))
        same(
          members.filter((name) => name in nothing),
          [],
        )
      },
    },
    {
      title: 'Each key is replaced alone: the new one is valid at once, and the old one no longer',
      shows: ['rotateSiteKey success'],
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const opens = async (siteKey: string) =>
          (await system.call('listAccounts', { params: { SiteSlug }, as: { siteKey } })).status
        same([await opens(keys.PrimaryKey), await opens(keys.SecondaryKey)], [200, 200])
        let current = keys
        for (const Key of ['Primary', 'Secondary'] as const) {
          const params = { SiteIdentifier: SiteSlug, Key }
          const { PausedSubscriptions, ...rotated } = await system.success('rotateSiteKey', { params })
          same(PausedSubscriptions ?? 0, 0)
          const fresh = rotated as unknown as typeof keys
          const other = Key === 'Primary' ? 'SecondaryKey' : 'PrimaryKey'
          same(fresh[other], current[other])
          differs(fresh[`${Key}Key`], current[`${Key}Key`])
          same(
            [await opens(current[`${Key}Key`]), await opens(fresh.PrimaryKey), await opens(fresh.SecondaryKey)],
            [401, 200, 200],
          )
          current = fresh
        }
        const { PracticeSiteApiKeys } = await system.success('getSiteIdentity', byIdentifier(SiteSlug))
        same(PracticeSiteApiKeys, current)
      },
    },
    {
      title: 'A PMS-specific id that another site of the system has is 409, and a free one addresses the site',
      shows: ['changeSite User Error', 'getSiteIdentity success', 'deleteSite success'],
      async run(system) {
        const [one, other] = await Promise.all([openSite(system), openSite(system)])
        const body = { PmsSpecificSiteId: `P-${randomUUID()}` }
        await system.success('changeSite', { ...byIdentifier(one.SiteSlug), body })
        const taken = await system.call('changeSite', { ...byIdentifier(other.SiteSlug), body })
        isProblem(taken, { status: 409, code: 'pms_specific_id_taken' })
        const { Identity: identity } = await system.success('getSiteIdentity', byIdentifier(body.PmsSpecificSiteId))
        same(identity, { ...identityOf(one), ...body })
        await system.success('deleteSite', byIdentifier(body.PmsSpecificSiteId))
        await system.success('changeSite', { ...byIdentifier(other.SiteSlug), body })
      },
    },
    {
      title: 'An identifier is read as a slug first, then as a PMS-specific id',
      async run(system) {
        const [one, other] = await Promise.all([openSite(system), openSite(system)])
        const change = (slug: string, PmsSpecificSiteId: string) =>
          system.call('changeSite', { ...byIdentifier(slug), body: { PmsSpecificSiteId } })
        isProblem(await change(one.SiteSlug, other.SiteSlug), { status: 409, code: 'pms_specific_id_taken' })
        isSuccess(await change(other.SiteSlug, `P-${randomUUID()}`), 'changeSite', 200)
        isSuccess(await change(one.SiteSlug, other.SiteSlug), 'changeSite', 200)
        const { Identity: identity } = await system.success('getSiteIdentity', byIdentifier(other.SiteSlug))
        same((identity as Identity).SiteSlug, other.SiteSlug)
      },
    },
    {
      title: 'Two requests with one name create two sites: only an Idempotency-Key makes the second a repetition',
      async run(system) {
        const body = { Name: uniqueName() }
        const [one, other] = await Promise.all([1, 2].map(() => system.call('createSite', { body })))
        const sites = [one, other].flatMap((answer) => (answer ? [siteOf(answer)] : []))
        for (const { SiteSlug, PracticeManagementSoftware: pms } of sites)
          deletedAtEnd(system, SiteSlug, { client: system.main.id }, pms)
        differs(sites[0]?.SiteSlug, sites[1]?.SiteSlug)
      },
    },
  ],
}
