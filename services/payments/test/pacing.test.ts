import { eventually, freePort } from '@frontdesk/testing'
import type { ProxiedRequest } from '@frontdesk/testing/provider-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPaymentsFixture, type PaymentsFixture } from './payments-fixture.ts'

// Of the 20 calls a second that the provider allows, this service has all.
const callsPerSecond = 20
const limits = { SANDBOX_CALLS_PER_SECOND: String(callsPerSecond), PROVIDER_CALLS_PERCENT: '100' }

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
/** When the provider saw each request, and which. */
let seen: { at: number; request: ProxiedRequest }[] = []
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
let second: Awaited<ReturnType<PaymentsFixture['spawn']>> | undefined
afterEach(async () => {
  fixture.network.inject(undefined)
  await fixture.network.open().catch(() => {})
  await second?.stop()
  second = undefined
  await fixture.pool.query('update payments set next_check_at = null')
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** Notes the requests about payments from now on. */
function watchRequests(): void {
  seen = []
  fixture.network.inject((request) => {
    if (request.path.startsWith('/v1/checkout')) seen.push({ at: performance.now(), request })
    return 'none'
  })
}

/** The most requests within any second. */
function busiestSecond(): number {
  return Math.max(...seen.map(({ at: from }) => seen.filter(({ at }) => at >= from && at < from + 1_000).length))
}

/** Creates open payments, as many at once as the service takes. */
async function openPayments(count: number): Promise<string[]> {
  const recordIds: string[] = []
  while (recordIds.length < count) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.create(site)))
    recordIds.push(...answers.map(({ body }) => body.RecordId))
  }
  return recordIds
}

const makeAllDue = (recordIds: string[]) =>
  fixture.pool.query(
    `update payments set next_check_at = now(), checked_at = now() - interval '1 hour' where id = any($1)`,
    [recordIds],
  )

async function allChecked(recordIds: string[], within: number): Promise<void> {
  const waiting = `select count(*)::int as count from payments
                    where id = any($1) and checked_at < now() - interval '50 minutes'`
  await eventually(async () => expect((await fixture.pool.query(waiting, [recordIds])).rows).toEqual([{ count: 0 }]), {
    within,
    every: 250,
  })
}

/** Waits until so many replicas share the rate limit. */
async function replicasShare(count: number): Promise<void> {
  const living = `select count(*)::int as count from provider_replicas where seen_at > now() - interval '3 seconds'`
  const started = `select max(seen_at) as at from provider_replicas`
  await eventually(async () => expect((await fixture.pool.query(living)).rows).toEqual([{ count }]), { within: 15_000 })
  // One more beat, after which all of them know.
  const { at } = (await fixture.pool.query<{ at: Date }>(started)).rows[0] ?? { at: new Date() }
  const beaten = `select count(*)::int as count from provider_replicas where seen_at > $1`
  await eventually(async () => expect((await fixture.pool.query(beaten, [at])).rows).toEqual([{ count }]), {
    within: 15_000,
  })
}

test('After an outage the open payments are checked within the rate limit, by two replicas together, and payments are created', async () => {
  const recordIds = await openPayments(160)
  await fixture.stop()
  await fixture.start(limits)
  second = await fixture.spawn('payments', { ...limits, PORT: String(await freePort()) })
  await replicasShare(2)

  await fixture.network.close()
  await makeAllDue(recordIds)
  await expect(fixture.create(site)).resolves.toMatchObject({ status: 503 })
  await makeAllDue(recordIds)
  watchRequests()
  await fixture.network.open()
  await eventually(async () => expect((await fixture.create(site)).status).toBe(201), { within: 15_000, every: 250 })
  for (let index = 0; index < 5; index++) expect((await fixture.create(site)).status).toBe(201)
  await makeAllDue(recordIds.slice(0, 100))
  await allChecked(recordIds, 60_000)
  expect(busiestSecond()).toBeLessThanOrEqual(callsPerSecond)
  // Not far below it either: the budget is used.
  expect(busiestSecond()).toBeGreaterThan(callsPerSecond / 2)
}, 120_000)

test('When the provider is asked too fast, every replica waits as long as it says, and then goes on', async () => {
  const [recordId = ''] = await openPayments(1)
  await fixture.stop()
  await fixture.start(limits)
  second = await fixture.spawn('payments', { ...limits, PORT: String(await freePort()) })
  await replicasShare(2)
  let limitedAt: number | undefined
  const later: number[] = []
  fixture.network.inject(({ path }) => {
    if (!path.startsWith('/v1/checkout')) return 'none'
    if (limitedAt !== undefined) later.push(performance.now() - limitedAt)
    if (limitedAt !== undefined) return 'none'
    limitedAt = performance.now()
    const error = { type: 'invalid_request_error', code: 'rate_limit', message: 'too many requests' }
    return { reply: { status: 429, headers: { 'retry-after': '10' }, body: { error } } }
  })
  await makeAllDue([recordId])
  await eventually(() => expect(limitedAt).toBeDefined())
  // The one that was told says so, and with its next beat the other one has heard it.
  const slowed = `select seen_at as at from provider_replicas where slowed_until > now() + interval '1 second'`
  const told = await eventually(async () => {
    const { rows } = await fixture.pool.query<{ at: Date }>(slowed)
    expect(rows).toHaveLength(1)
    return rows[0]?.at
  })
  const heard = `select count(*)::int as count from provider_replicas where seen_at > $1::timestamptz + interval '0.1 seconds'`
  await eventually(async () => expect((await fixture.pool.query(heard, [told])).rows).toEqual([{ count: 2 }]))
  await makeAllDue([recordId])
  expect(await fixture.create(site)).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
  await eventually(async () => expect((await fixture.create(site)).status).toBe(201), { within: 20_000, every: 500 })
  await allChecked([recordId], 20_000)
  expect(Math.min(...later)).toBeGreaterThanOrEqual(9_990)
}, 60_000)

test('However many read a payment at once, the provider is asked once', async () => {
  await fixture.stop()
  await fixture.start()
  const { body: payment } = await fixture.create(site)
  const recordId = payment.RecordId
  await fixture.pool.query(`update payments set checked_at = now() - interval '1 hour' where id = $1`, [recordId])
  watchRequests()
  const answers = await Promise.all(Array.from({ length: 30 }, () => fixture.get(site, recordId)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
  expect(seen.filter(({ request }) => request.path.includes(payment.PaymentId ?? '?'))).toHaveLength(1)
})
