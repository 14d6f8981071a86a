import { connect, createServer, type Socket } from 'node:net'
import { eventually, freePort } from '@frontdesk/testing'
import type { ProxiedRequest } from '@frontdesk/testing/provider-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openPaymentsBench, statusesOf, type Answer, type PaymentsBench } from './payments-bench.ts'

let bench: PaymentsBench
let site: Awaited<ReturnType<PaymentsBench['readySite']>>
beforeAll(async () => {
  bench = await openPaymentsBench()
  site = await bench.readySite()
})
afterEach(() => bench.network.inject(undefined))
afterAll(() => bench[Symbol.asyncDispose]())

const isCheckout = ({ method, path }: ProxiedRequest) => method === 'POST' && path === '/v1/checkout/sessions'
const typesOf = async (recordId: string) => (await bench.eventsOf(recordId)).map((event) => event.type)
const listed = async () => (await bench.call('listPayments', site)).body.Items.map((item) => item.RecordId)

async function timed(work: () => Promise<Answer>): Promise<{ answer: Answer; tookMs: number }> {
  const began = performance.now()
  const answer = await work()
  return { answer, tookMs: performance.now() - began }
}

/** Creates until the provider is asked again: an open breaker lets it be for 5 s. */
const createsAgain = (key?: string) =>
  eventually(
    async () => {
      const answer = await bench.create(site, {}, key)
      expect(answer.status).toBe(201)
      return answer
    },
    { within: 20_000, every: 500 },
  )

test('while the provider refuses connections, a create without a key is 503 soon and leaves nothing that could be paid', async () => {
  await bench.network.close()
  const { answer, tookMs } = await timed(() => bench.create(site))
  expect(answer).toMatchObject({ status: 503, body: { code: 'provider_unavailable', RecordId: expect.any(String) } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(tookMs).toBeLessThan(3_000)
  const { RecordId: recordId } = answer.body
  const record = await bench.get(site, recordId)
  expect(statusesOf(record)).toEqual(['Created', 'Failed'])
  expect(record.body.History.at(-1)?.Description).toContain('Not sent')
  expect(await listed()).not.toContain(recordId)
  await bench.network.open()

  // The client asks once more, and that is the one payment there is.
  const again = await createsAgain()
  await bench.makeDue(recordId)
  expect(await listed()).toEqual([again.body.RecordId])
  expect(await bench.checkoutsOf(recordId)).toEqual([])
  expect(await typesOf(recordId)).toEqual([])
})

test('with a key the payment waits for its retry instead, and the sweep does not wait for that', async () => {
  await bench.network.close()
  const [retried, left] = [newKey(), newKey()]
  const first = await bench.create(site, {}, retried)
  const second = await bench.create(site, {}, left)
  for (const answer of [first, second]) {
    expect(answer).toMatchObject({ status: 503, body: { RecordId: expect.any(String) } })
    expect(statusesOf(await bench.get(site, answer.body.RecordId))).toEqual(['Created'])
  }
  await bench.network.open()
  expect((await createsAgain(retried)).body.RecordId).toBe(first.body.RecordId)
  await bench.makeDue(second.body.RecordId)
  await eventually(async () =>
    expect(statusesOf(await bench.get(site, second.body.RecordId))).toEqual(['Created', 'Pending']),
  )
  expect(await bench.create(site, {}, left)).toMatchObject({ status: 201, body: { RecordId: second.body.RecordId } })
})

test('a provider that hangs costs a create less than 10 s until the breaker opens, then next to nothing; reads answer', async () => {
  const open = await bench.create(site)
  const hang = { after: () => new Promise<void>(() => {}) }
  bench.network.inject(() => hang)
  const hanging = await Promise.all(Array.from({ length: 5 }, () => timed(() => bench.create(site, {}, newKey()))))
  for (const { answer, tookMs } of hanging) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'provider_outcome_unknown' } })
    expect(answer.headers.get('retry-after')).toBeTruthy()
    expect(tookMs).toBeLessThan(10_000)
  }
  const { answer, tookMs } = await timed(() => bench.create(site, {}, newKey()))
  expect(answer).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(tookMs).toBeLessThan(1_000)

  await bench.makeDue(open.body.RecordId)
  const read = await timed(() => bench.get(site, open.body.RecordId))
  expect(read.answer).toMatchObject({ status: 200, body: { PaymentId: open.body.PaymentId } })
  expect(read.tookMs).toBeLessThan(3_000)
  expect((await bench.call('listPayments', site)).status).toBe(200)

  bench.network.inject(undefined)
  await createsAgain()
  // What hung was made all the same; the sweep finds each, once.
  for (const { answer: unknown } of hanging) {
    const { RecordId: recordId } = unknown.body
    await bench.makeDue(recordId)
    await eventually(async () => expect(statusesOf(await bench.get(site, recordId))).toEqual(['Created', 'Pending']))
    expect(await bench.checkoutsOf(recordId)).toHaveLength(1)
  }
}, 60_000)

