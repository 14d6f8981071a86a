import { eventually } from '@frontdesk/testing'
import type { ProxiedRequest } from '@frontdesk/testing/provider-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openPaymentsFixture, statusesOf, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterEach(() => {
  fixture.network.inject(undefined)
  fixture.onWebhook(fixture.pass)
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** The provider answers these requests with a checkout without a currency, as no real one is. */
const answerUnreadably = (isMeant: (request: ProxiedRequest) => boolean) =>
  fixture.network.inject((request) =>
    isMeant(request)
      ? { reply: { status: 200, body: { id: 'cs_1', object: 'checkout.session', status: 'open' } } }
      : 'none',
  )

test('A payment whose new checkout we do not understand is of unknown outcome, and its key resumes it', async () => {
  const key = newKey()
  answerUnreadably(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')
  const unknown = await fixture.create(site, {}, key)
  expect(unknown).toMatchObject({
    status: 503,
    body: { code: 'provider_outcome_unknown', RecordId: expect.any(String) },
  })
  const recordId = unknown.body.RecordId
  expect(statusesOf(await fixture.get(site, recordId))).toEqual(['Created'])

  fixture.network.inject(undefined)
  const resumed = await fixture.create(site, {}, key)
  expect(resumed).toMatchObject({ status: 201, body: { RecordId: recordId, CheckoutUrl: expect.any(String) } })
  expect(await fixture.checkoutsOf(recordId)).toHaveLength(1)
})

test('A checkout that we do not understand keeps its payment as it is, and holds up no other', async () => {
  fixture.onWebhook(async () => 200)
  const [odd, plain] = [await fixture.create(site), await fixture.create(site)]
  for (const { body } of [odd, plain]) await fixture.control(`checkouts/${body.PaymentId}/pay`)
  answerUnreadably(({ method, path }) => method === 'GET' && path.includes(odd.body.PaymentId ?? ''))
  for (const { body } of [odd, plain]) await fixture.makeDue(body.RecordId)

  await eventually(async () =>
    expect(statusesOf(await fixture.get(site, plain.body.RecordId))).toEqual(['Created', 'Pending', 'Completed']),
  )
  expect(await fixture.get(site, odd.body.RecordId)).toMatchObject({
    status: 200,
    body: { PaymentId: odd.body.PaymentId },
  })
  expect(statusesOf(await fixture.get(site, odd.body.RecordId))).toEqual(['Created', 'Pending'])

  fixture.network.inject(undefined)
  await fixture.makeDue(odd.body.RecordId)
  await eventually(async () =>
    expect(statusesOf(await fixture.get(site, odd.body.RecordId))).toEqual(['Created', 'Pending', 'Completed']),
  )
})
