import { eventually, openReceiver } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture({ DELIVERY_RETRY_SCHEDULE: '200ms,200ms,200ms,200ms,200ms,200ms' })
})
afterAll(() => fixture[Symbol.asyncDispose]())

test('what is known is still sent when it is due while a poll does not answer', async () => {
  await using receiver = await openReceiver()
  let status = 500
  receiver.reply(() => ({ status }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const blocker = await fixture.pool.connect()
  try {
    await blocker.query('begin')
    await blocker.query('lock table endpoints in access exclusive mode')
    await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(5), { within: 4_000 })
  } finally {
    await blocker.query('rollback')
    blocker.release()
  }
  status = 204
  await eventually(async () => {
    const { body } = await caller.call('listDeliveries', { query: '?State=delivered' })
    expect(body.Items).toHaveLength(1)
  })
})

test('retries come on time while 50,000 other subscriptions have deliveries that wait', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.pool.query(
    `with own as (select * from subscriptions where site_slug = $1), ids as (
       select gen_random_uuid() as id from generate_series(1, 50000)
     ), addresses as (
       insert into endpoints (client, url) select 'many', 'https://receiver.example/' || id from ids returning id, url
     ), made as (
       insert into subscriptions (id, client, site_slug, site, endpoint_id, url, event_types, header_names, encrypted_headers, encrypted_secret, state)
       select ids.id, ids.id::text, ids.id::text, own.site, a.id, a.url, '{payment.*}', '{}', '', '', 'active'
         from own, ids join addresses a on a.url = 'https://receiver.example/' || ids.id
       returning id
     ) select 1 from made limit 1`,
    [caller.site.slug],
  )
  const event = await fixture.publish(fixture.caller().site)
  await eventually(async () => {
    const { rowCount } = await fixture.pool.query('select 1 from delivery.events where event_id = $1', [event.id])
    expect(rowCount).toBe(1)
  })
  await fixture.pool.query(
    `insert into delivery.deliveries (subscription_id, event_id, due_at, state, rank)
     select id, $1, now() + interval '1 hour', 'pending', 0 from subscriptions where client = id::text`,
    [event.id],
  )
  await fixture.pool.query('analyze')
  const at: number[] = []
  receiver.reply(() => {
    at.push(performance.now())
    return { status: at.length < 7 ? 500 : 204 }
  })
  await fixture.publish(caller.site)
  // A change of a subscription makes every replica poll.
  const other = fixture.caller()
  await eventually(
    async () => {
      await other.subscribe(receiver.url)
      expect(at).toHaveLength(7)
    },
    { within: 20_000 },
  )
  // Each waits 160 to 240 ms.
  expect(at.at(-1)! - at[0]!).toBeLessThan(6 * 240 + 1_500)
}, 40_000)