test('a rate limit of the provider is 503 with its wait, and nothing was done', async () => {
  await fetch(`${bench.url('sandbox-provider')}/_control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api: { rateLimit: { next: 1 } } }),
  })
  const limited = await bench.create(site)
  expect(limited).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
  expect(limited.headers.get('retry-after')).toBe('1')
  expect(await bench.checkoutsOf(limited.body.RecordId)).toEqual([])
  expect(await listed()).not.toContain(limited.body.RecordId)
})

/** A way to our own database that can be cut and mended, as a network's. */
async function openWayToDatabase() {
  const target = new URL(bench.env('payments')['PAYMENTS_DATABASE_URL'] ?? '')
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

test('when our own database goes away exactly at the save, the client hears 503, and its retry finds the payment', async () => {
  const way = await openWayToDatabase()
  await bench.stop()
  await bench.start({ PAYMENTS_DATABASE_URL: way.url })
  await bench.create(site)
  const [key, other] = [newKey(), newKey()]
  const lost: Answer[] = []
  for (const used of [key, other]) {
    bench.network.inject((request) => (isCheckout(request) ? { after: () => way.cut() } : 'none'))
    lost.push(await bench.create(site, {}, used))
    bench.network.inject(undefined)
    await way.mend()
  }
  for (const answer of lost) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable', RecordId: expect.any(String) } })
    expect(answer.headers.get('retry-after')).toBeTruthy()
    const { RecordId: recordId } = answer.body
    expect(await eventually(() => bench.checkoutsOf(recordId))).toHaveLength(1)
    await eventually(async () => expect(statusesOf(await bench.get(site, recordId))).toEqual(['Created']))
  }
  // Nobody could end the lease of the keys: they lapse after a minute.
  await bench.pool.query('update idempotency_keys set lease_until = now() where key = any($1)', [[key, other]])
  const [first, second] = lost
  const retried = await bench.create(site, {}, key)
  expect(retried).toMatchObject({ status: 201, body: { RecordId: first?.body.RecordId } })
  expect(await bench.checkoutsOf(retried.body.RecordId)).toHaveLength(1)
  // The other one is finished by the sweep before its retry.
  const recordId = second?.body.RecordId ?? ''
  await bench.makeDue(recordId)
  await eventually(async () => expect(await typesOf(recordId)).toEqual(['payment.created']))
  expect(await bench.create(site, {}, other)).toMatchObject({ status: 201, body: { RecordId: recordId } })
  expect(await bench.checkoutsOf(recordId)).toHaveLength(1)
  await bench.stop()
  await way.cut()
  await bench.start()
}, 60_000)

test('while accounts cannot be reached, only what needs its word is 503', async () => {
  const [mine, other] = [await bench.readySite(), await bench.readySite()]
  await bench.accounts.stop()
  expect((await bench.create(mine)).status).toBe(201)
  await bench.pool.query('delete from account_copies where site_slug = any($1)', [[mine.slug, other.slug]])
  for (const asked of [mine, other]) {
    const answer = await bench.create(asked)
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    expect(answer.headers.get('retry-after')).toBeTruthy()
    expect((await bench.call('listPayments', asked)).status).toBe(200)
  }
  await bench.spawn('accounts')
  for (const asked of [mine, other]) {
    await eventually(async () => expect((await bench.create(asked)).status).toBe(201), { within: 15_000, every: 250 })
  }
}, 60_000)
