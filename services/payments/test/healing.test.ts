import { eventually } from '@frontdesk/testing'
import type { ProxiedRequest } from '@frontdesk/testing/provider-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openPaymentsFixture, statusesOf, type Answer, type PaymentsFixture } from './payments-fixture.ts'

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

const isCheckout = ({ method, path }: ProxiedRequest) => method === 'POST' && path === '/v1/checkout/sessions'
const isExpiry = ({ method, path }: ProxiedRequest) => method === 'POST' && path.endsWith('/expire')
const loseReplies = (of: (request: ProxiedRequest) => boolean) =>
  fixture.network.inject((request) => (of(request) ? 'lose reply' : 'none'))
const typesOf = async (recordId: string) => (await fixture.eventsOf(recordId)).map((event) => event.type)

async function comesTo(recordId: string, statuses: string[]): Promise<Answer> {
  return eventually(async () => {
    const got = await fixture.get(site, recordId)
    expect(statusesOf(got)).toEqual(statuses)
    return got
  })
}

/** Creates a payment of unknown outcome: every reply of the provider is lost. */
async function unknownPayment(key?: string): Promise<string> {
  loseReplies(isCheckout)
  const answer = await fixture.create(site, {}, key)
  fixture.network.inject(undefined)
  expect(answer).toMatchObject({
    status: 503,
    body: { code: 'provider_outcome_unknown', RecordId: expect.any(String) },
  })
  expect(answer.headers.get('retry-after')).toBeTruthy()
  return answer.body.RecordId
}

test('When every reply of the provider is lost, the retry under the same key finds the one checkout that was made', async () => {
  const key = newKey()
  const recordId = await unknownPayment(key)
  expect(statusesOf(await fixture.get(site, recordId))).toEqual(['Created'])
  const retried = await fixture.create(site, {}, key)
  expect(retried).toMatchObject({ status: 201, body: { RecordId: recordId, CheckoutUrl: expect.any(String) } })
  expect(await fixture.checkoutsOf(recordId)).toHaveLength(1)
  expect(await typesOf(recordId)).toEqual(['payment.created'])
})

test('Without a retry the sweep finds the checkout, and a later retry gets the same payment', async () => {
  const key = newKey()
  const recordId = await unknownPayment(key)
  await fixture.makeDue(recordId)
  await comesTo(recordId, ['Created', 'Pending'])
  const retried = await fixture.create(site, {}, key)
  expect(retried).toMatchObject({ status: 201, body: { RecordId: recordId, CheckoutUrl: expect.any(String) } })
  expect(await fixture.checkoutsOf(recordId)).toHaveLength(1)
})

test("A process that is killed between the provider's answer and the save loses nothing", async () => {
  const key = newKey()
  await fixture.stop()
  const running = await fixture.spawn('payments')
  fixture.network.inject((request) =>
    isCheckout(request)
      ? {
          after: async () => {
            running.kill('SIGKILL')
            await running.exited
          },
        }
      : 'none',
  )
  await expect(fixture.create(site, {}, key)).rejects.toThrow()
  fixture.network.inject(undefined)
  await fixture.start()
  // The lease of the dead process lasts a minute.
  expect(await fixture.create(site, {}, key)).toMatchObject({ status: 409, body: { code: 'idempotency_key_in_use' } })
  await fixture.pool.query('update idempotency_keys set lease_until = now() where key = $1', [key])
  const retried = await fixture.create(site, {}, key)
  expect(retried.status).toBe(201)
  expect(statusesOf(retried)).toEqual(['Created', 'Pending'])
  expect(await fixture.checkoutsOf(retried.body.RecordId)).toHaveLength(1)
  await fixture.control(`checkouts/${retried.body.PaymentId}/pay`)
  await comesTo(retried.body.RecordId, ['Created', 'Pending', 'Completed'])
})

test('A payment that the provider refuses in a sweep is Failed, and payment.failed is sent', async () => {
  const mine = await fixture.readySite()
  const key = newKey()
  fixture.network.inject((request) => (isCheckout(request) ? 'lose request' : 'none'))
  const unknown = await fixture.create(mine, {}, key)
  fixture.network.inject(undefined)
  expect(unknown.status).toBe(503)
  const recordId = unknown.body.RecordId
  fixture.onWebhook(async () => 200)
  await fixture.control(`accounts/${mine.externalAccountId}/deauthorize`)
  await fixture.makeDue(recordId)
  await eventually(async () => expect(statusesOf(await fixture.get(mine, recordId))).toEqual(['Created', 'Failed']))
  expect(await typesOf(recordId)).toEqual(['payment.failed'])
  expect(await fixture.create(mine, {}, key)).toMatchObject({ status: 422, body: { RecordId: recordId } })
})

