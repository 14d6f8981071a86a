import { readFileSync } from 'node:fs'
import { eventually, openReceiver } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDeliveryFixture, type Caller, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture({
    DELIVERY_DEADLINE: '3s',
    DELIVERY_RETRY_SCHEDULE: '300ms,300ms,300ms,300ms,300ms,300ms,300ms,300ms',
  })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const delivered = (caller: Caller, count: number, within: number) =>
  eventually(
    async () => {
      const { body } = await caller.call('listDeliveries', { query: '?State=delivered&pageSize=250' })
      expect(body.Items).toHaveLength(count)
    },
    { within },
  )

test('endpoints that hang do not slow down others, even on the same origin', async () => {
  await using receiver = await openReceiver()
  receiver.reply((request) => (request.path === '/healthy' ? { status: 204 } : 'hang'))
  const hanging = Array.from({ length: 10 }, (_, index) =>
    fixture.caller({ principal: { id: `client:hanging${index}` } }),
  )
  const healthy = fixture.caller()
  await Promise.all([
    ...hanging.map((caller, index) => caller.subscribe(`${receiver.url}/hanging${index}`)),
    healthy.subscribe(`${receiver.url}/healthy`),
  ])
  for (let i = 0; i < 30; i++) await Promise.all(hanging.map((caller) => fixture.publish(caller.site)))
  const startedAt = performance.now()
  for (let i = 0; i < 50; i++) await fixture.publish(healthy.site)
  await eventually(() => expect(receiver.requests.filter((request) => request.path === '/healthy')).toHaveLength(50), {
    within: 2_500,
  })
  expect(performance.now() - startedAt).toBeLessThan(2_500)
  // A hanging endpoint gets no more requests than its window.
  const perEndpoint = Map.groupBy(receiver.requests, (request) => request.path)
  for (const [path, requests] of perEndpoint)
    if (path !== '/healthy') expect(requests.length, path).toBeLessThanOrEqual(32)
})

