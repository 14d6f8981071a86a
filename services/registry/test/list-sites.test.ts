import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRegistry, type Client, type RegistryFixture } from './registry-fixture.ts'

let registry: RegistryFixture
beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry[Symbol.asyncDispose]())

const header = 'X-Practice-Management-Software'

interface Made {
  slug: string
  organisation: string
}

async function make(client: Client, body: Record<string, unknown> = {}): Promise<Made> {
  const { Identity } = await client.succeed('createSite', { body: { Name: 'Listed', ...body } })
  return { slug: Identity.SiteSlug, organisation: Identity.OwningOrganisationSlug }
}

async function slugs(client: Client, query = '', headers: Record<string, string> = {}): Promise<string[]> {
  const { Items } = await client.succeed('listSites', { query, headers })
  return Items.map((item) => item.SiteSlug)
}

/** Reads all pages; `between` runs before each but the first. */
async function walk(
  client: Client,
  query: string,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const seen: string[] = []
  let token: string | undefined
  for (let page = 0; ; page++) {
    if (page > 0) await between(page)
    const { Items, NextPageToken } = await client.succeed('listSites', {
      query: token === undefined ? query : `${query}&nextPageToken=${encodeURIComponent(token)}`,
    })
    seen.push(...Items.map((item) => item.SiteSlug))
    if (NextPageToken === undefined) return seen
    token = NextPageToken
  }
}

const sorted = (made: readonly Made[]) => made.map(({ slug }) => slug).toSorted()

describe('filters', () => {
  const client = () => registry.client(['Sunix'])
  let group: Made
  let branch: Made
  let payer: Made
  let billed: Made
  let closed: Made
  let nowhere: Made

  beforeAll(async () => {
    group = await make(client(), { Address: { Country: 'NZ' } })
    branch = await make(client(), { OwningOrganisationSlug: group.organisation, Address: { Country: 'AU' } })
    payer = await make(client(), { Address: { Country: 'AU' } })
    billed = await make(client(), {
      OwningOrganisationSlug: group.organisation,
      BillingOrganisationSlug: payer.organisation,
      Address: { Country: 'NZ' },
    })
    closed = await make(client(), { Address: { Country: 'GB' } })
    await client().succeed('changeSite', { params: { SiteIdentifier: closed.slug }, body: { SiteStatus: 'Closed' } })
    nowhere = await make(client(), { PostalAddress: { Country: 'GB' } })
  })

  test('without filters a client gets all its sites in the order of their slugs', async () => {
    expect(await slugs(client())).toEqual(sorted([group, branch, payer, billed, closed, nowhere]))
  })

  test('each filter selects the sites that have one of its values', async () => {
    const of = (query: string) => slugs(client(), query)
    expect(await of(`Sites=${group.slug}&Sites=${payer.slug}`)).toEqual(sorted([group, payer]))
    expect(await of(`OwningOrganisations=${group.organisation}`)).toEqual(sorted([group, branch, billed]))
    expect(await of(`BillingOrganisations=${payer.organisation}`)).toEqual(sorted([payer, billed]))
    expect(await of('Countries=NZ')).toEqual(sorted([group, billed]))
    expect(await of('Countries=NZ&Countries=GB&Countries=FR')).toEqual(sorted([group, billed, closed]))
    expect(await of('isActive=true')).toEqual(sorted([group, branch, payer, billed, nowhere]))
    expect(await of('isActive=false')).toEqual(sorted([closed]))
  })

  test('combined filters select the sites that match all of them', async () => {
    const of = (query: string) => slugs(client(), query)
    const [owner, biller] = [`OwningOrganisations=${group.organisation}`, `BillingOrganisations=${payer.organisation}`]
    expect(await of(`${owner}&${biller}`)).toEqual(sorted([billed]))
    expect(await of(`${owner}&Countries=AU`)).toEqual(sorted([branch]))
    expect(await of(`${biller}&Countries=AU&Countries=NZ`)).toEqual(sorted([payer, billed]))
    expect(await of(`${owner}&${biller}&Countries=NZ&isActive=true`)).toEqual(sorted([billed]))
    expect(await of(`${owner}&${biller}&Countries=AU`)).toEqual([])
    expect(await of('Countries=GB&isActive=true')).toEqual([])
    expect(await of(`Sites=${billed.slug}&Sites=${closed.slug}&${owner}&Countries=NZ&isActive=true`)).toEqual(
      sorted([billed]),
    )
    expect(await of(`Sites=${closed.slug}&${biller}`)).toEqual([])
  })

  test('values that match no site give an empty list without a token', async () => {
    for (const query of ['Sites=sUnknown1234', 'OwningOrganisations=oUnknown1234', 'Countries=FR']) {
      expect(await client().succeed('listSites', { query })).toEqual({ Items: [] })
    }
  })

  test('a changed site is found by its new value only', async () => {
    const site = await make(client(), { Address: { Country: 'IE' } })
    await client().succeed('changeSite', {
      params: { SiteIdentifier: site.slug },
      body: { Address: { Country: 'IT' } },
    })
    expect(await slugs(client(), 'Countries=IE')).toEqual([])
    expect(await slugs(client(), 'Countries=IT')).toEqual([site.slug])
    await client().succeed('deleteSite', { params: { SiteIdentifier: site.slug } })
    expect(await slugs(client(), 'Countries=IT')).toEqual([])
  })

  test('a filter takes 250 values and no more', async () => {
    const query = [
      group.slug,
      ...Array.from({ length: 249 }, (_, index) => `sUnknown${String(index).padStart(4, '0')}`),
    ]
    expect(await slugs(client(), query.map((slug) => `Sites=${slug}`).join('&'))).toEqual([group.slug])
    const owners = query.map((slug) => `OwningOrganisations=${slug.replace(/^s/, 'o')}`)
    expect(await slugs(client(), [...owners.slice(1), `OwningOrganisations=${group.organisation}`].join('&'))).toEqual(
      sorted([group, branch, billed]),
    )
    const tooMany = Array.from({ length: 251 }, () => `Sites=${group.slug}`).join('&')
    expect(await client().refused('listSites', { query: tooMany })).toMatchObject({ status: 400 })
  })
})