test('A payment of unknown outcome is given up when the provider forgets its key, and payment.failed is sent', async () => {
  const recordId = await unknownPayment()
  await fixture.pool.query(
    `update payments set created_at = now() - interval '24 hours', next_check_at = now() where id = $1`,
    [recordId],
  )
  await comesTo(recordId, ['Created', 'Failed'])
  const events = await fixture.eventsOf(recordId)
  expect(events).toMatchObject([{ type: 'payment.failed', data: { failureReason: 'provider_outcome_unknown' } }])
})

test('While the provider is down a create answers 503 at once, everything else answers, and creates recover by themselves', async () => {
  const open = await fixture.create(site)
  const key = newKey()
  await fixture.network.close()
  const began = performance.now()
  const away = await fixture.create(site, {}, key)
  expect(away).toMatchObject({ status: 503, body: { code: 'provider_unavailable', RecordId: expect.any(String) } })
  expect(away.headers.get('retry-after')).toBeTruthy()
  expect(performance.now() - began).toBeLessThan(3_000)
  await fixture.makeDue(open.body.RecordId)
  expect(await fixture.get(site, open.body.RecordId)).toMatchObject({
    status: 200,
    body: { PaymentId: open.body.PaymentId },
  })
  await fixture.network.open()
  const retried = await eventually(
    async () => {
      const answer = await fixture.create(site, {}, key)
      expect(answer.status).toBe(201)
      return answer
    },
    { within: 15_000, every: 500 },
  )
  expect(retried.body.RecordId).toBe(away.body.RecordId)
})

test("A read makes up for a lost webhook once the provider's last answer is old", async () => {
  const created = await fixture.create(site)
  fixture.onWebhook(async () => 200)
  await fixture.control(`checkouts/${created.body.PaymentId}/pay`)
  const recordId = created.body.RecordId
  expect(statusesOf(await fixture.get(site, recordId))).toEqual(['Created', 'Pending'])
  await fixture.pool.query(`update payments set checked_at = now() - interval '16 seconds' where id = $1`, [recordId])
  expect(statusesOf(await fixture.get(site, recordId))).toEqual(['Created', 'Pending', 'Completed'])
  expect(await typesOf(recordId)).toEqual(['payment.created', 'payment.succeeded', 'payment.settled'])
})

test('The schedule makes up for a lost webhook without a read', async () => {
  const created = await fixture.create(site)
  const recordId = created.body.RecordId
  fixture.onWebhook(async () => 200)
  await fixture.control(`checkouts/${created.body.PaymentId}/expire`)
  await fixture.makeDue(recordId)
  await eventually(async () => expect(await typesOf(recordId)).toEqual(['payment.created', 'payment.cancelled']))
  const due = await fixture.pool.query('select next_check_at from payments where id = $1', [recordId])
  expect(due.rows).toEqual([{ next_check_at: null }])
})

test('A cancellation whose outcome is unknown answers 503, and the next check completes it, with the client’s reason', async () => {
  const created = await fixture.create(site)
  const recordId = created.body.RecordId
  fixture.onWebhook(async () => 200)
  loseReplies(isExpiry)
  const unknown = await fixture.cancel(site, recordId)
  expect(unknown).toMatchObject({ status: 503, body: { RecordId: recordId } })
  fixture.network.inject(undefined)
  await fixture.makeDue(recordId)
  await comesTo(recordId, ['Created', 'Pending', 'Cancelled'])
  expect((await fixture.eventsOf(recordId)).at(-1)).toMatchObject({
    data: { cancellationReason: 'requested_by_client' },
  })
})

test('A payment of unknown outcome can be cancelled: its checkout is found first', async () => {
  const recordId = await unknownPayment()
  const cancelled = await fixture.cancel(site, recordId)
  expect(cancelled.status).toBe(200)
  expect(statusesOf(cancelled)).toEqual(['Created', 'Pending', 'Cancelled'])
  expect(await fixture.checkoutsOf(recordId)).toHaveLength(1)
})

test('A payment whose first attempt ended in a failure that the provider has saved is completed by the next check', async () => {
  await fixture.control('faults', { api: { savedErrorBefore: { next: 1 } } })
  let attempts = 0
  // The first attempt gets the 500 that is saved; the others of the request are lost.
  fixture.network.inject((request) => (isCheckout(request) && ++attempts > 1 ? 'lose request' : 'none'))
  const unknown = await fixture.create(site)
  expect(unknown).toMatchObject({ status: 503, body: { code: 'provider_outcome_unknown' } })
  fixture.network.inject(undefined)
  const recordId = unknown.body.RecordId
  await fixture.makeDue(recordId)
  const open = await comesTo(recordId, ['Created', 'Pending'])
  expect(await fixture.checkoutsOf(recordId)).toEqual([open.body.PaymentId])
  await fixture.control(`checkouts/${open.body.PaymentId}/pay`)
  await comesTo(recordId, ['Created', 'Pending', 'Completed'])
  // A saved failure says nothing about the provider's health.
  expect((await fixture.create(site)).status).toBe(201)
})
