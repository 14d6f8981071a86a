import { eventually, openReceiver } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveriesOf, openDeliveryFixture, type Caller, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture({ DELIVERY_PROBE_INTERVAL: '500ms' })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const labelsOf = async (caller: Caller) => (await caller.call('getSubscription')).body.Labels

/** Pauses a subscription for failing; its probe is due at once. */
async function pause(caller: Caller): Promise<void> {
  await fixture.pool.query(
    `update subscriptions set state = 'paused', pause_reason = 'failing', paused_at = now(), next_probe_at = now(),
            failing_since = now() - interval '6 days', failed_attempts = 60, version = version + 1 where site_slug = $1`,
    [caller.site.slug],
  )
}

test('410 to a probe pauses a failing subscription as gone: its other deliveries are kept', async () => {
  await using receiver = await openReceiver()
  receiver.reply(() => ({ status: 410 }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.pool.query(`update subscriptions set next_probe_at = null where site_slug = $1`, [caller.site.slug])
  await fixture.pool.query(`update subscriptions set state = 'paused', pause_reason = 'failing' where site_slug = $1`, [
    caller.site.slug,
  ])
  for (let i = 0; i < 5; i++) await fixture.publish(caller.site)
  await deliveriesOf(caller, 5)
  await pause(caller)
  await eventually(async () => expect(await labelsOf(caller)).toEqual(['payments', 'paused', 'gone']))
  // Health is recorded once a second: a resumed subscription would send the others within two.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(receiver.requests).toHaveLength(1)
  expect(await labelsOf(caller)).toEqual(['payments', 'paused', 'gone'])
  const states = (await deliveriesOf(caller, 5)).map((delivery) => delivery.State)
  expect(states.toSorted()).toEqual(['pending', 'pending', 'pending', 'pending', 'rejected'])
  const told = (await fixture.ownEvents()).filter((event) => event.data['siteSlug'] === caller.site.slug)
  expect(told.map((event) => [event.type, event.data['reason']])).toEqual([['subscription.paused', 'gone']])
})

test('410 to an attempt that a person asked for pauses the subscription, and does not count as an answer', async () => {
  await using receiver = await openReceiver()
  let status = 204
  receiver.reply(() => ({ status }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.pool.query(`update subscriptions set failing_since = now(), failed_attempts = 3 where site_slug = $1`, [
    caller.site.slug,
  ])
  status = 410
  await caller.call('sendTestEvent')
  await eventually(async () => expect(await labelsOf(caller)).toEqual(['payments', 'paused', 'gone']))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const { rows } = await fixture.pool.query('select failed_attempts from subscriptions where site_slug = $1', [
    caller.site.slug,
  ])
  expect(rows).toEqual([{ failed_attempts: 3 }])
})
