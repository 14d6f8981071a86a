import { eventually } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPaymentsFixture, statusesOf, type Answer, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const typesOf = async (recordId: string) => (await fixture.eventsOf(recordId)).map((event) => event.type)
const act = (payment: Answer, action: string) => fixture.control(`checkouts/${payment.body.PaymentId}/${action}`)

/** Waits until the record's history has these statuses. */
async function comesTo(payment: Answer, statuses: string[]): Promise<Answer> {
  return eventually(async () => {
    const got = await fixture.get(site, payment.body.RecordId)
    expect(statusesOf(got)).toEqual(statuses)
    return got
  })
}

test('A hosted payment that the customer pays is Completed, and payment.succeeded is sent once', async () => {
  const created = await fixture.create(site)
  expect(created).toMatchObject({
    status: 201,
    body: {
      PaymentProvider: 'Sandbox',
      PaymentId: expect.stringMatching(/^cs_/),
      Amount: 25_000,
      Currency: 'EUR',
      FeeAmount: 0,
      TipAmount: 0,
      Reference: 'INV-1',
      CheckoutUrl: expect.stringContaining(fixture.url('sandbox-provider')),
      ExpiresAt: expect.any(String),
    },
  })
  expect(statusesOf(created)).toEqual(['Created', 'Pending'])
  await act(created, 'pay')
  const paid = await comesTo(created, ['Created', 'Pending', 'Completed'])
  expect(paid.body).not.toHaveProperty('CheckoutUrl')
  expect(paid.body).not.toHaveProperty('ExpiresAt')
  const events = await fixture.eventsOf(created.body.RecordId)
  expect(events.map((event) => event.type)).toEqual(['payment.created', 'payment.succeeded', 'payment.settled'])
  expect(events[1]).toEqual({
    specversion: '1.0',
    id: expect.any(String),
    source: `${fixture.url('gateway')}/payments`,
    type: 'payment.succeeded',
    subject: created.body.RecordId,
    time: expect.any(String),
    datacontenttype: 'application/json',
    dataschema: `${fixture.url('gateway')}/schemas/payment.succeeded/v1.json`,
    siteslug: site.slug,
    organisationslug: site.owningOrganisation,
    billingorganisationslug: site.billingOrganisation,
    product: 'OpenDental',
    pmsspecificid: site.pmsSpecificId,
    visibility: 1,
    traceparent: expect.stringContaining('0af7651916cd43dd8448eb211c80319c'),
    data: {
      currency: 'EUR',
      amount: 25_000,
      reference: 'INV-1',
      recordId: created.body.RecordId,
      paymentProvider: 'Sandbox',
    },
  })
})

test('An embedded payment has the values that the browser needs, and no CheckoutUrl', async () => {
  const created = await fixture.create(site, { UiMode: 'Embedded' })
  expect(created).toMatchObject({
    status: 201,
    body: {
      ClientSecret: expect.any(String),
      PublishableKey: 'pk_test_sandbox',
      ProviderAccountId: site.externalAccountId,
    },
  })
  expect(created.body).not.toHaveProperty('CheckoutUrl')
  const stored = await fixture.pool.query('select client_secret from payments where id = $1', [created.body.RecordId])
  expect(stored.rows[0].client_secret).not.toContain(created.body.ClientSecret)
})

test('After a declined card the customer pays with another one', async () => {
  const created = await fixture.create(site)
  await act(created, 'decline')
  const declined = await comesTo(created, ['Created', 'Pending', 'Declined'])
  expect(declined.body).toHaveProperty('CheckoutUrl')
  await act(created, 'pay')
  await comesTo(created, ['Created', 'Pending', 'Declined', 'Completed'])
  expect(await typesOf(created.body.RecordId)).toEqual(['payment.created', 'payment.succeeded', 'payment.settled'])
})

test('A payment by a delayed method is Processing, then Completed or Failed', async () => {
  const [settled, failed] = [await fixture.create(site), await fixture.create(site)]
  for (const payment of [settled, failed]) {
    await act(payment, 'delay')
    await comesTo(payment, ['Created', 'Pending', 'Processing'])
  }
  await act(settled, 'settle')
  await act(failed, 'fail')
  await comesTo(settled, ['Created', 'Pending', 'Processing', 'Completed'])
  await comesTo(failed, ['Created', 'Pending', 'Processing', 'Failed'])
  const events = await fixture.eventsOf(failed.body.RecordId)
  expect(events.at(-1)).toMatchObject({
    type: 'payment.failed',
    data: { failureReason: expect.any(String), reference: 'INV-1' },
  })
})

test('A payment whose checkout expires is Cancelled as expired', async () => {
  const created = await fixture.create(site)
  await act(created, 'expire')
  await comesTo(created, ['Created', 'Pending', 'Cancelled'])
  const events = await fixture.eventsOf(created.body.RecordId)
  expect(events.at(-1)).toMatchObject({ type: 'payment.cancelled', data: { cancellationReason: 'expired' } })
})

test('Cancelling expires the checkout, sends the reason, and can be repeated', async () => {
  const created = await fixture.create(site)
  const cancelled = await fixture.cancel(site, created.body.RecordId)
  expect(cancelled.status).toBe(200)
  expect(statusesOf(cancelled)).toEqual(['Created', 'Pending', 'Cancelled'])
  expect(await fixture.cancel(site, created.body.RecordId)).toMatchObject({ status: 200, body: cancelled.body })
  const events = await fixture.eventsOf(created.body.RecordId)
  expect(events.at(-1)).toMatchObject({
    type: 'payment.cancelled',
    data: { cancellationReason: 'requested_by_client' },
  })
  // The page cannot be paid either.
  await expect(act(created, 'pay')).rejects.toThrow('409')
})

