import { connect, createServer, type Socket } from 'node:net'
import { eventually, freePort } from '@frontdesk/testing'
import type { ProxiedRequest } from '@frontdesk/testing/provider-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openPaymentsFixture, statusesOf, type Answer, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterEach(() => fixture.network.inject(undefined))
afterAll(() => fixture[Symbol.asyncDispose]())

const isCheckout = ({ method, path }: ProxiedRequest) => method === 'POST' && path === '/v1/checkout/sessions'
const typesOf = async (recordId: string) => (await fixture.eventsOf(recordId)).map((event) => event.type)
const listed = async () => (await fixture.call('listPayments', site)).body.Items.map((item) => item.RecordId)

async function timed(work: () => Promise<Answer>): Promise<{ answer: Answer; tookMs: number }> {
  const began = performance.now()
  const answer = await work()
  return { answer, tookMs: performance.now() - began }
}

/** Creates until the provider is asked again: an open breaker stops requests for 5 s. */
const createsAgain = (key?: string) =>
  eventually(
    async () => {
      const answer = await fixture.create(site, {}, key)
      expect(answer.status).toBe(201)
      return answer
    },
    { within: 20_000, every: 500 },
  )

test('While the provider refuses connections, a create without a key answers 503 soon and leaves nothing payable behind', async () => {
  await fixture.network.close()
  const { answer, tookMs } = await timed(() => fixture.create(site))
  expect(answer).toMatchObject({ status: 503, body: { code: 'provider_unavailable', RecordId: expect.any(String) } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(tookMs).toBeLessThan(3_000)
  const { RecordId: recordId } = answer.body
  const record = await fixture.get(site, recordId)
  expect(statusesOf(record)).toEqual(['Created', 'Failed'])
  expect(record.body.History.at(-1)?.Description).toContain('Not sent')
  expect(await listed()).not.toContain(recordId)
  await fixture.network.open()

  // The client tries again, and only that payment exists.
  const again = await createsAgain()
  await fixture.makeDue(recordId)
  expect(await listed()).toEqual([again.body.RecordId])
  expect(await fixture.checkoutsOf(recordId)).toEqual([])
  expect(await typesOf(recordId)).toEqual([])
})

test('With a key the payment waits for its retry or for the sweep, whichever comes first', async () => {
  await fixture.network.close()
  const [retried, left] = [newKey(), newKey()]
  const first = await fixture.create(site, {}, retried)
  const second = await fixture.create(site, {}, left)
  for (const answer of [first, second]) {
    expect(answer).toMatchObject({ status: 503, body: { RecordId: expect.any(String) } })
    expect(statusesOf(await fixture.get(site, answer.body.RecordId))).toEqual(['Created'])
  }
  await fixture.network.open()
  expect((await createsAgain(retried)).body.RecordId).toBe(first.body.RecordId)
  await fixture.makeDue(second.body.RecordId)
  await eventually(async () =>
    expect(statusesOf(await fixture.get(site, second.body.RecordId))).toEqual(['Created', 'Pending']),
  )
  expect(await fixture.create(site, {}, left)).toMatchObject({ status: 201, body: { RecordId: second.body.RecordId } })
})

test('A provider that hangs delays a create by less than 10 s until the breaker opens, then by less than 1 s; reads answer', async () => {
  const open = await fixture.create(site)
  const hang = { after: () => new Promise<void>(() => {}) }
  fixture.network.inject(() => hang)
  const hanging = await Promise.all(Array.from({ length: 5 }, () => timed(() => fixture.create(site, {}, newKey()))))
  for (const { answer, tookMs } of hanging) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'provider_outcome_unknown' } })
    expect(answer.headers.get('retry-after')).toBeTruthy()
    expect(tookMs).toBeLessThan(10_000)
  }
  const { answer, tookMs } = await timed(() => fixture.create(site, {}, newKey()))
  expect(answer).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(tookMs).toBeLessThan(1_000)

  await fixture.makeDue(open.body.RecordId)
  const read = await timed(() => fixture.get(site, open.body.RecordId))
  expect(read.answer).toMatchObject({ status: 200, body: { PaymentId: open.body.PaymentId } })
  expect(read.tookMs).toBeLessThan(3_000)
  expect((await fixture.call('listPayments', site)).status).toBe(200)

  fixture.network.inject(undefined)
  await createsAgain()
  // The provider made these checkouts nevertheless; the sweep finds each of them.
  for (const { answer: unknown } of hanging) {
    const { RecordId: recordId } = unknown.body
    await fixture.makeDue(recordId)
    await eventually(async () => expect(statusesOf(await fixture.get(site, recordId))).toEqual(['Created', 'Pending']))
    expect(await fixture.checkoutsOf(recordId)).toHaveLength(1)
  }
}, 60_000)

