import { eventually, openReceiver } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deliveriesOf,
  onlyDelivery,
  openDeliveryFixture,
  type Caller,
  type DeliveryFixture,
} from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture({
    DELIVERY_RETRY_SCHEDULE: Array.from({ length: 80 }, () => '20ms').join(','),
    DELIVERY_PAUSE_AFTER: '1s',
    DELIVERY_PROBE_INTERVAL: '800ms',
  })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const labelsOf = async (caller: Caller) => (await caller.call('getSubscription')).body.Labels
const toldOf = async (caller: Caller) =>
  (await fixture.ownEvents())
    .filter((event) => event.data['siteSlug'] === caller.site.slug)
    .map((event) => [event.type, event.data['state'], event.data['reason']])

test('410 rejects the delivery and pauses the subscription until its owner subscribes again', async () => {
  await using receiver = await openReceiver()
  let status = 410
  receiver.reply(() => ({ status }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.publish(caller.site)
  await eventually(async () => expect(await labelsOf(caller)).toEqual(['payments', 'paused', 'gone']))
  expect((await onlyDelivery(caller)).State).toBe('rejected')
  await eventually(async () => expect(await toldOf(caller)).toEqual([['subscription.paused', 'paused', 'gone']]))

  status = 204
  await fixture.publish(caller.site)
  await fixture.publish(caller.site)
  // Long enough for several probes: a subscription that is gone is never probed.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(receiver.requests).toHaveLength(1)
  expect((await deliveriesOf(caller, 3)).map((delivery) => delivery.State)).toEqual(['pending', 'pending', 'rejected'])

  await caller.subscribe(receiver.url)
  expect(await labelsOf(caller)).toEqual(['payments', 'active'])
  await eventually(() => expect(receiver.requests).toHaveLength(3))
  await eventually(async () =>
    expect((await toldOf(caller)).at(-1)).toEqual(['subscription.resumed', 'active', undefined]),
  )
})

test('a subscription that fails long and often is paused; a successful probe resumes it, and waiting deliveries are sent', async () => {
  await using receiver = await openReceiver()
  let status = 500
  receiver.reply(() => ({ status }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  for (let i = 0; i < 4; i++) await fixture.publish(caller.site)
  await eventually(async () => expect(await labelsOf(caller)).toEqual(['payments', 'paused', 'failing']), {
    within: 20_000,
  })
  expect(receiver.requests.length).toBeGreaterThanOrEqual(50)
  await fixture.publish(caller.site)
  status = 204
  await eventually(async () => expect(await labelsOf(caller)).toEqual(['payments', 'active']), { within: 10_000 })
  await eventually(async () => {
    const states = (await deliveriesOf(caller, 5)).map((delivery) => delivery.State)
    expect(states.filter((state) => state === 'pending')).toEqual([])
    expect(states[0]).toBe('delivered')
  })
  await eventually(async () =>
    expect((await toldOf(caller)).filter(([type]) => type !== 'delivery.exhausted')).toEqual([
      ['subscription.paused', 'paused', 'failing'],
      ['subscription.resumed', 'active', undefined],
    ]),
  )
})

test('failures with successes between them do not pause a subscription', async () => {
  await using receiver = await openReceiver()
  let calls = 0
  receiver.reply(() => ({ status: ++calls % 10 === 0 ? 204 : 500 }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  for (let i = 0; i < 12; i++) await fixture.publish(caller.site)
  await eventually(
    async () => expect((await deliveriesOf(caller, 12)).every((delivery) => delivery.State === 'delivered')).toBe(true),
    { within: 20_000 },
  )
  expect(receiver.requests.length).toBeGreaterThan(100)
  expect(await labelsOf(caller)).toEqual(['payments', 'active'])
})

test('a person may send a delivery again, or a test event, while the subscription is paused', async () => {
  await using receiver = await openReceiver()
  let status = 410
  receiver.reply(() => ({ status }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.publish(caller.site)
  await eventually(async () => expect(await labelsOf(caller)).toEqual(['payments', 'paused', 'gone']))
  await fixture.publish(caller.site)
  status = 204
  const rejected = (await deliveriesOf(caller, 2))[1]!
  await caller.call('redeliver', { params: { DeliveryId: rejected.DeliveryId } })
  await eventually(() => expect(receiver.requests).toHaveLength(2))
  await caller.call('sendTestEvent')
  await eventually(() => expect(receiver.requests).toHaveLength(3))
  await eventually(async () =>
    expect((await deliveriesOf(caller, 3)).map((delivery) => delivery.State)).toEqual([
      'delivered',
      'pending',
      'delivered',
    ]),
  )
  expect(await labelsOf(caller)).toEqual(['payments', 'paused', 'gone'])
})
