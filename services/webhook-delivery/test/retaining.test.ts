import { eventually, openReceiver } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteUnneeded } from '../src/clean-up.ts'
import { onlyDelivery, openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'

const day = 24 * 60 * 60 * 1000

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

test('ended subscriptions and their endpoints go when their deliveries have gone, however many there are', async () => {
  const caller = fixture.caller()
  for (let i = 0; i < 30; i++) {
    await caller.subscribe(`https://receiver.example/${i}`)
    await caller.call('unsubscribe')
  }
  await caller.subscribe('https://receiver.example/live')
  const busy = fixture.caller()
  await busy.subscribe('http://127.0.0.1:9/')
  await fixture.publish(busy.site)
  await onlyDelivery(busy)
  await busy.call('unsubscribe')
  await fixture.pool.query(`update endpoints set created_at = now() - interval '2 days'`)
  const count = async (text: string) =>
    (await fixture.pool.query(`select count(*)::int as count from ${text}`)).rows[0].count
  const signal = new AbortController().signal

  await deleteUnneeded(fixture.pool, { retentionDays: 90, now: new Date(Date.now() + 80 * day), signal })
  expect(await count('subscriptions')).toBe(32)
  await deleteUnneeded(fixture.pool, { retentionDays: 90, now: new Date(Date.now() + 93 * day), signal })
  // The live one, and the one whose delivery is still there.
  expect(await count('subscriptions')).toBe(2)
  expect(await count('endpoints')).toBe(2)
})

test('the subscription of a deleted site stays for as long as it matches events', async () => {
  const caller = fixture.caller()
  await caller.subscribe('https://receiver.example/site')
  await fixture.deleteSite(caller.site)
  await eventually(async () => expect((await caller.call('getSubscription')).status).toBe(404))
  const left = async () =>
    (await fixture.pool.query('select from subscriptions where site_slug = $1', [caller.site.slug])).rowCount
  const signal = new AbortController().signal
  await deleteUnneeded(fixture.pool, { retentionDays: 90, now: new Date(Date.now() + 179 * day), signal })
  expect(await left()).toBe(1)
  await deleteUnneeded(fixture.pool, { retentionDays: 90, now: new Date(Date.now() + 181 * day), signal })
  expect(await left()).toBe(0)
})

test('of a reply to an accepted delivery 256 bytes are kept, of any other 16 KiB', async () => {
  await using receiver = await openReceiver()
  let status = 200
  receiver.reply(() => ({ status, body: 'é'.repeat(1_000) }))
  const bodies: (string | undefined)[] = []
  for (status of [200, 422]) {
    const caller = fixture.caller()
    await caller.subscribe(receiver.url)
    await fixture.publish(caller.site)
    await eventually(async () => {
      const { DeliveryId, State } = await onlyDelivery(caller)
      expect(State).not.toBe('pending')
      bodies.push((await caller.call('getDelivery', { params: { DeliveryId } })).body.AttemptList[0]?.ResponseBody)
    })
  }
  expect(bodies).toEqual(['é'.repeat(128), 'é'.repeat(1_000)])
})
