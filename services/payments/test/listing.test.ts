import type { SiteAccess } from '@frontdesk/contracts'
import { eventually } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPaymentsFixture, type CallOptions, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let one: SiteAccess
let other: SiteAccess
/** RecordIds of three payments of `one` and two of `other`, in the order in which they were made. */
const made: string[] = []
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  ;[one, other] = await Promise.all([fixture.readySite(), fixture.readySite()])
  for (const [site, more] of [
    [one, { Reference: 'INV-1' }],
    [other, { Reference: 'INV-1' }],
    [one, { Reference: '=1+1' }],
    [other, { Reference: 'a "quoted", name', CustomerId: 'customer 7' }],
    [one, { Reference: 'INV-2' }],
  ] as const)
    made.push((await fixture.create(site, more)).body.RecordId)
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

/** Reads the list of a client that may see the organisations of both sites, unless `rights` are others. */
async function list(query: Record<string, string | string[]> = {}, options: CallOptions = {}) {
  const parameters = new URLSearchParams()
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) parameters.append(name, value)
  const rights = { organisations: [one.owningOrganisation, other.owningOrganisation] }
  return fixture.call('listAllPayments', one, { rights, query: `?${parameters.toString()}`, ...options })
}

const idsIn = async (...of: Parameters<typeof list>): Promise<string[]> =>
  (await list(...of)).body.Items.map(({ RecordId }) => RecordId)
const newest = (...indexes: number[]): string[] => indexes.map((index) => made[index] ?? '')

test('The payments of all sites that a client may see are listed, newest first, each with its site and whole record', async () => {
  const { body } = await list()
  expect(body.Items.map(({ RecordId }) => RecordId)).toEqual(newest(4, 3, 2, 1, 0))
  expect(body).not.toHaveProperty('NextPageToken')
  const [{ SiteSlug, ...record } = { SiteSlug: '' }] = body.Items
  expect(SiteSlug).toBe(one.slug)
  expect(record).toEqual((await fixture.get(one, made[4] ?? '')).body)
  const unrestricted = await idsIn({ pageSize: '250' }, { rights: {} })
  expect(unrestricted.filter((id) => made.includes(id))).toEqual(newest(4, 3, 2, 1, 0))
})

test('A client sees no payment of another system or organisation, whatever it asks for', async () => {
  const all = [{}, { Sites: [one.slug, other.slug] }, { Reference: 'INV-1' }, { Status: 'Pending' }]
  for (const query of all) {
    expect(await idsIn(query, { rights: { practiceManagementSystems: ['Optomate'] } })).toEqual([])
    expect(await idsIn(query, { rights: { practiceManagementSystems: [] } })).toEqual([])
    expect(await idsIn(query, { rights: { organisations: ['oUnknown0001'] } })).toEqual([])
    expect(await idsIn(query, { rights: { organisations: [] } })).toEqual([])
    const rights = { organisations: [one.owningOrganisation], practiceManagementSystems: ['Optomate'] }
    expect(await idsIn(query, { rights })).toEqual([])
  }
  expect(await idsIn({}, { rights: { organisations: [other.owningOrganisation] } })).toEqual(newest(3, 1))
})

test('Filters work alone and together', async () => {
  const before = (await fixture.get(one, made[2] ?? '')).body.History[0]?.Timestamp ?? ''
  for (const [query, found] of [
    [{ Sites: one.slug }, [4, 2, 0]],
    [{ Sites: [one.slug, other.slug, 'sUnknown0001'] }, [4, 3, 2, 1, 0]],
    [{ Reference: 'INV-1' }, [1, 0]],
    [{ Reference: 'INV-1', Sites: other.slug }, [1]],
    [{ Reference: 'inv-1' }, []],
    [{ Status: 'Pending' }, [4, 3, 2, 1, 0]],
    [{ Status: ['Completed', 'Refunded'] }, []],
    [{ PaymentProvider: 'Sandbox', Status: 'Pending' }, [4, 3, 2, 1, 0]],
    [{ PaymentProvider: 'Stripe' }, []],
    [{ CreatedFrom: before }, [4, 3, 2]],
    [{ CreatedTo: before }, [1, 0]],
    [{ CreatedFrom: before, CreatedTo: before }, []],
    [{ CreatedFrom: before, Reference: 'INV-2', Sites: one.slug, Status: 'Pending' }, [4]],
  ] as const)
    expect(await idsIn(query as Record<string, string | string[]>), JSON.stringify(query)).toEqual(newest(...found))
  await fixture.cancel(one, made[4] ?? '')
  expect(await idsIn({ Status: 'Cancelled' })).toEqual(newest(4))
  for (const query of [{ Status: 'Unheard' }, { Sites: 'x' }, { CreatedFrom: 'yesterday' }, { pageSize: '251' }])
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'malformed_request' } })
})