test('A rate limit of the provider is 503 with its wait, and no checkout is made', async () => {
  await fetch(`${fixture.url('sandbox-provider')}/_control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api: { rateLimit: { next: 1 } } }),
  })
  const limited = await fixture.create(site)
  expect(limited).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
  expect(limited.headers.get('retry-after')).toBe('1')
  expect(await fixture.checkoutsOf(limited.body.RecordId)).toEqual([])
  expect(await listed()).not.toContain(limited.body.RecordId)
})

/** A network path to our own database that can be cut and mended. */
async function openPathToDatabase() {
  const target = new URL(fixture.env('payments')['PAYMENTS_DATABASE_URL'] ?? '')
  const ends = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const end of [near, far]) ends.add(end.on('error', () => {}).on('close', () => ends.delete(end)))
    near.pipe(far).pipe(near)
  })
  const port = await freePort()
  const mend = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await mend()
  const url = new URL(target)
  url.port = String(port)
  return {
    url: url.href,
    mend,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const end of ends) end.destroy()
      await closed
    },
  }
}

test('When our own database goes away exactly at the save, the client gets 503, and its retry gets the payment', async () => {
  const path = await openPathToDatabase()
  await fixture.stop()
  await fixture.start({ PAYMENTS_DATABASE_URL: path.url })
  await fixture.create(site)
  const [key, other] = [newKey(), newKey()]
  const lost: Answer[] = []
  for (const used of [key, other]) {
    fixture.network.inject((request) => (isCheckout(request) ? { after: () => path.cut() } : 'none'))
    lost.push(await fixture.create(site, {}, used))
    fixture.network.inject(undefined)
    await path.mend()
  }
  for (const answer of lost) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable', RecordId: expect.any(String) } })
    expect(answer.headers.get('retry-after')).toBeTruthy()
    const { RecordId: recordId } = answer.body
    expect(await eventually(() => fixture.checkoutsOf(recordId))).toHaveLength(1)
    await eventually(async () => expect(statusesOf(await fixture.get(site, recordId))).toEqual(['Created']))
  }
  // Nobody could end the leases of the keys: they lapse after a minute.
  await fixture.pool.query('update idempotency_keys set lease_until = now() where key = any($1)', [[key, other]])
  const [first, second] = lost
  const retried = await fixture.create(site, {}, key)
  expect(retried).toMatchObject({ status: 201, body: { RecordId: first?.body.RecordId } })
  expect(await fixture.checkoutsOf(retried.body.RecordId)).toHaveLength(1)
  // The sweep finishes the other one before its retry.
  const recordId = second?.body.RecordId ?? ''
  await fixture.makeDue(recordId)
  await eventually(async () => expect(await typesOf(recordId)).toEqual(['payment.created']))
  expect(await fixture.create(site, {}, other)).toMatchObject({ status: 201, body: { RecordId: recordId } })
  expect(await fixture.checkoutsOf(recordId)).toHaveLength(1)
  await fixture.stop()
  await path.cut()
  await fixture.start()
}, 60_000)

test('While the accounts service cannot be reached, only creates that need its answer are 503', async () => {
  const [mine, other] = [await fixture.readySite(), await fixture.readySite()]
  await fixture.accounts.stop()
  expect((await fixture.create(mine)).status).toBe(201)
  await fixture.pool.query('delete from account_copies where site_slug = any($1)', [[mine.slug, other.slug]])
  for (const asked of [mine, other]) {
    const answer = await fixture.create(asked)
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    expect(answer.headers.get('retry-after')).toBeTruthy()
    expect((await fixture.call('listPayments', asked)).status).toBe(200)
  }
  await fixture.spawn('accounts')
  for (const asked of [mine, other]) {
    await eventually(async () => expect((await fixture.create(asked)).status).toBe(201), { within: 15_000, every: 250 })
  }
}, 60_000)
