import { eventually } from '@frontdesk/testing'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartitions } from '../src/partitions/partitions.ts'
import { openDeliveryFixture, type Caller, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture()
  const partitions = createPartitions({
    pool: fixture.pool,
    url: fixture.administratorUrl,
    retentionDays: 90,
    log: pino({ level: 'silent' }),
  })
  await partitions.ensure([Date.now() - 30_000, Date.now()])
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** A paused subscription with deliveries that are exhausted. */
async function exhausted(count: number): Promise<Caller> {
  const caller = fixture.caller()
  await caller.subscribe('http://127.0.0.1:9/')
  await fixture.pool.query(`update subscriptions set state = 'paused', pause_reason = 'gone' where site_slug = $1`, [
    caller.site.slug,
  ])
  const first = uuidv7({ msecs: Date.now() - 30_000 })
  await fixture.pool.query(
    `with ids as (
       select (left($2::text, 24) || lpad(to_hex(n), 12, '0'))::uuid as id from generate_series(1, $3::int) n
     ), stored as (
       insert into delivery.events (event_id, type, rank, payload) select id, 'x', 0, '{}' from ids returning event_id
     )
     insert into delivery.deliveries (subscription_id, event_id, due_at, completed_at, state, rank)
     select s.id, stored.event_id, now(), now(), 'exhausted', 0 from subscriptions s, stored where s.site_slug = $1`,
    [caller.site.slug, first, count],
  )
  return caller
}

const recover = async (caller: Caller, since: Date) =>
  await caller.call('recoverDeliveries', { body: { Since: since.toISOString() } })
const progress = async (caller: Caller) => (await caller.call('getRecovery')).body

test('recovering 100,000 deliveries answers at once, and its progress can be read until it is complete', async () => {
  const caller = await exhausted(100_000)
  const since = new Date(Date.now() - 60_000)
  const startedAt = performance.now()
  const answer = await recover(caller, since)
  expect(performance.now() - startedAt).toBeLessThan(2_500)
  expect(answer).toMatchObject({ status: 202, body: { State: 'running' } })

  // The same request again goes on with the one that runs.
  const again = await recover(caller, since)
  expect(again.body.RecoveryId).toBe(answer.body.RecoveryId)

  const seen: number[] = []
  await eventually(
    async () => {
      const now = await progress(caller)
      seen.push(now.Deliveries)
      expect(now).toMatchObject({ RecoveryId: answer.body.RecoveryId, State: 'completed', Deliveries: 100_000 })
    },
    { within: 40_000 },
  )
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  const { rows } = await fixture.pool.query(
    `select d.state, count(*)::int from delivery.deliveries d join subscriptions s on s.id = d.subscription_id
      where s.site_slug = $1 group by 1`,
    [caller.site.slug],
  )
  expect(rows).toEqual([{ state: 'pending', count: 100_000 }])
}, 60_000)

test('another replica goes on with a recovery whose replica was stopped, and no delivery is counted twice', async () => {
  const caller = await exhausted(10_000)
  const { body } = await recover(caller, new Date(Date.now() - 60_000))
  await fixture.restart()
  await eventually(
    async () =>
      expect(await progress(caller)).toMatchObject({
        RecoveryId: body.RecoveryId,
        State: 'completed',
        Deliveries: 10_000,
      }),
    { within: 40_000 },
  )
}, 60_000)

test('recoveries and the end of their subscription, all at once, wait for each other and never fail', async () => {
  const callers = await Promise.all(Array.from({ length: 10 }, () => exhausted(400)))
  const since = (index: number) => new Date(Date.now() - 60_000 - index)
  for (const caller of callers) {
    expect((await recover(caller, since(0))).status).toBe(202)
    const recoveries = [1, 2, 3, 4].map((index) => recover(caller, since(index)))
    const answers = await Promise.all([...recoveries, caller.call('unsubscribe')])
    // Who asks after the end finds nothing.
    for (const { status } of answers) expect([200, 202, 404]).toContain(status)
  }
})

test('without a recovery there is no progress to read', async () => {
  const caller = fixture.caller()
  await caller.subscribe('http://127.0.0.1:9/')
  expect(await caller.call('getRecovery')).toMatchObject({ status: 404, body: { code: 'recovery_not_found' } })
})