describe('visibility', () => {
  test('a client sees the sites of its systems, or of the one that it names', async () => {
    const [one, other] = [registry.client(['Acuitas']), registry.client(['Compulink'])]
    const [first, second] = [await make(one), await make(other)]
    const both = registry.client(['Acuitas', 'Compulink'])
    expect(await slugs(both)).toEqual(sorted([first, second]))
    expect(await slugs(both, '', { [header]: 'Compulink' })).toEqual([second.slug])
    expect(await slugs(one, `Sites=${second.slug}`)).toEqual([])
    expect(await slugs(one, `OwningOrganisations=${second.organisation}`)).toEqual([])
    expect(await slugs(registry.client([]))).toEqual([])
    expect(await one.refused('listSites', { headers: { [header]: 'Compulink' } })).toMatchObject({ status: 403 })
    expect(await one.refused('listSites', { headers: { [header]: 'Unheard' } })).toMatchObject({ status: 400 })
  })

  test('a client restricted to organisations sees only their sites', async () => {
    const all = registry.client(['MaximEyes'])
    const [own, foreign] = [await make(all), await make(all)]
    const client = registry.client(['MaximEyes'], { organisations: [own.organisation] })
    expect(await slugs(client)).toEqual([own.slug])
    expect(await slugs(client, `OwningOrganisations=${foreign.organisation}`)).toEqual([])
    expect(
      await slugs(client, `OwningOrganisations=${foreign.organisation}&OwningOrganisations=${own.organisation}`),
    ).toEqual([own.slug])
    expect(await slugs(client, `Sites=${foreign.slug}`)).toEqual([])
  })
})