test('A paid payment cannot be cancelled, even if its webhook was lost', async () => {
  const created = await fixture.create(site)
  fixture.onWebhook(async () => 200)
  await act(created, 'pay')
  const refused = await fixture.cancel(site, created.body.RecordId)
  fixture.onWebhook(fixture.pass)
  expect(refused).toMatchObject({ status: 422, body: { code: 'payment_not_cancellable' } })
  await comesTo(created, ['Created', 'Pending', 'Completed'])
  expect(await typesOf(created.body.RecordId)).toEqual(['payment.created', 'payment.succeeded', 'payment.settled'])
})

test('The payment of another site is not found', async () => {
  const created = await fixture.create(site)
  const other = { ...site, slug: 'sOther123' }
  expect(await fixture.get(other, created.body.RecordId)).toMatchObject({
    status: 404,
    body: { code: 'payment_not_found' },
  })
  expect(await fixture.cancel(other, created.body.RecordId)).toMatchObject({ status: 404 })
})

test('The accounts service can count the payments of a site that are open, disputed or being refunded', async () => {
  const mine = await fixture.readySite()
  const open = () =>
    fixture.internal('accounts').call('countOpenPayments', { SiteSlug: mine.slug, Provider: 'Sandbox' })
  expect(await open()).toEqual({ open: 0 })
  const created = await fixture.create(mine)
  expect(await open()).toEqual({ open: 1 })
  await fixture.cancel(mine, created.body.RecordId)
  expect(await open()).toEqual({ open: 0 })

  const [refunded, disputed] = [await fixture.paid(mine), await fixture.paid(mine)]
  expect(await open()).toEqual({ open: 0 })
  await fixture.setFaults({ refunds: { pending: { next: 1 } } })
  expect(await fixture.refund(mine, refunded.RecordId)).toMatchObject({ status: 201, body: { Status: 'Pending' } })
  expect(await open()).toEqual({ open: 1 })
  await fixture.control(`checkouts/${disputed.PaymentId}/dispute`)
  await eventually(async () => expect(await open()).toEqual({ open: 2 }))
  await fixture.control(`checkouts/${disputed.PaymentId}/win-dispute`)
  await fixture.control(`checkouts/${refunded.PaymentId}/settle-refund`)
  await eventually(async () => expect(await open()).toEqual({ open: 0 }))
})

test('The list is newest first, has no gaps between pages, and can be filtered', async () => {
  const mine = await fixture.readySite()
  const made: Answer[] = []
  for (let number = 1; number <= 5; number++) made.push(await fixture.create(mine, { Reference: `R-${number % 2}` }))
  const ids = made.map((payment) => payment.body.RecordId).toReversed()
  const list = (query: string) => fixture.call('listPayments', mine, { query })
  const idsOf = (answer: Answer) => answer.body.Items.map((item) => item.RecordId)

  const first = await list('?pageSize=2')
  const second = await list(`?pageSize=3&nextPageToken=${first.body.NextPageToken}`)
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ids)
  expect(second.body).not.toHaveProperty('NextPageToken')
  expect(await list(`?Reference=R-0&nextPageToken=${first.body.NextPageToken}`)).toMatchObject({
    status: 400,
    body: { code: 'page_token_invalid' },
  })

  await fixture.cancel(mine, ids[0] ?? '')
  expect(idsOf(await list('?Status=Cancelled'))).toEqual([ids[0]])
  expect(idsOf(await list('?Status=Cancelled&Status=Pending'))).toEqual(ids)
  expect(idsOf(await list('?Reference=R-0'))).toEqual([ids[1], ids[3]])
  expect(idsOf(await list('?PaymentProvider=Stripe'))).toEqual([])
  const middle = made[2]?.body.History[0]?.Timestamp
  expect(idsOf(await list(`?CreatedFrom=${middle}`))).toEqual(ids.slice(0, 3))
  expect(idsOf(await list(`?CreatedTo=${middle}`))).toEqual(ids.slice(3))
})

test('our page after a hosted checkout is told what has become of the payment, and only by a signed address', async () => {
  const created = await fixture.create(site)
  const stored = await fixture.pool.query<{ url: string }>(
    `select provider_request -> 'params' ->> 'success_url' as url from payments where id = $1`,
    [created.body.RecordId],
  )
  const address = new URL(stored.rows[0]?.url ?? '')
  expect(address.href).toContain(`${fixture.url('gateway')}/checkout/done/${created.body.RecordId}.`)
  const Token = address.pathname.split('/').at(-1) ?? ''
  const tell = (token = Token) => fixture.internal('gateway').call('getCheckoutOutcome', { Token: token })
  const asked = { siteSlug: site.slug, amount: 25_000, currency: 'EUR', reference: 'INV-1', refundedAmount: 0 }
  expect(await tell()).toEqual({ ...asked, status: 'Pending' })
  await act(created, 'pay')
  await eventually(async () =>
    expect(await tell()).toEqual({ ...asked, status: 'Completed', paidAt: expect.any(String) }),
  )
  await act(created, 'refund?amount=5000')
  await eventually(async () =>
    expect(await tell()).toMatchObject({ status: 'PartiallyRefunded', refundedAmount: 5_000 }),
  )

  for (const forged of [created.body.RecordId, `${created.body.RecordId}.x`, `${Token}x`, 'nothing'])
    await expect(tell(forged)).rejects.toMatchObject({ code: 'payment_not_found' })
  await fixture.pool.query(`update payments set created_at = created_at - interval '31 days' where id = $1`, [
    created.body.RecordId,
  ])
  await expect(tell()).rejects.toMatchObject({ code: 'payment_not_found' })
})
