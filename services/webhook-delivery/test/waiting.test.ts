import { openPool, transaction, type Pool } from '@frontdesk/database'
import { throwAwayDatabase } from '@frontdesk/testing'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { oldestOpenId } from '../src/event-ids.ts'
import { manualRank, type LeasedDelivery } from '../src/leases/leased.ts'
import { releaseDeliveries, releaseInstance } from '../src/leases/store.ts'
import { createPartitions } from '../src/partitions/partitions.ts'
import { settleLines } from '../src/polling/settling.ts'
import { claimDue, postponeLines, visitDue, type Line } from '../src/polling/store.ts'
import { recordChanges } from '../src/recording/store.ts'
import { lockSubscriptionById, pauseSubscription, resumeSubscription } from '../src/subscriptions/store.ts'
import { pino } from 'pino'

const stack = new AsyncDisposableStack()
let pool: Pool
beforeAll(async () => {
  const database = stack.use(await throwAwayDatabase('webhook-delivery'))
  pool = openPool({ url: database.url, name: 'waiting test', size: 16 })
  stack.defer(() => pool.end())
  const partitions = createPartitions({ pool, url: database.url, retentionDays: 90, log: pino({ level: 'silent' }) })
  await partitions.maintain(new Date())
})
afterAll(() => stack.disposeAsync())
beforeEach(() =>
  pool.query(
    `delete from delivery.deliveries; delete from delivery.waiting_queues; delete from delivery.waiting_endpoints`,
  ),
)

const oldest = () => oldestOpenId(Date.now())
const visit = (most = 1_000) => visitDue(pool, { most, aheadMs: 0, visitMs: 5_000 })
const claim = (lines: readonly Line[], most = 8, claimId = uuidv4()) =>
  claimDue(
    pool,
    lines.map((line) => ({ ...line, most })),
    { claimId, leaseMs: 60_000, oldestId: oldest() },
  )

/** Subscriptions, one endpoint each unless they share one. Returns their ids. */
async function subscriptions(count: number, { shared = false } = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7())
  await pool.query(
    `with addresses as (
       insert into endpoints (client, url) select 'client', 'https://' || case when $2 then $1[1]::text else id::text end
         from unnest($1::uuid[]) as id on conflict do nothing returning id, url
     )
     insert into subscriptions (id, client, site_slug, site, endpoint_id, url, event_types, header_names, encrypted_headers, encrypted_secret, state)
     select s.id, s.id::text, s.id::text, '{}', a.id, a.url, '{payment.*}', '{}', '', '', 'active'
       from unnest($1::uuid[]) as s (id) join addresses a on $2 or a.url = 'https://' || s.id::text`,
    [ids, shared],
  )
  return ids
}

/** Deliveries that wait, one of one event for each of the subscriptions. */
async function park(ids: readonly string[], { dueInMs = 0, rank = 0 } = {}): Promise<void> {
  const eventId = uuidv7()
  await pool.query(
    `with event as (insert into delivery.events (event_id, type, rank, payload) values ($1, 'x', 0, '{}') returning event_id)
     insert into delivery.deliveries (subscription_id, event_id, due_at, state, rank)
     select id, event.event_id, now() + make_interval(secs => $3::float8 / 1000), 'pending', $4 from event, unnest($2::uuid[]) id`,
    [eventId, ids, dueInMs, rank],
  )
}

/** Deliveries that wait and would never be found: no queue, or none that is early enough, or no line of it. */
async function unfindable(): Promise<number> {
  const result = await pool.query<{ count: number }>(
    `select count(*)::int as count from delivery.deliveries d join subscriptions s on s.id = d.subscription_id
       left join delivery.waiting_queues q on q.subscription_id = d.subscription_id and q.rank = d.rank
       left join delivery.waiting_endpoints w on w.endpoint_id = q.endpoint_id and w.rank = q.rank
      where d.state = 'pending' and d.claim_id is null and not (s.state = 'paused' and d.rank <> ${manualRank})
        and (q.next_at is null or q.next_at > greatest(d.due_at, now()) or w.next_at is null or w.next_at > greatest(d.due_at, now() + interval '6 s'))`,
  )
  return result.rows[0]?.count ?? -1
}

test('a poll returns what is due, the longest due first, and the next poll what is behind it', async () => {
  const ids = await subscriptions(5)
  for (const [place, id] of ids.entries()) await park([id], { dueInMs: (place - 4) * 1_000 })
  await park(await subscriptions(3), { dueInMs: 60_000 })
  const first = await visit(2)
  expect(first).toHaveLength(2)
  expect(first[0]!.dueInMs).toBeLessThan(first[1]!.dueInMs)
  expect(await visit(10)).toHaveLength(3)
  expect(await visit(10)).toEqual([])
})

test('lines that were visited together do not come together again', async () => {
  await park(await subscriptions(100))
  expect(await visit()).toHaveLength(100)
  const { rows } = await pool.query<{ early: number; late: number }>(
    `select count(*) filter (where next_at < now() + interval '4 s')::int as early,
            count(*) filter (where next_at > now() + interval '5 s')::int as late from delivery.waiting_endpoints`,
  )
  expect(Math.min(rows[0]!.early, rows[0]!.late)).toBeGreaterThan(0)
})

