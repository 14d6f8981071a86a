import { deepStrictEqual as same } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { CaseGroup } from '../case.ts'
import { isProblem, isSuccess } from '../check.ts'
import { openSite, type Site } from '../practice.ts'
import type { ClientEntry, TestedSystem } from '../tested-system.ts'

const header = (pms: string) => ({ 'x-practice-management-software': pms })

/** Returns the client with several systems, and two sites with the same PMS-specific id in different systems. */
async function twins(system: TestedSystem): Promise<{ client: ClientEntry; pms: string[]; sites: Site[]; id: string }> {
  const client = system.several
  if (client === undefined) throw new Error('no client with several systems')
  const as = { client: client.id }
  const pms = client.practiceManagementSoftware.slice(0, 2)
  const id = `Twin-${randomUUID()}`
  const sites: Site[] = []
  for (const one of pms) {
    const site = await openSite(system, { as, headers: header(one) })
    const change = {
      params: { SiteIdentifier: site.SiteSlug },
      body: { PmsSpecificSiteId: id },
      as,
      headers: header(one),
    }
    await system.success('changeSite', change)
    sites.push(site)
  }
  return { client, pms, sites, id }
}

export const systems: CaseGroup = {
  title: 'X-Practice-Management-Software',
  cases: [
    {
      title: 'A caller with several systems must name the one that a new site belongs to',
      shows: ['createSite Malformed Request', 'createSite success'],
      needs: ['several systems'],
      async run(system) {
        const client = system.several
        if (client === undefined) return
        const as = { client: client.id }
        const unsaid = await system.call('createSite', { body: { Name: 'x' }, as })
        isProblem(unsaid, { status: 400, code: 'practice_management_software_required' })
        for (const pms of client.practiceManagementSoftware) {
          const site = await openSite(system, { as, headers: header(pms) })
          same(site.PracticeManagementSoftware, pms)
        }
      },
    },
    {
      title: 'The list of systems tells the codes, and which of them the caller may name',
      shows: ['listPracticeManagementSystems success'],
      async run(system) {
        for (const client of [system.main, system.several ?? system.main]) {
          const as = { client: client.id }
          const { Items } = (await system.success('listPracticeManagementSystems', { as })) as {
            Items: { PracticeManagementSoftware: string; IsAccessible: boolean }[]
          }
          const accessible = Items.filter(({ IsAccessible }) => IsAccessible)
          same(
            accessible.map(({ PracticeManagementSoftware }) => PracticeManagementSoftware),
            client.practiceManagementSoftware.toSorted(),
          )
          for (const { PracticeManagementSoftware } of accessible)
            await system.success('listSites', {
              query: { pageSize: 1 },
              as,
              headers: header(PracticeManagementSoftware),
            })
        }
      },
    },
    {
      title: 'A slug alone identifies a site, with or without the header of any system of the caller',
      needs: ['several systems'],
      async run(system) {
        const { client, pms, sites } = await twins(system)
        for (const { SiteSlug } of sites)
          for (const headers of [{}, ...pms.map(header)]) {
            const call = { params: { SiteIdentifier: SiteSlug }, as: { client: client.id }, headers }
            const { Identity } = await system.success('getSiteIdentity', call)
            same((Identity as Site).SiteSlug, SiteSlug)
          }
      },
    },
    {
      title:
        'A PMS-specific id needs the header if the caller has several systems, and addresses the site of the named one',
      shows: ['getSiteIdentity Malformed Request', 'deleteSite Malformed Request'],
      needs: ['several systems'],
      async run(system) {
        const { client, pms, sites, id } = await twins(system)
        const call = { params: { SiteIdentifier: id }, as: { client: client.id } }
        const required = { status: 400, code: 'practice_management_software_required' } as const
        isProblem(await system.call('getSiteIdentity', call), required)
        isProblem(await system.call('deleteSite', call), required)
        isProblem(await system.call('changeSite', { ...call, body: {} }), required)
        const rotate = { ...call, params: { ...call.params, Key: 'Primary' } }
        isProblem(await system.call('rotateSiteKey', rotate), required)
        for (const [index, one] of pms.entries()) {
          const { Identity } = await system.success('getSiteIdentity', { ...call, headers: header(one) })
          same((Identity as Site).SiteSlug, sites[index]?.SiteSlug)
        }
        await system.success('deleteSite', { ...call, headers: header(pms[1] ?? '') })
        await system.success('getSiteIdentity', { ...call, headers: header(pms[0] ?? '') })
        const second = await system.call('getSiteIdentity', { ...call, headers: header(pms[1] ?? '') })
        isProblem(second, { status: 404, code: 'site_not_found' })
      },
    },
    {
      title: 'Each combination of header and identifier addresses one site or is refused',
      needs: ['several systems'],
      async run(system) {
        const { client, pms, sites, id } = await twins(system)
        const own = system.main.practiceManagementSoftware[0] ?? ''
        const mine = pms.indexOf(own)
        const [here, there] = [sites[mine]?.SiteSlug ?? '', sites[1 - mine]?.SiteSlug ?? '']
        const [a, b] = [own, pms[1 - mine] ?? '']
        const nobodys = `Nobodys-${randomUUID()}`
        // The meaning of each identifier: the slug of a site, or the status of a refusal.
        type Meaning = Record<string, string | number>
        const all = (status: number): Meaning => ({ [here]: status, [there]: status, [id]: status, [nobodys]: status })
        const bySlug = { [here]: here, [there]: there }
        const ofSeveral: readonly (readonly [string | undefined, Meaning])[] = [
          [undefined, { ...bySlug, [id]: 400 }],
          [a, { ...bySlug, [id]: here, [nobodys]: 404 }],
          [b, { ...bySlug, [id]: there, [nobodys]: 404 }],
          ['Dentrix', all(403)],
          ['NoSuchSystem', all(400)],
        ]
        const inside = { [here]: here, [there]: 404, [id]: here, [nobodys]: 404 }
        const ofOne: typeof ofSeveral = [
          [undefined, inside],
          [a, inside],
          [b, all(403)],
          ['Dentrix', all(403)],
          ['NoSuchSystem', all(400)],
        ]
        for (const [caller, rows] of [
          [client.id, ofSeveral],
          [system.main.id, ofOne],
        ] as const)
          for (const [named, meanings] of rows)
            for (const [SiteIdentifier, meaning] of Object.entries(meanings)) {
              const headers = named === undefined ? {} : header(named)
              const call = { params: { SiteIdentifier }, as: { client: caller }, headers }
              const answer = await system.call('getSiteIdentity', call)
              if (typeof meaning === 'number') isProblem(answer, { status: meaning })
              else same((isSuccess(answer, 'getSiteIdentity', 200)['Identity'] as Site).SiteSlug, meaning)
            }
      },
    },
    {
      title: 'A caller with one system needs no header, and naming that system changes nothing',
      async run(system) {
        const [pms = ''] = system.main.practiceManagementSoftware
        const { SiteSlug } = await openSite(system, { headers: header(pms) })
        const body = { PmsSpecificSiteId: `One-${randomUUID()}` }
        await system.success('changeSite', { params: { SiteIdentifier: SiteSlug }, body })
        for (const SiteIdentifier of [SiteSlug, body.PmsSpecificSiteId])
          for (const headers of [{}, header(pms)]) {
            await system.success('getSiteIdentity', { params: { SiteIdentifier }, headers })
          }
        await system.success('listSites', { query: { pageSize: 1 }, headers: header(pms) })
      },
    },
    {
      title: 'A system of the catalogue without access is 403 on every operation that reads the header',
      shows: ['createSite Forbidden', 'deleteSite Forbidden', 'getSiteIdentity Forbidden', 'listSites Forbidden'],
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const headers = header('Dentrix')
        const refused = { status: 403, code: 'practice_management_software_forbidden' } as const
        const params = { SiteIdentifier: SiteSlug, Key: 'Primary' }
        for (const id of ['deleteSite', 'getSiteIdentity', 'listSites', 'rotateSiteKey'] as const)
          isProblem(await system.call(id, { params, headers }), refused)
        for (const id of ['createSite', 'changeSite'] as const)
          isProblem(await system.call(id, { params, headers, body: { Name: 'x' } }), refused)
        await system.success('getSiteIdentity', { params })
      },
    },
    {
      title: "A PMS-specific id addresses the site of the caller's system, not a site of another system",
      needs: ['several systems'],
      async run(system) {
        const { pms, sites, id } = await twins(system)
        const mine = sites[pms.indexOf(system.main.practiceManagementSoftware[0] ?? '')]
        const { Identity } = await system.success('getSiteIdentity', { params: { SiteIdentifier: id } })
        same((Identity as Site).SiteSlug, mine?.SiteSlug)
      },
    },
    {
      title: 'Operations on a site by its slug do not read the header',
      async run(system) {
        const { SiteSlug } = await openSite(system)
        for (const pms of ['NoSuchSystem', 'Dentrix', '?']) {
          await system.success('listAccounts', { params: { SiteSlug }, headers: header(pms) })
        }
      },
    },
  ],
}