test('Pages follow each other without a gap, and a token is good for its own filters only', async () => {
  const found: string[] = []
  let token: string | undefined
  do {
    const { body } = await list({ pageSize: '2', ...(token === undefined ? {} : { nextPageToken: token }) })
    found.push(...body.Items.map(({ RecordId }) => RecordId))
    token = body.NextPageToken
    // A payment that is made meanwhile is before the first page.
    if (found.length === 2) await fixture.create(other, { Reference: 'LATER' })
  } while (token !== undefined)
  expect(found).toEqual(newest(4, 3, 2, 1, 0))
  const first = await list({ pageSize: '2', Sites: [one.slug, other.slug] })
  const nextPageToken = first.body.NextPageToken ?? ''
  const again = await list({ pageSize: '1', Sites: [other.slug, one.slug], nextPageToken })
  expect(again.status).toBe(200)
  const refused = await list({ Sites: one.slug, nextPageToken })
  expect(refused).toMatchObject({ status: 400, body: { code: 'page_token_invalid' } })
})

test('As CSV the pages can be put one after the other; amounts are in minor units, and text is no formula', async () => {
  const csv = async (query: Record<string, string | string[]>) => list(query, { accept: 'text/csv' })
  const query = {
    Sites: [one.slug, other.slug],
    CreatedTo: (await list({ Reference: 'LATER' })).body.Items[0]!.History[0]!.Timestamp,
  }
  const first = await csv({ ...query, pageSize: '3' })
  expect(first.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(first.headers.get('cache-control')).toBe('no-store')
  const link = /^<\/api\/v1\/payments\?(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await fixture.call('listAllPayments', one, {
    rights: { organisations: [one.owningOrganisation, other.owningOrganisation] },
    accept: 'text/csv',
    query: `?${link}`,
  })
  expect(second.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=absent')
  expect(second.headers.has('link')).toBe(false)

  const [header, ...lines] = (first.text + second.text).split('\r\n')
  expect(header).toBe(
    'RecordId,SiteSlug,CreatedAt,Status,StatusAt,PaymentProvider,PaymentId,Reference,CustomerId,Currency,Amount,FeeAmount,TipAmount,PaidCurrency,PaidAmount,RefundedAmount',
  )
  expect(lines.map((line) => line.slice(0, 36))).toEqual([...newest(4, 3, 2, 1, 0), ''])
  const times = '[0-9T:.-]+Z'
  expect(lines[1]).toMatch(
    new RegExp(
      `^${made[3]},${other.slug},${times},Pending,${times},Sandbox,cs_[^,]+,"a ""quoted"", name",customer 7,EUR,25000,0,0,,,0$`,
    ),
  )
  expect(lines[2]).toContain(",'=1+1,,EUR,")
  expect(first.text).not.toContain('http')
  expect(await csv({ Status: 'Unheard' })).toMatchObject({ status: 400, body: { code: 'malformed_request' } })
})

test('The payments of a deleted site are not listed any more', async () => {
  const site = await fixture.readySite()
  const { body } = await fixture.create(site)
  const rights = { organisations: [site.owningOrganisation] }
  expect(await idsIn({}, { rights })).toEqual([body.RecordId])
  await fixture.deleteSite(site)
  await eventually(async () => expect(await idsIn({}, { rights })).toEqual([]))
  expect(await idsIn({ Sites: site.slug }, { rights })).toEqual([])
})