test('deliveries of paused subscriptions and silent endpoints do not hide others, however many are due', async () => {
  const paused = await subscriptions(200, { shared: true })
  const silent = await subscriptions(200)
  await park([...paused, ...silent])
  await pool.query(`update subscriptions set state = 'paused', pause_reason = 'gone' where id = any($1)`, [paused])
  await pool.query(
    `update endpoints set throttled_until = now() + interval '1 hour'
      where id in (select endpoint_id from subscriptions where id = any($1))`,
    [silent],
  )
  const healthy = await subscriptions(1)
  await park(healthy)
  const found: Line[] = []
  for (let lines = await visit(50); lines.length > 0; lines = await visit(50)) {
    found.push(...lines.filter((line) => line.throttledMs === 0))
  }
  const { deliveries, counts } = await claim(found)
  expect(deliveries.map((delivery) => delivery.subscriptionId)).toEqual(healthy)
  const short = found.filter((_, place) => (counts[place] ?? 0) < 8)
  await settleLines(pool, short, oldest())
  const resting = await pool.query(
    `select count(*)::int as count from delivery.waiting_queues where next_at = 'infinity'`,
  )
  expect(resting.rows).toEqual([{ count: 200 }])

  await transaction(pool, async (tx) => {
    await lockSubscriptionById(tx, paused[0]!)
    await resumeSubscription(tx, paused[0]!)
  })
  expect((await claim(await visit())).deliveries.map((delivery) => delivery.subscriptionId)).toEqual([paused[0]])
})

test('the subscriptions of one endpoint get equal shares, and manual deliveries come first', async () => {
  const ids = await subscriptions(4, { shared: true })
  for (let i = 0; i < 10; i++) await park([ids[0]!])
  for (let i = 0; i < 2; i++) await park(ids.slice(1))
  await park([ids[3]!], { rank: manualRank })
  const lines = await visit()
  expect(lines.map((line) => line.rank).toSorted((a, b) => a - b)).toEqual([manualRank, 0])
  const { deliveries } = await claim(lines.filter((line) => line.rank === 0))
  const shares = Map.groupBy(deliveries, (delivery) => delivery.subscriptionId)
  expect([...shares.values()].map((share) => share.length)).toEqual([2, 2, 2, 2])
})

test('a delivery that waits is found in the end, whatever happens at the same time and whoever is killed', async () => {
  const ids = [...(await subscriptions(12, { shared: true })), ...(await subscriptions(12))]
  const oldestId = oldest()
  const some = () => ids.filter(() => Math.random() < 0.2)
  const held = new Set<LeasedDelivery>()
  const take = (count: number) => {
    const taken = [...held].slice(0, count)
    for (const delivery of taken) held.delete(delivery)
    return taken
  }
  const sessions = ['a', 'b', 'c', 'd', 'e', 'f'].map((instance) => instance.repeat(8))

  /** One random step, as one of the parts of the service makes it. */
  async function step(instance: string): Promise<void> {
    const dice = Math.random()
    if (dice < 0.2) await park(some(), { dueInMs: Math.random() < 0.5 ? 0 : Math.random() * 300 })
    else if (dice < 0.5) {
      const lines = await visitDue(pool, { most: 10, aheadMs: 0, visitMs: 200 })
      const { deliveries, counts } = await claim(lines, 3, instance + uuidv4().slice(8))
      for (const delivery of deliveries) held.add(delivery)
      await settleLines(
        pool,
        lines.filter((_, place) => (counts[place] ?? 0) < 3),
        oldestId,
      )
    } else if (dice < 0.6) await releaseDeliveries(pool, take(4))
    else if (dice < 0.75) {
      const changes = take(6).map((delivery) => ({
        delivery,
        state: Math.random() < 0.5 ? ('delivered' as const) : ('pending' as const),
        waitMs: Math.random() * 200,
        charged: true,
        attempt: undefined,
      }))
      if (changes.length > 0) await recordChanges(pool, changes, performance.now())
    } else if (dice < 0.8) await releaseInstance(pool, instance, oldestId)
    else if (dice < 0.9) {
      const id = ids[Math.floor(Math.random() * ids.length)]!
      await transaction(pool, async (tx) => {
        const subscription = await lockSubscriptionById(tx, id)
        if (subscription?.state === 'paused') await resumeSubscription(tx, id)
        else await pauseSubscription(tx, id, 'gone', 1_000)
      })
    } else if (dice < 0.95)
      await postponeLines(
        pool,
        (await visit(3)).map((line) => ({ ...line, waitMs: 100 })),
      )
    else {
      // A process that is killed in the middle of whatever it was doing.
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'waiting test' and state <> 'idle' and pid <> pg_backend_pid() order by random() limit 1`,
      )
    }
  }

  const until = performance.now() + 6_000
  let failures = 0
  const run = async (instance: string) => {
    while (performance.now() < until) await step(instance).catch(() => failures++)
  }
  await Promise.all(sessions.map(run))
  expect(failures).toBeGreaterThan(0)
  expect(await unfindable()).toBe(0)

  // Whoever is left finds everything.
  for (const instance of sessions) await releaseInstance(pool, instance, oldestId)
  await transaction(pool, async (tx) => {
    for (const id of ids.toSorted()) {
      await lockSubscriptionById(tx, id)
      await resumeSubscription(tx, id)
    }
  })
  const waiting = async () =>
    (
      await pool.query(
        `select count(*)::int as count from delivery.deliveries where state = 'pending' and claim_id is null`,
      )
    ).rows[0].count
  const deadline = performance.now() + 15_000
  while ((await waiting()) > 0 && performance.now() < deadline) {
    const lines = await visitDue(pool, { most: 100, aheadMs: 0, visitMs: 50 })
    const { counts } = await claim(lines, 50)
    await settleLines(
      pool,
      lines.filter((_, place) => (counts[place] ?? 0) < 50),
      oldestId,
    )
  }
  expect(await waiting()).toBe(0)
}, 30_000)
