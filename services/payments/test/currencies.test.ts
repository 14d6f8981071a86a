import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPaymentsFixture, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const create = (Currency: string, Price: number, more: object = {}) =>
  fixture.create(site, { Currency, LineItems: [{ Price, ProductName: 'Check-up' }], ...more })

/** Returns the text of the hosted page. */
async function pageOf(url: string | undefined): Promise<string> {
  const page = await (await fetch(url ?? '')).text()
  return page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/[\s\u00a0\u202f]+/g, ' ')
}

test.each([
  ['EUR', 50],
  ['GBP', 30],
  ['MXN', 1_000],
  ['JPY', 50],
  ['HUF', 17_500],
])('The smallest amount in %s is %d minor units, and one less is 422', async (currency, least) => {
  expect((await create(currency, least)).status).toBe(201)
  expect(await create(currency, least - 1)).toMatchObject({
    status: 422,
    body: { code: 'amount_too_small', errors: [{ pointer: '/LineItems' }] },
  })
})

test.each([
  ['EUR', 99_999_999],
  ['JPY', 99_999_999],
  ['KWD', 99_999_990],
  // Sent in hundredths; the provider takes eight digits of them.
  ['ISK', 999_999],
  ['UGX', 999_999],
  // The provider has no hundredths of it.
  ['MGA', 99_999_900],
])('The largest amount in %s is %d minor units, and more is 422', async (currency, largest) => {
  expect(await create(currency, largest)).toMatchObject({ status: 201, body: { Amount: largest, Currency: currency } })
  const more = { KWD: largest + 10, MGA: largest + 100 }[currency] ?? largest + 1
  expect(await create(currency, more)).toMatchObject({
    status: 422,
    body: { code: 'amount_too_large', errors: [{ pointer: expect.stringMatching(/^\/LineItems/) }] },
  })
})

test('An amount that its currency cannot represent is 422, and the problem names the multiples', async () => {
  for (const [currency, price, text] of [
    ['KWD', 1_005, 'multiples of 10'],
    ['MGA', 12_345, 'multiples of 100'],
  ] as const) {
    const refused = await create(currency, price)
    expect(refused).toMatchObject({ status: 422, body: { code: 'amount_not_representable' } })
    expect(JSON.stringify(refused.body)).toContain(text)
  }
  expect(await create('KWD', 1_000, { FeeAmount: 5 })).toMatchObject({
    status: 422,
    body: { code: 'amount_not_representable', errors: [{ pointer: '/FeeAmount' }] },
  })
})

test('A currency that the provider does not charge is 422 and points to the member', async () => {
  for (const currency of ['CLF', 'IQD', 'XAU']) {
    expect(await create(currency, 10_000)).toMatchObject({
      status: 422,
      body: { code: 'currency_unsupported', errors: [{ pointer: '/Currency' }] },
    })
  }
  expect(await create('ABC', 10_000)).toMatchObject({ status: 400, body: { code: 'malformed_request' } })
})

test.each([
  ['JPY', 10_000, '¥10,000'],
  ['KWD', 12_500, 'KWD 12.500'],
  ['ISK', 5_000, 'ISK 5,000'],
  ['HUF', 1_750_000, 'HUF 17,500.00'],
  ['MGA', 500_000, 'MGA 5,000'],
  ['EUR', 4_550, '€45.50'],
])(
  '%s: the hosted page shows the amount of the record, and that amount comes back when it is paid',
  async (currency, amount, shown) => {
    const created = await create(currency, amount)
    expect(created.status).toBe(201)
    expect(await pageOf(created.body.CheckoutUrl)).toContain(`Pay ${shown}`)
    await fixture.control(`checkouts/${created.body.PaymentId}/pay`)
    await expect
      .poll(async () => (await fixture.get(site, created.body.RecordId)).body.History.at(-1)?.Description)
      // The description would name a total that differs.
      .toMatch(/^Paid \([^;]*\)$/)
    const [, succeeded] = await fixture.eventsOf(created.body.RecordId)
    expect(succeeded).toMatchObject({ type: 'payment.succeeded', data: { amount, currency } })
  },
)