describe('pages', () => {
  test('pages of any size together hold every site once, in order', async () => {
    const client = registry.client(['Optomate'])
    const made = await Promise.all(Array.from({ length: 23 }, () => make(client)))
    for (const size of [1, 5, 22, 23, 24, 250]) expect(await walk(client, `pageSize=${size}`)).toEqual(sorted(made))
    expect((await client.succeed('listSites', { query: 'pageSize=22' })).NextPageToken).toBeDefined()
    expect((await client.succeed('listSites', { query: 'pageSize=23' })).NextPageToken).toBeUndefined()
  })

  test('a page has 50 sites by default and 250 at most', async () => {
    const client = registry.client(['Oryx'])
    await Promise.all(Array.from({ length: 51 }, () => make(client)))
    expect(await slugs(client)).toHaveLength(50)
    expect(await slugs(client, 'pageSize=51')).toHaveLength(51)
    for (const size of ['0', '251', '-1', '1.5', 'many', '']) {
      expect(await client.refused('listSites', { query: `pageSize=${size}` })).toMatchObject({
        status: 400,
        errors: [{ pointer: '/query/pageSize' }],
      })
    }
  })

  test('sites that exist throughout are listed once each, while others are created and deleted', async () => {
    const client = registry.client(['Titanium'])
    const [stay, go] = [
      await Promise.all(Array.from({ length: 20 }, () => make(client))),
      await Promise.all(Array.from({ length: 10 }, () => make(client))),
    ]
    const seen = await walk(client, 'pageSize=3', async () => {
      const leaving = go.pop()
      if (leaving !== undefined) await client.succeed('deleteSite', { params: { SiteIdentifier: leaving.slug } })
      await make(client)
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((slug) => stay.some((site) => site.slug === slug))).toEqual(sorted(stay))
  })

  test('a token is bound to its filters, but not to the size of a page or the order of values', async () => {
    const client = registry.client(['Praktika', 'CorePractice'])
    const exact = { [header]: 'Praktika' }
    const made = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const body = { Name: 'Bound', Address: { Country: 'NZ' } }
        return (await client.succeed('createSite', { body, headers: exact })).Identity.SiteSlug
      }),
    )
    const first = await client.succeed('listSites', { query: 'pageSize=1&Countries=NZ&Countries=AU', headers: exact })
    const token = first.NextPageToken ?? ''
    const rest = await slugs(client, `pageSize=9&Countries=AU&Countries=NZ&Countries=AU&nextPageToken=${token}`, exact)
    expect([...first.Items.map((item) => item.SiteSlug), ...rest]).toEqual(made.toSorted())

    // Alone it is enough, whatever the caller leaves out.
    expect(await slugs(client, `pageSize=9&nextPageToken=${token}`)).toEqual(rest)
    const second = await client.succeed('listSites', { query: 'pageSize=1&Countries=NZ&Countries=AU&nextPageToken=' })
    expect(second.Items.map((item) => item.SiteSlug)).toEqual(
      made
        .toSorted()
        .filter((slug) => !rest.includes(slug))
        .slice(0, 1),
    )

    const others = [
      'Countries=NZ',
      'Countries=NZ&Countries=AU&isActive=true',
      `Countries=NZ&Countries=AU&Sites=${made[0]}`,
    ]
    for (const query of others) {
      const refusal = await client.refused('listSites', { query: `${query}&nextPageToken=${token}`, headers: exact })
      expect(refusal).toMatchObject({
        status: 400,
        code: 'page_token_invalid',
        errors: [{ pointer: '/query/nextPageToken' }],
      })
    }
  })

  test('a forged or changed token is refused', async () => {
    const client = registry.client(['Oryx'])
    const { NextPageToken = '' } = await client.succeed('listSites', { query: 'pageSize=1' })
    const [body = '', signature = ''] = NextPageToken.split('.')
    const forged = Buffer.from(JSON.stringify(['s', 'x'])).toString('base64url')
    for (const token of ['x', 'a.b', `${forged}.${signature}`, `${body}.`, `${body}x.${signature}`]) {
      expect(await client.refused('listSites', { query: `nextPageToken=${token}` })).toMatchObject({
        status: 400,
        code: 'page_token_invalid',
      })
    }
  })
})

test('unknown parameters and values are refused', async () => {
  const client = registry.client(['Oryx'])
  for (const query of [
    'PageSize=5',
    'Sites=x',
    'Countries=XX',
    'Countries=NZZ',
    'isActive=yes',
    'OwningOrganisations=',
  ]) {
    expect(await client.refused('listSites', { query })).toMatchObject({ status: 400, code: 'malformed_request' })
  }
})

describe('the practice management systems', () => {
  test('are listed by their codes, with whether the caller has access', async () => {
    const caller = registry.client(['OpenDental', 'Optomate'])
    const { Items } = await caller.succeed('listPracticeManagementSystems')
    const codes = Items.map((item) => item.PracticeManagementSoftware)
    expect(codes).toEqual(codes.toSorted())
    expect(Items).toContainEqual({
      PracticeManagementSoftware: 'OpenDental',
      DisplayName: 'Open Dental',
      Sector: 'Dental',
      IsAccessible: true,
    })
    expect(Items.filter((item) => item.IsAccessible).map((item) => item.PracticeManagementSoftware)).toEqual([
      'OpenDental',
      'Optomate',
    ])
  })

  test('are listed to who names a wrong one', async () => {
    const answer = await registry
      .client(['OpenDental'])
      .call('listPracticeManagementSystems', { headers: { [header]: 'open dental' } })
    expect(answer.status).toBe(200)
  })
})
