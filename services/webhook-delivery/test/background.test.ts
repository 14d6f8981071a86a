import { openPool, type Pool } from '@frontdesk/database'
import { eventually, openReceiver } from '@frontdesk/testing'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOverdue } from '../src/background.ts'
import { dayOf, startOfDay } from '../src/partitions/days.ts'
import { createPartitions } from '../src/partitions/partitions.ts'
import { presentDays } from '../src/partitions/store.ts'
import { onlyDelivery, openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'

const day = 24 * 60 * 60 * 1000

let fixture: DeliveryFixture
/** As the service. */
let pool: Pool
beforeAll(async () => {
  fixture = await openDeliveryFixture()
  pool = openPool({ url: fixture.databaseUrl, name: 'webhook-delivery', size: 4 })
})
afterAll(async () => {
  await pool.end()
  await fixture[Symbol.asyncDispose]()
})

const partitions = (retentionDays: number) =>
  createPartitions({ pool, url: fixture.databaseUrl, retentionDays, log: pino({ level: 'silent' }) })

test('partitions exist for yesterday, today and a week ahead, also when several replicas create them at once', async () => {
  const now = Date.now() + 30 * day
  await Promise.all(Array.from({ length: 4 }, () => partitions(90).maintain(new Date(now))))
  const present = await presentDays(fixture.pool)
  for (let ahead = -1; ahead <= 7; ahead++) expect(present).toContain(dayOf(now) + ahead)
  expect(new Set(present).size).toBe(present.length)
})

test('an event of a day without partitions gets them, and is delivered', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url, { EventTypes: ['com.example.recall'] })
  await fixture.pool.query(`update subscriptions set created_at = now() - interval '20 days' where site_slug = $1`, [
    caller.site.slug,
  ])
  const id = uuidv7({ msecs: Date.now() - 9 * day })
  expect(await presentDays(fixture.pool)).not.toContain(dayOf(Date.now() - 9 * day))
  await fixture.publishExternal(
    {
      specversion: '1.0',
      id: 'x',
      source: 'https://x.example',
      type: 'com.example.recall',
      siteslug: caller.site.slug,
      visibility: 1,
    },
    id,
  )
  await eventually(() => expect(receiver.requests.map((request) => request.headers['webhook-id'])).toEqual([id]))
})

test('a day past its retention is dropped unless a delivery in it is still open', async () => {
  const old = startOfDay(dayOf(Date.now() - 40 * day))
  const [settled, open] = [uuidv7({ msecs: old + 5 }), uuidv7({ msecs: old + day + 5 })]
  await partitions(90).ensure([old, old + day])
  const subscriptionId = uuidv7()
  for (const [eventId, state] of [
    [settled, 'delivered'],
    [open, 'pending'],
  ]) {
    await fixture.pool.query(`insert into delivery.events (event_id, type, rank, payload) values ($1, 'x', 0, '')`, [
      eventId,
    ])
    await fixture.pool.query(
      `insert into delivery.deliveries (subscription_id, event_id, due_at, claim_id, state, rank)
       values ($1, $2, 'infinity', gen_random_uuid(), $3::delivery.delivery_state, 0)`,
      [subscriptionId, eventId, state],
    )
  }
  await partitions(30).maintain(new Date())
  const present = await presentDays(fixture.pool)
  expect(present).not.toContain(dayOf(old))
  expect(present).toContain(dayOf(old + day))
  const left = await fixture.pool.query('select event_id from delivery.events where event_id = any($1)', [
    [settled, open],
  ])
  expect(left.rows).toEqual([{ event_id: open }])
})

test('a delivery ends 14 days after its event, also while its subscription is paused', async () => {
  const caller = fixture.caller()
  await caller.subscribe('http://127.0.0.1:9/')
  await fixture.pool.query(`update subscriptions set state = 'paused', pause_reason = 'gone' where site_slug = $1`, [
    caller.site.slug,
  ])
  await fixture.publish(caller.site)
  await onlyDelivery(caller)
  const deps = {
    db: { pool: fixture.pool },
    origin: { service: 'webhook-delivery', publicUrl: 'https://frontdesk.example' },
    relay: { wake() {} },
  }
  await endOverdue(deps, Date.now() + 13 * day)
  expect((await onlyDelivery(caller)).State).toBe('pending')
  await endOverdue(deps, Date.now() + 14 * day + 60_000)
  expect((await onlyDelivery(caller)).State).toBe('exhausted')
  await eventually(async () => {
    const told = (await fixture.ownEvents()).filter((event) => event.data['siteSlug'] === caller.site.slug)
    expect(told).toMatchObject([{ type: 'delivery.exhausted', data: { attempts: 0, version: 1 } }])
  })
})

test('the service answers probes and serves metrics', async () => {
  const url = fixture.url()
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready', nats: 'connected' })
  const metrics = await (await fetch(`${url}/metrics`)).text()
  for (const name of ['delivery_attempts_total', 'delivery_held', 'delivery_due_lateness_seconds', 'outbox_waiting'])
    expect(metrics).toContain(name)
})
