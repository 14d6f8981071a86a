import { deepStrictEqual as same } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { OperationId } from '@frontdesk/contracts'
import type { Case, CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import { deletedAtEnd, openSite, paymentBody, sharedOnboardedSite, siteOf } from '../practice.ts'
import type { TestedSystem } from '../tested-system.ts'

type Body = Record<string, unknown>

/** Bodies on both sides of a limit: those that must be accepted, and those that must be 400 with a pointer. */
interface Edge {
  title: string
  allowed: readonly Body[]
  refused: readonly (readonly [body: Body, pointer: string])[]
}

const addressed = (fields: Body): Body => ({ Address: fields })
const named = (Name: unknown): Body => ({ Name })

const siteEdges: readonly Edge[] = [
  {
    title: 'a name has 1 to 200 characters after trimming',
    allowed: [named('x'), named('x'.repeat(200)), named(`  ${'x'.repeat(200)}\t`), named('🦷'.repeat(200)), named('٣')],
    refused: [
      [named(''), '/Name'],
      [named(' \t '), '/Name'],
      [named('x'.repeat(201)), '/Name'],
      [named('🦷'.repeat(201)), '/Name'],
      [named('a\u0007b'), '/Name'],
      [named(null), '/Name'],
      [named(7), '/Name'],
      [named(['x']), '/Name'],
      [{ Name: undefined }, '/Name'],
    ],
  },
  {
    title: 'a phone number has the form of E.164',
    allowed: ['+12', '+441632960123', '+123456789012345'].map((PhoneNumber) => ({ PhoneNumber })),
    refused: [
      '441632960123',
      '+0441632960',
      '+1',
      '+1234567890123456',
      '+44 1632 960123',
      '',
      '+44x',
      441632960123,
    ].map((PhoneNumber) => [{ PhoneNumber }, '/PhoneNumber'] as const),
  },
  {
    title: 'an e-mail address has a local part and a domain',
    allowed: ['a@b.example', 'first.last+tag@sub.practice.example', 'jörg@exämple.de', null].map((EmailAddress) => ({
      EmailAddress,
    })),
    refused: ['', 'a', 'a@', '@b.example', 'a b@c.example', 'a@b.example\n', `${'x'.repeat(255)}@b.example`].map(
      (EmailAddress) => [{ EmailAddress }, '/EmailAddress'] as const,
    ),
  },
  {
    title: 'a country is a code of ISO 3166-1 in any of its forms, in both addresses',
    allowed: [
      ...['GB', 'gb', 'GBR', '826', null].map((Country) => addressed({ Country })),
      { PostalAddress: { Country: 'ZW' } },
      addressed({}),
    ],
    refused: [
      ...['UK', 'XX', 'GBX', '', 'G', 826].map((Country) => [addressed({ Country }), '/Address/Country'] as const),
      [{ PostalAddress: { Country: 'EU' } }, '/PostalAddress/Country'],
      [addressed({ Street: 'x' }), '/Address/Street'],
      [addressed({ country: 'GB' }), '/Address/country'],
      [{ Address: 'x' }, '/Address'],
      [{ Address: [] }, '/Address'],
    ],
  },
  {
    title: 'a currency is ISO 4217',
    allowed: ['GBP', 'JPY', 'KWD', 'CLF', 'gbp', null].map((Currency) => ({ Currency })),
    refused: ['XYZ', 'GBPX', '', '826', 'BTC'].map((Currency) => [{ Currency }, '/Currency'] as const),
  },
  {
    title: 'an organisation is named by a slug',
    allowed: [],
    refused: ['OwningOrganisationSlug', 'BillingOrganisationSlug'].flatMap((name) =>
      ['', 'o', 'oab', 'xabcdef', 'Oabcdef', 'o-abcdef', 'oabc def', ' oabcdef', 'oabcdef\n', 'oäbcdef'].map(
        (slug) => [{ [name]: slug }, `/${name}`] as const,
      ),
    ),
  },
  {
    title: 'names of members are case-sensitive, and unknown members are refused',
    allowed: [],
    refused: ['name', 'NAME', 'Id', 'SiteStatus', 'Coordinates', 'PmsSpecificSiteId', '', 'a/b', 'a~b', ' Name'].map(
      (name) => [{ [name]: 'x' }, `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`] as const,
    ),
  },
]

const siteLimits = siteEdges.map(({ title, allowed, refused }): Case => ({
  title: `Creating a site: ${title}`,
  shows: ['createSite Malformed Request'],
  async run(system) {
    for (const fields of allowed) {
      const { SiteSlug, PracticeManagementSoftware: pms } = siteOf(
        await system.call('createSite', { body: { Name: 'Edge', ...fields } }),
      )
      deletedAtEnd(system, SiteSlug, { client: system.main.id }, pms)
    }
    for (const [fields, pointer] of refused) {
      const answer = await system.call('createSite', { body: { Name: 'Edge', ...fields } })
      isProblem(answer, { status: 400, code: 'malformed_request', pointer })
    }
  },
}))

const line = (fields: Body): Body => ({ LineItems: [{ ProductName: 'Check-up', Price: 4_500, ...fields }] })
const lines = (count: number): Body => ({
  LineItems: Array.from({ length: count }, () => ({ ProductName: 'x', Price: 10 })),
})
const refusedAs = (pointer: string, bodies: readonly Body[]) => bodies.map((body) => [body, pointer] as const)

const paymentEdges: readonly Edge[] = [
  {
    title: 'a statement descriptor has at most 22 characters',
    allowed: [{ StatementDescriptor: 'A'.repeat(22) }, { StatementDescriptor: 'Harbour St' }],
    refused: refusedAs('/StatementDescriptor', [{ StatementDescriptor: 'A'.repeat(23) }, { StatementDescriptor: 22 }]),
  },
  {
    title: 'a line item needs a product name and a price, an integer from 0 to 2^53 - 1',
    allowed: [
      {
        LineItems: [
          { ProductName: 'a', Price: 0 },
          { ProductName: 'b', Price: 100 },
        ],
      },
    ],
    refused: [
      ...refusedAs(
        '/LineItems/0/Price',
        [-1, 1.5, '100', null, 2 ** 53].map((Price) => line({ Price })),
      ),
      [{ LineItems: [{ ProductName: 'Check-up' }] }, '/LineItems/0/Price'],
      [{ LineItems: [{ Price: 1 }] }, '/LineItems/0/ProductName'],
      [line({ ProductName: '' }), '/LineItems/0/ProductName'],
      [line({ ProductName: ' ' }), '/LineItems/0/ProductName'],
      [line({ Amount: 1 }), '/LineItems/0/Amount'],
      [line({ TaxBehaviour: 'inclusive' }), '/LineItems/0/TaxBehaviour'],
    ],
  },
  {
    title: 'a quantity is an integer from 1, and defaults to 1',
    allowed: [line({ Quantity: 1 }), line({ Quantity: 22_000 }), line({ Quantity: null })],
    refused: refusedAs(
      '/LineItems/0/Quantity',
      [0, -1, 1.5, '1', 2 ** 53].map((Quantity) => line({ Quantity })),
    ),
  },
  {
    title: 'a payment has at most 100 line items',
    allowed: [lines(100)],
    refused: [
      [lines(101), '/LineItems'],
      [{ LineItems: {} }, '/LineItems'],
      [{ LineItems: [null] }, '/LineItems/0'],
    ],
  },
  {
    title: 'provider and UI mode are known values in their exact case, a currency in any',
    allowed: [{ UiMode: 'Hosted' }, { UiMode: 'Embedded' }, { UiMode: null }, { Currency: 'gbp' }],
    refused: [
      ...refusedAs(
        '/PaymentProvider',
        ['stripe', 'PayPal', '', null, 1].map((PaymentProvider) => ({ PaymentProvider })),
      ),
      ...refusedAs(
        '/Currency',
        ['XYZ', '', null].map((Currency) => ({ Currency })),
      ),
      ...refusedAs(
        '/UiMode',
        ['hosted', 'Inline', ''].map((UiMode) => ({ UiMode })),
      ),
      [{ PaymentProvider: undefined }, '/PaymentProvider'],
      [{ Currency: undefined }, '/Currency'],
    ],
  },
  {
    title: 'SuccessUrl and CancelUrl are absolute http(s) URIs',
    allowed: [
      { SuccessUrl: 'https://a.example/ok?x=1#y', CancelUrl: 'HTTPS://A.EXAMPLE' },
      { SuccessUrl: 'https://a.example/ok?session={CHECKOUT_SESSION_ID}' },
    ],
    refused: ['SuccessUrl', 'CancelUrl'].flatMap((name) =>
      ['', 'a.example', '/ok', 'javascript:alert(1)', 'ftp://a.example', 'https://', 'https://a b.example', 7].map(
        (url) => [{ [name]: url }, `/${name}`] as const,
      ),
    ),
  },
  {
    title: 'a fee is an integer from 0 to 2^63 - 1',
    allowed: [{ FeeAmount: 0 }, { FeeAmount: 4_500 }, { FeeAmount: null }],
    refused: refusedAs(
      '/FeeAmount',
      [-1, 0.5, '1', 1e19].map((FeeAmount) => ({ FeeAmount })),
    ),
  },
]

const paymentLimits = paymentEdges.map(({ title, allowed, refused }): Case => ({
  title: `Creating a payment: ${title}`,
  shows: ['createPayment Malformed Request'],
  needs: ['sandbox'],
  async run(system) {
    const { site } = await sharedOnboardedSite(system)
    const params = { SiteSlug: site.SiteSlug }
    for (const fields of allowed) {
      await system.success('createPayment', { params, body: paymentBody(fields) })
    }
    for (const [fields, pointer] of refused) {
      const answer = await system.call('createPayment', { params, body: paymentBody(fields) })
      isProblem(answer, { status: 400, code: 'malformed_request', pointer })
    }
  },
}))

const numbers: readonly Case[] = [
  {
    title: 'A fee above the total is capped at the total, and every digit up to 2^63 - 1 counts',
    shows: ['createPayment success'],
    needs: ['sandbox'],
    async run(system) {
      const { site } = await sharedOnboardedSite(system)
      const text = JSON.stringify(paymentBody())
      const fees = { '4499': 4_499, '4500': 4_500, '4501': 4_500, '4.5e3': 4_500 } as Record<string, number>
      for (const beyond of ['9007199254740993', '9223372036854775807']) fees[beyond] = 4_500
      for (const [digits, capped] of Object.entries(fees)) {
        const body = text.replace('{', `{"FeeAmount":${digits},`)
        same(
          (await system.success('createPayment', { params: { SiteSlug: site.SiteSlug }, body }))['FeeAmount'],
          capped,
        )
      }
      for (const digits of ['9223372036854775808', '9223372036854777856']) {
        const over = text.replace('{', `{"FeeAmount":${digits},`)
        const answer = await system.call('createPayment', { params: { SiteSlug: site.SiteSlug }, body: over })
        isProblem(answer, { status: 400, pointer: '/FeeAmount' })
      }
    },
  },
  {
    title: 'JSON integers may have an exponent or a zero fraction, and beyond 2^53 they are 400',
    shows: ['createPayment Malformed Request'],
    needs: ['sandbox'],
    async run(system) {
      const { site } = await sharedOnboardedSite(system)
      const params = { SiteSlug: site.SiteSlug }
      const priced = (digits: string) => JSON.stringify(paymentBody()).replace('4500', digits)
      for (const digits of ['1e3', '1000.0', '1000']) {
        same((await system.success('createPayment', { params, body: priced(digits) }))['Amount'], 1_000)
      }
      for (const digits of ['9007199254740993', '1e400', '1e-3', '-0.5']) {
        const answer = await system.call('createPayment', { params, body: priced(digits) })
        isProblem(answer, { status: 400, pointer: '/LineItems/0/Price' })
      }
      const most = await system.call('createPayment', { params, body: priced('9007199254740991') })
      isProblem(most, { status: 422, code: 'amount_too_large' })
    },
  },
]

const lists = ['listSites', 'listPayments', 'listDeliveries'] as const satisfies OperationId[]

const paging = lists.map((id): Case => ({
  title: `${id} takes a pageSize from 1 to 250`,
  shows: [`${id} Malformed Request`, `${id} success`],
  async run(system) {
    const params = { SiteSlug: (await subscribedSite(system)).SiteSlug }
    for (const pageSize of ['1', '250', '50', '007', undefined]) {
      await system.success(id, { params, query: { pageSize } }, 200)
    }
    for (const pageSize of ['0', '251', '-1', '1.5', 'ten', '', '1e400', '99999999999999999999']) {
      const answer = await system.call(id, { params, query: { pageSize } })
      isProblem(answer, { status: 400, code: 'malformed_request', pointer: '/query/pageSize' })
    }
    const twice = await system.call(id, { params, query: 'pageSize=1&pageSize=2' })
    isProblem(twice, { status: 400, pointer: '/query/pageSize' })
    for (const token of ['x', 'x.y', `${'A'.repeat(60)}.${'B'.repeat(43)}`]) {
      const answer = await system.call(id, { params, query: { nextPageToken: token } })
      isProblem(answer, { status: 400, code: 'page_token_invalid' })
    }
  },
}))

const subscribed = new WeakMap<TestedSystem, Promise<{ SiteSlug: string }>>()

function subscribedSite(system: TestedSystem): Promise<{ SiteSlug: string }> {
  const opened = subscribed.get(system) ?? openSubscribedSite(system)
  subscribed.set(system, opened)
  return opened
}

async function openSubscribedSite(system: TestedSystem) {
  const site = await openSite(system)
  const body = { EventTypes: ['payment.*'], Url: 'https://subscriber.example/limits' }
  await system.success('subscribe', { params: { SiteSlug: site.SiteSlug }, body }, 201)
  return site
}

const header = (Name: unknown, Value: unknown = 'v'): Body => ({ Headers: [{ Name, Value }] })

const subscriptionLimits: Case = {
  title: 'A subscription names at least one event type, and its headers have the form of RFC 9110',
  shows: ['subscribe Malformed Request'],
  async run(system) {
    const params = { SiteSlug: (await openSite(system)).SiteSlug }
    const body = { EventTypes: ['payment.*'], Url: 'https://subscriber.example/hook' }
    const refused: readonly (readonly [Body, string])[] = [
      [{ EventTypes: [] }, '/EventTypes'],
      [{ EventTypes: undefined }, '/EventTypes'],
      [{ EventTypes: 'payment.*' }, '/EventTypes'],
      [{ EventTypes: [''] }, '/EventTypes/0'],
      [{ EventTypes: [null] }, '/EventTypes/0'],
      ...['', 'a b', 'a:b', 'a\r\nb', 'ä', '(x)'].map((name) => [header(name), '/Headers/0/Name'] as const),
      ...['a\r\nX-Evil: 1', 'a\nb', 'a\u0001b', 'ä', 7, null].map(
        (value) => [header('A', value), '/Headers/0/Value'] as const,
      ),
      [{ Headers: [{ Name: 'A' }] }, '/Headers/0/Value'],
      [{ Headers: [{ name: 'A', Value: 'v' }] }, '/Headers/0/name'],
      [{ Headers: { A: 'v' } }, '/Headers'],
      ...['', 'subscriber.example', 'ftp://s.example', 'file:///etc/passwd'].map((Url) => [{ Url }, '/Url'] as const),
    ]
    for (const [fields, pointer] of refused) {
      const answer = await system.call('subscribe', { params, body: { ...body, ...fields } })
      isProblem(answer, { status: 400, code: 'malformed_request', pointer })
    }
    const allowed = [{}, header('X-Api_Key.1', ''), header("!#$%&'*+.^_`|~", '!~ \t"')]
    for (const fields of allowed) {
      const answer = await system.call('subscribe', { params, body: { ...body, ...fields } })
      ensure(answer.status === 200 || answer.status === 201, answer, 'expected a success')
      isSuccess(answer, 'subscribe', answer.status)
    }
  },
}

const keys: Case = {
  title: 'An Idempotency-Key has 1 to 255 printable ASCII characters, bare or quoted',
  shows: ['createSite Malformed Request'],
  async run(system) {
    const body = { Name: 'x', OwningOrganisationSlug: 'oUnknown0001' }
    for (const key of ['', 'x'.repeat(256), `"${'x'.repeat(256)}"`, 'a\u0080b', 'tab\there']) {
      const answer = await system.call('createSite', { body, headers: { 'idempotency-key': key } })
      isProblem(answer, { status: 400, code: 'idempotency_key_malformed' })
    }
    for (const key of ['x', randomUUID().padEnd(255, 'x'), `"${randomUUID()}"`, `${randomUUID()} !~`]) {
      const answer = await system.call('createSite', { body, headers: { 'idempotency-key': key } })
      isProblem(answer, { status: 422, code: 'organisation_unknown' })
    }
  },
}

export const limits: CaseGroup = {
  title: 'limits at their edges',
  cases: [...siteLimits, ...paymentLimits, ...numbers, ...paging, subscriptionLimits, keys],
}