test('two clients with the same address have separate endpoints: a throttle of one does not affect the other', async () => {
  await using receiver = await openReceiver()
  receiver.reply((request) =>
    request.headers['x-client'] === 'bad' ? { status: 429, headers: { 'retry-after': '60' } } : { status: 204 },
  )
  const bad = fixture.caller({ principal: { id: 'client:bad' } })
  const good = fixture.caller({ principal: { id: 'client:good' } })
  await bad.subscribe(receiver.url, { Headers: [{ Name: 'X-Client', Value: 'bad' }] })
  await good.subscribe(receiver.url)
  await fixture.publish(bad.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  await fixture.publish(good.site)
  await delivered(good, 1, 2_000)
})

test('no endpoint gets more than 32 requests at a time', async () => {
  await using receiver = await openReceiver()
  let inFlight = 0
  let most = 0
  receiver.reply(() => {
    most = Math.max(most, ++inFlight)
    setTimeout(() => inFlight--, 30)
    return { status: 204, after: 30 }
  })
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await Promise.all(Array.from({ length: 250 }, () => fixture.publish(caller.site)))
  await delivered(caller, 250, 10_000)
  expect(most).toBeGreaterThan(16)
  expect(most).toBeLessThanOrEqual(32)
})

test('a backlog drains slowly at first when its endpoint is back', async () => {
  const gone = await openReceiver()
  const { port } = new URL(gone.url)
  await gone[Symbol.asyncDispose]()
  const caller = fixture.caller()
  await caller.subscribe(`http://127.0.0.1:${port}/`)
  const published = await Promise.all(Array.from({ length: 300 }, () => fixture.publish(caller.site)))
  await eventually(async () => {
    const { rows } = await fixture.pool.query(
      `select count(*)::int as count from delivery.deliveries d join subscriptions s on s.id = d.subscription_id where s.site_slug = $1`,
      [caller.site.slug],
    )
    expect(rows[0].count).toBe(300)
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
  await using back = await openReceiver({ port: Number(port) })
  let inFlight = 0
  const inFlightAt: number[] = []
  back.reply(() => {
    inFlightAt.push(++inFlight)
    setTimeout(() => inFlight--, 10)
    return { status: 204, after: 10 }
  })
  await eventually(
    () => expect(new Set(back.requests.map((request) => request.headers['webhook-id'])).size).toBe(300),
    { within: 15_000 },
  )
  expect(Math.max(...inFlightAt.slice(0, 2))).toBeLessThanOrEqual(2)
  expect(Math.max(...inFlightAt.slice(0, 10))).toBeLessThanOrEqual(8)
  expect(new Set(published.map((event) => event.id)).size).toBe(300)
})

test('deliveries that do not fit into memory wait in Postgres, and arrive', async () => {
  await using receiver = await openReceiver()
  receiver.reply(() => ({ status: 204, after: 5 }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 200 }, () => fixture.publish(caller.site)))
  await eventually(
    () => expect(new Set(receiver.requests.map((request) => request.headers['webhook-id'])).size).toBe(2_000),
    { within: 20_000 },
  )
  expect(receiver.requests).toHaveLength(2_000)
  await eventually(async () => {
    const { rows } = await fixture.pool.query(
      `select d.state, count(*)::int from delivery.deliveries d join subscriptions s on s.id = d.subscription_id where s.site_slug = $1 group by 1`,
      [caller.site.slug],
    )
    expect(rows).toEqual([{ state: 'delivered', count: 2_000 }])
  })
})

test('many addresses at one host share its requests in flight', async () => {
  await using receiver = await openReceiver()
  const callers = Array.from({ length: 4 }, () => fixture.caller())
  for (const [index, caller] of callers.entries()) await caller.subscribe(`${receiver.url}/?n=${index}`)
  const publish = (each: number) =>
    Promise.all(callers.flatMap(({ site }) => Array.from({ length: each }, () => fixture.publish(site))))
  // After so many answers each of them would be trusted with 32 requests of its own.
  await publish(35)
  await eventually(() => expect(receiver.requests).toHaveLength(140), { within: 15_000 })

  let present = 0
  let most = 0
  receiver.reply(() => {
    most = Math.max(most, ++present)
    setTimeout(() => present--, 1_500)
    return { status: 204, after: 1_500 }
  })
  await publish(12)
  await eventually(() => expect(receiver.requests).toHaveLength(188), { within: 15_000 })
  expect(most).toBe(32)
})

test('the migration moves subscriptions of single addresses, and what waits for them, to the endpoint of their origin', async () => {
  await using receiver = await openReceiver()
  let status = 503
  receiver.reply(() => ({ status, headers: { 'retry-after': '3600' } }))
  const { pool } = fixture
  const callers = [fixture.caller(), fixture.caller()]
  for (const [index, caller] of callers.entries()) await caller.subscribe(`${receiver.url}/hook?n=${index}`)
  const slugs = callers.map(({ site }) => site.slug)
  for (const caller of callers) await fixture.publish(caller.site)
  const inEndpoints = async () =>
    (
      await pool.query(
        `select e.url, q.endpoint_id = s.endpoint_id as follows from subscriptions s join endpoints e on e.id = s.endpoint_id
           join delivery.waiting_queues q on q.subscription_id = s.id where s.site_slug = any($1)`,
        [slugs],
      )
    ).rows
  await eventually(async () => expect(await inEndpoints()).toHaveLength(2))
  await pool.query(
    `with old as (
       insert into endpoints (client, url) select client, url from subscriptions where site_slug = any($1) returning id, url
     ), moved as (
       update subscriptions s set endpoint_id = old.id from old where s.url = old.url returning s.id, s.endpoint_id
     )
     update delivery.waiting_queues q set endpoint_id = moved.endpoint_id from moved where q.subscription_id = moved.id`,
    [slugs],
  )
  const migration = new URL('../prisma/migrations/0013_endpoints_by_origin/migration.sql', import.meta.url)
  await pool.query(readFileSync(migration, 'utf8'))
  const there = { url: receiver.url, follows: true }
  expect(await inEndpoints()).toEqual([there, there])

  status = 204
  await pool.query(`update endpoints set throttled_until = null where url like $1 || '%'`, [receiver.url])
  await pool.query(
    `update delivery.deliveries set due_at = now() where state = 'pending' and subscription_id in
       (select id from subscriptions where site_slug = any($1))`,
    [slugs],
  )
  for (const caller of callers) await delivered(caller, 1, 10_000)
})
