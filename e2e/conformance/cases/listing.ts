import { deepStrictEqual as same, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import { openSite, type Site } from '../practice.ts'
import type { Query, TestedSystem } from '../tested-system.ts'

interface Page {
  Items: { SiteSlug: string; [member: string]: unknown }[]
  NextPageToken?: string
}

async function page(system: TestedSystem, query: Query): Promise<Page> {
  return (await system.success('listSites', { query })) as unknown as Page
}

/** The slugs that a list returns, over all its pages. `between` happens after every page. */
async function walk(
  system: TestedSystem,
  query: Query,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const slugs: string[] = []
  let nextPageToken: string | undefined
  do {
    const { Items, NextPageToken } = await page(system, { ...query, nextPageToken })
    slugs.push(...Items.map(({ SiteSlug }) => SiteSlug))
    nextPageToken = NextPageToken
    if (nextPageToken !== undefined) await between()
  } while (nextPageToken !== undefined)
  return slugs
}

const slugsOf = (sites: readonly Site[]) => sites.map(({ SiteSlug }) => SiteSlug).toSorted()

/** Sites of one new organisation, one after the other. */
async function organisation(system: TestedSystem, bodies: readonly Record<string, unknown>[]): Promise<Site[]> {
  const sites: Site[] = []
  for (const body of bodies) {
    const owner = sites[0] && { OwningOrganisationSlug: sites[0].OwningOrganisationSlug }
    sites.push(await openSite(system, { body: { ...body, ...owner } }))
  }
  return sites
}

export const listing: CaseGroup = {
  title: 'lists of sites',
  cases: [
    {
      title: 'Each filter works alone and with others: the values of one are alternatives, and all filters must match',
      shows: ['listSites success'],
      async run(system) {
        const [gb, fr, none] = await organisation(system, [
          { Address: { Country: 'GB' } },
          { Address: { Country: 'FR' }, PostalAddress: { Country: 'DE' } },
          { PostalAddress: { Country: 'GB' } },
        ])
        const other = await openSite(system, { body: { Address: { Country: 'FR' } } })
        ok(gb && fr && none)
        const billed = await openSite(system, { body: { BillingOrganisationSlug: gb.OwningOrganisationSlug } })
        const suspend = { params: { SiteIdentifier: fr.SiteSlug }, body: { SiteStatus: 'Suspended' } }
        await system.success('changeSite', suspend)
        const all = [gb, fr, none, other, billed]
        const Sites = slugsOf(all)
        const ours = gb.OwningOrganisationSlug
        const expectations: readonly (readonly [Query, readonly Site[]])[] = [
          [{ Sites }, all],
          [{ Sites: [gb.SiteSlug, gb.SiteSlug, 'sUnknown0001'] }, [gb]],
          [{ OwningOrganisations: ours }, [gb, fr, none]],
          [{ OwningOrganisations: [ours, other.OwningOrganisationSlug] }, [gb, fr, none, other]],
          [{ BillingOrganisations: ours }, [gb, fr, none, billed]],
          [{ Sites, Countries: 'FR' }, [fr, other]],
          [{ Sites, Countries: ['FR', 'GB'] }, [gb, fr, other]],
          [{ Sites, Countries: 'DE' }, []],
          [{ Sites, isActive: true }, [gb, none, other, billed]],
          [{ Sites, isActive: false }, [fr]],
          [{ OwningOrganisations: ours, BillingOrganisations: ours, Countries: 'FR', isActive: false }, [fr]],
          [{ OwningOrganisations: ours, Countries: 'FR', isActive: true }, []],
          [{ OwningOrganisations: ours, BillingOrganisations: other.OwningOrganisationSlug }, []],
          [{ Sites: [gb.SiteSlug, other.SiteSlug], OwningOrganisations: ours }, [gb]],
          [{ Sites: 'sUnknown0001' }, []],
        ]
        for (const [query, sites] of expectations) {
          same((await walk(system, query)).toSorted(), slugsOf(sites), JSON.stringify(query))
          same((await walk(system, { ...query, pageSize: 1 })).toSorted(), slugsOf(sites), JSON.stringify(query))
        }
      },
    },
    {
      title: 'A value that is not a slug, country or boolean is 400 with a pointer, and a filter takes 250 values',
      shows: ['listSites Malformed Request'],
      async run(system) {
        const many = (count: number) => Array.from({ length: count }, (_, index) => `sMany${index}`)
        const refused: readonly (readonly [Query, string])[] = [
          ...['Sites', 'OwningOrganisations', 'BillingOrganisations'].flatMap((name) => [
            [{ [name]: 'x' }, `/query/${name}/0`] as const,
            [{ [name]: ['sabc', 'sab'] }, `/query/${name}/1`] as const,
            [{ [name]: 'sabcd,sefgh' }, `/query/${name}/0`] as const,
            [{ [name]: many(251) }, `/query/${name}`] as const,
          ]),
          ...['UK', 'GBX', '999', ''].map((country) => [{ Countries: country }, '/query/Countries/0'] as const),
          ...['maybe', 'yes', '2', ''].map((value) => [{ isActive: value }, '/query/isActive'] as const),
          [{ sites: 'sabcd' }, '/query/sites'],
          [{ 'Sites[]': 'sabcd' }, '/query/Sites[]'],
          [{ PageSize: '1' }, '/query/PageSize'],
        ]
        for (const [query, pointer] of refused) {
          const answer = await system.call('listSites', { query })
          isProblem(answer, { status: 400, code: 'malformed_request', pointer })
        }
        same(await page(system, { Sites: many(250) }), { Items: [] })
        same(await page(system, { Sites: ['sabc', 'labc', 'oabc'] }), { Items: [] })
      },
    },
    {
      title: 'A slug may have any length',
      async run(system) {
        const long = `s${'a1'.repeat(60)}`
        same(await page(system, { Sites: long }), { Items: [] })
        const unknown = await system.call('listAccounts', { params: { SiteSlug: long } })
        isProblem(unknown, { status: 404, code: 'site_not_found' })
      },
    },
    {
      title: 'A page token is valid for its own filters only, whatever the size of the next page',
      shows: ['listSites Malformed Request', 'listSites success'],
      async run(system) {
        const sites = await organisation(system, [{}, {}, {}, {}])
        const filters = { OwningOrganisations: sites[0]?.OwningOrganisationSlug, isActive: true }
        const first = await page(system, { ...filters, pageSize: 1 })
        const token = first.NextPageToken ?? ''
        const rest = await page(system, { ...filters, pageSize: 3, nextPageToken: token })
        same(rest.Items.length, 3)
        // It carries them: alone it is enough, and an empty one is the first page.
        for (const given of [{}, { isActive: true }])
          same(await page(system, { ...given, pageSize: 3, nextPageToken: token }), rest)
        same(await page(system, { ...filters, pageSize: 1, nextPageToken: '' }), first)
        const others: Query[] = [
          { ...filters, isActive: false },
          { ...filters, Countries: 'GB' },
          { ...filters, OwningOrganisations: [filters.OwningOrganisations, 'oUnknown0001'] },
        ]
        for (const query of others) {
          const answer = await system.call('listSites', { query: { ...query, nextPageToken: token } })
          isProblem(answer, { status: 400, code: 'page_token_invalid', pointer: '/query/nextPageToken' })
        }
        const [body = '', signature = ''] = token.split('.')
        const flipped = token.at(3) === 'A' ? 'B' : 'A'
        for (const forged of [
          `${body}.`,
          `${body}.${signature.slice(1)}`,
          `${token.slice(0, 3)}${flipped}${token.slice(4)}`,
        ]) {
          const answer = await system.call('listSites', { query: { ...filters, nextPageToken: forged } })
          isProblem(answer, { status: 400, code: 'page_token_invalid' })
        }
      },
    },
    {
      title: 'While sites are created and deleted, a site that stays is listed once, and a deleted one at most once',
      shows: ['listSites success'],
      timeoutMs: 60_000,
      async run(system) {
        const sites = await organisation(
          system,
          Array.from({ length: 24 }, () => ({})),
        )
        const slug = sites[0]?.OwningOrganisationSlug ?? ''
        const leaving = sites.filter((_, index) => index % 5 === 2)
        const gone = new Set<string>()
        const between = async () => {
          const next = leaving.pop()
          if (next !== undefined) {
            await system.success('deleteSite', { params: { SiteIdentifier: next.SiteSlug } })
            gone.add(next.SiteSlug)
          }
          await openSite(system, { body: { OwningOrganisationSlug: slug } })
        }
        const seen = await walk(system, { OwningOrganisations: slug, pageSize: 4 }, between)
        same(new Set(seen).size, seen.length, 'a site is listed twice')
        const stayed = slugsOf(sites).filter((one) => !gone.has(one))
        same(
          stayed.filter((one) => !seen.includes(one)),
          [],
        )
        const again = await walk(system, { OwningOrganisations: slug, pageSize: 7 })
        same(
          again.filter((one) => stayed.includes(one)),
          seen.filter((one) => stayed.includes(one)),
          'the order changed',
        )
      },
    },
    {
      title: 'The last page has no token, even if the sites fill it exactly',
      shows: ['listSites success'],
      async run(system) {
        const sites = await organisation(system, [{}, {}, {}, {}])
        const filters = { OwningOrganisations: sites[0]?.OwningOrganisationSlug }
        for (const pageSize of [4, 5, 250]) same(Object.keys(await page(system, { ...filters, pageSize })), ['Items'])
        const first = await page(system, { ...filters, pageSize: 2 })
        same(typeof first.NextPageToken, 'string')
        const second = await page(system, { ...filters, pageSize: 2, nextPageToken: first.NextPageToken })
        same([second.Items.length, second.NextPageToken], [2, undefined])
        same(slugsOf(sites), [...first.Items, ...second.Items].map(({ SiteSlug }) => SiteSlug).toSorted())
      },
    },
    {
      title: 'A page holds 50 sites by default',
      async run(system) {
        const sites = await organisation(
          system,
          Array.from({ length: 51 }, () => ({})),
        )
        const filters = { OwningOrganisations: sites[0]?.OwningOrganisationSlug }
        same((await page(system, filters)).Items.length, 50)
        same((await page(system, { ...filters, pageSize: 250 })).Items.length, 51)
      },
      timeoutMs: 60_000,
    },
    {
      title: 'The header limits the list to one system, and without it a caller sees all its systems',
      shows: ['listSites success', 'listSites Forbidden'],
      needs: ['several systems'],
      async run(system) {
        const client = system.several
        if (client === undefined) return
        const as = { client: client.id }
        const headerOf = (pms: string) => ({ 'x-practice-management-software': pms })
        const sites: Site[] = []
        for (const pms of client.practiceManagementSoftware.slice(0, 2))
          sites.push(await openSite(system, { as, headers: headerOf(pms), body: { Name: randomUUID() } }))
        const query = { Sites: slugsOf(sites) }
        const all = (await system.success('listSites', { query, as })) as unknown as Page
        same(all.Items.map(({ SiteSlug }) => SiteSlug).toSorted(), slugsOf(sites))
        for (const site of sites) {
          const headers = headerOf(site.PracticeManagementSoftware)
          const { Items } = (await system.success('listSites', { query, as, headers })) as unknown as Page
          same(
            Items.map(({ SiteSlug }) => SiteSlug),
            [site.SiteSlug],
          )
        }
        const own = await system.call('listSites', { query })
        const { Items } = isSuccess(own, 'listSites', 200) as unknown as Page
        ensure(Items.length === 1, own, 'a site of a system without access is listed')
      },
    },
  ],
}
