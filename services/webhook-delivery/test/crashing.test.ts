import { eventually, openReceiver } from '@frontdesk/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deliveriesOf, onlyDelivery, openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'

const lease = { DELIVERY_LEASE: '1500ms' }

let fixture: DeliveryFixture
beforeEach(async () => {
  fixture = await openDeliveryFixture(lease)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const idsOf = (requests: readonly { headers: Record<string, unknown> }[]) =>
  requests.map((request) => String(request.headers['webhook-id']))

test('two replicas share the work, and each event is delivered by one of them', async () => {
  await using receiver = await openReceiver()
  await fixture.startReplica()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  // Every fourth has to be tried three times.
  receiver.reply(({ headers }) => ({
    status: Number(headers['webhook-attempt']) < 3 && /[0-3]$/.test(String(headers['webhook-id'])) ? 500 : 204,
  }))
  const published = await Promise.all(Array.from({ length: 100 }, () => fixture.publish(caller.site)))
  await eventually(
    async () => {
      const { rows } = await fixture.pool.query(`select state, count(*)::int from delivery.deliveries group by state`)
      expect(rows).toEqual([{ state: 'delivered', count: 100 }])
    },
    { within: 15_000 },
  )
  const ids = idsOf(receiver.requests)
  expect(new Set(ids)).toEqual(new Set(published.map((event) => event.id)))
  const { rows } = await fixture.pool.query(
    'select sum(attempts)::int as attempts, (select count(*)::int from delivery.attempts) as recorded from delivery.deliveries',
  )
  expect(rows).toEqual([{ attempts: ids.length, recorded: ids.length }])
})

test('a stopped replica lets requests under way finish, gives the rest back, and counts no failure', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  receiver.reply(() => ({ status: 204, after: 400 }))
  for (let i = 0; i < 60; i++) await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(8))
  await eventually(async () => {
    const { rows } = await fixture.pool.query('select count(*)::int as made from delivery.deliveries')
    expect(rows).toEqual([{ made: 60 }])
  })
  await fixture.stopFirst()
  const sent = receiver.requests.length
  expect(sent).toBeLessThan(60)
  const { rows } = await fixture.pool.query(
    `select state, count(*)::int, count(claim_id)::int as claimed from delivery.deliveries group by state order by state`,
  )
  expect(rows).toEqual([
    { state: 'pending', count: 60 - sent, claimed: 0 },
    { state: 'delivered', count: sent, claimed: 0 },
  ])
  receiver.reply(() => ({ status: 204 }))
  await fixture.restart(lease)
  await eventually(() => expect(receiver.requests).toHaveLength(60))
  expect(new Set(idsOf(receiver.requests)).size).toBe(60)
})

test('a hanging request is aborted at the end of the grace, and does not count as a failure', async () => {
  await fixture.restart({ ...lease, SHUTDOWN_GRACE: '8300ms' })
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  receiver.reply(() => 'hang')
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  await fixture.stopFirst()
  const { rows } = await fixture.pool.query('select state, attempts, step, claim_id from delivery.deliveries')
  expect(rows).toEqual([{ state: 'pending', attempts: 0, step: 0, claim_id: null }])
})

test('the lease of a long request is extended, and no other replica sends the delivery', async () => {
  await using receiver = await openReceiver()
  await fixture.startReplica()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  receiver.reply(() => ({ status: 204, after: 4_000 }))
  await fixture.publish(caller.site)
  await eventually(async () => expect((await onlyDelivery(caller)).State).toBe('delivered'), { within: 10_000 })
  expect(receiver.requests).toHaveLength(1)
})

test('an answer after the lease was lost is recorded as an attempt, and changes no state', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  receiver.reply(() => ({ status: 204, after: 600 }))
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  await fixture.pool.query(
    `update delivery.deliveries set claim_id = gen_random_uuid(), due_at = now() + interval '2 seconds'`,
  )
  await eventually(async () => {
    const { rows } = await fixture.pool.query(
      'select state, attempts, (select count(*)::int from delivery.attempts) as recorded from delivery.deliveries',
    )
    expect(rows).toEqual([{ state: 'pending', attempts: 1, recorded: 1 }])
  })
  receiver.reply(() => ({ status: 204 }))
  await eventually(async () => expect(await onlyDelivery(caller)).toMatchObject({ State: 'delivered', Attempts: 2 }), {
    within: 8_000,
  })
})

test('while Postgres is away outcomes wait in memory, and all deliveries arrive afterwards', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  receiver.reply(() => ({ status: 204, after: 300 }))
  for (let i = 0; i < 30; i++) await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(8))
  // Every connection of the service is cut, and new ones are refused for a while.
  const name = (await fixture.pool.query('select current_database() as name')).rows[0].name as string
  const cut = () =>
    fixture.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'webhook-delivery%'`,
      [name],
    )
  const until = Date.now() + 1_000
  while (Date.now() < until) {
    await cut()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  receiver.reply(() => ({ status: 204 }))
  await eventually(
    async () => expect((await deliveriesOf(caller, 30)).every((delivery) => delivery.State === 'delivered')).toBe(true),
    { within: 15_000 },
  )
})

test('while NATS is away waiting deliveries are sent, and new events arrive after it is back', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  receiver.reply(() => ({ status: 500 }))
  const first = await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  await fixture.nats.stop('SIGKILL')
  receiver.reply(() => ({ status: 204 }))
  await eventually(async () => expect((await onlyDelivery(caller)).State).toBe('delivered'))
  await fixture.nats.start()
  const second = await eventually(() => fixture.publish(caller.site), { within: 10_000 })
  await eventually(() => expect(new Set(idsOf(receiver.requests))).toEqual(new Set([first.id, second.id])), {
    within: 15_000,
  })
})
