import { publicEventTypes } from '@frontdesk/contracts'
import { eventually, openReceiver } from '@frontdesk/testing'
import { HTTP, type CloudEvent } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveriesOf, onlyDelivery, openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

test('an outcome of a payment arrives once, signed, as a CloudEvent, byte for byte', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const secret = await caller.subscribe(`${receiver.url}/hook?a=1`, { Headers: [{ Name: 'X-Key', Value: 'k 1' }] })
  const event = await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const request = receiver.requests[0]!
  expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1', body: event.payload.toString() })
  expect(request.headers).toMatchObject({
    'webhook-id': event.id,
    'webhook-attempt': '1',
    'x-key': 'k 1',
    'content-type': 'application/cloudevents+json; charset=utf-8',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  })
  expect(new Webhook(secret).verify(request.body, request.headers as Record<string, string>)).toMatchObject({
    type: 'payment.succeeded',
  })
  const parsed = HTTP.toEvent({ headers: request.headers, body: request.body }) as CloudEvent<unknown>
  expect(parsed.validate()).toBe(true)
  expect(parsed).toMatchObject({ id: event.id, siteslug: caller.site.slug, data: { amount: 12_500 } })

  const delivery = await eventually(async () => {
    const found = await onlyDelivery(caller)
    expect(found.State).toBe('delivered')
    return found
  })
  expect(delivery).toMatchObject({ EventId: event.id, EventType: 'payment.succeeded', Attempts: 1 })
  const { body } = await caller.call('getDelivery', { params: { DeliveryId: delivery.DeliveryId } })
  expect(body.AttemptList).toEqual([
    { Number: 1, StartedAt: expect.any(String), DurationMs: expect.any(Number), Outcome: 'accepted', StatusCode: 204 },
  ])
})

test('an event that is published twice is delivered once', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const event = await fixture.publish(caller.site)
  // Under another message id, so that JetStream does not drop it: as after its window.
  await fixture.js.publish(event.subject, event.payload, { msgID: `${event.id}-again` })
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(2))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(
    receiver.requests.map((request) => request.headers['webhook-id']).filter((id) => id === event.id),
  ).toHaveLength(1)
})

test('only subscribed events arrive, and only those of the site', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const other = fixture.caller()
  await caller.subscribe(receiver.url, { EventTypes: ['payment.failed', 'com.example.recall'] })
  await other.subscribe(`${receiver.url}/other`)
  await fixture.publish(caller.site, { type: 'payment.succeeded' })
  await fixture.publish(caller.site, { type: 'payment.cancelled' })
  const failed = await fixture.publish(caller.site, { type: 'payment.failed' })
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  expect(receiver.requests[0]!.headers['webhook-id']).toBe(failed.id)
})

const byText = (one: string, other: string) => one.localeCompare(other)

test.each<[string[], (typeof publicEventTypes)[number][]]>([
  [['payment.*'], ['payment.succeeded', 'payment.failed', 'payment.cancelled']],
  [['refund.*'], ['refund.succeeded', 'refund.failed']],
  [['dispute.*'], ['dispute.opened', 'dispute.closed']],
  [['account.*'], ['account.status_changed']],
  [
    ['refund.failed', 'dispute.closed'],
    ['refund.failed', 'dispute.closed'],
  ],
  [
    ['payment.*', 'dispute.opened'],
    ['payment.succeeded', 'payment.failed', 'payment.cancelled', 'dispute.opened'],
  ],
])('a subscription to %j gets exactly the events of ours that it names', async (types, wanted) => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url, { EventTypes: [...types, 'com.example.last'] })
  const published: [string, string][] = []
  for (const type of publicEventTypes) published.push([(await fixture.publish(caller.site, { type })).id, type])
  const typesIn = () =>
    receiver.requests.map(({ headers }) => new Map(published).get(String(headers['webhook-id'])) ?? 'unknown')
  await eventually(() => expect(typesIn().toSorted(byText)).toEqual(wanted.toSorted(byText)))
  // The events of a stream are taken in order, and all of them have been: no other delivery was made.
  const taken = async () =>
    (
      await fixture.pool.query('select 1 from delivery.events where event_id = any($1::uuid[])', [
        published.map(([id]) => id),
      ])
    ).rowCount
  await eventually(async () => expect(await taken()).toBe(publicEventTypes.length))
  const deliveries = await deliveriesOf(caller, wanted.length)
  expect(deliveries.map(({ EventType }) => EventType).toSorted(byText)).toEqual(wanted.toSorted(byText))
})

test('every subscriber of a site gets the event, both a client and a site key', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const key = fixture.caller({ principal: { id: `site:${caller.site.slug}` }, site: caller.site })
  await caller.subscribe(`${receiver.url}/client`)
  await key.subscribe(`${receiver.url}/key`)
  await fixture.publish(caller.site)
  await eventually(() =>
    expect(receiver.requests.map((request) => request.path).toSorted()).toEqual(['/client', '/key']),
  )
})

test('an event from before the subscription is not delivered', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const before = new Date()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await caller.subscribe(receiver.url, { EventTypes: ['payment.*', 'com.example.recall'] })
  const old = uuidv7({ msecs: before.getTime() })
  await fixture.publishExternal(
    {
      specversion: '1.0',
      id: 'x.1',
      source: 'https://other.example',
      type: 'com.example.recall',
      siteslug: caller.site.slug,
      visibility: 1,
    },
    old,
  )
  const fresh = await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests.map((request) => request.headers['webhook-id'])).toEqual([fresh.id]))
})

test('an external event arrives byte for byte, under an id of ours', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const secret = await caller.subscribe(receiver.url, { EventTypes: ['com.example.recall'] })
  const envelope = {
    zeta: 'kept',
    specversion: '1.0',
    id: 'their.own-id',
    source: 'https://demo.frontdesk.example/x',
    type: 'com.example.recall',
    siteslug: caller.site.slug,
    visibility: 1,
  }
  const id = await fixture.publishExternal(envelope)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const request = receiver.requests[0]!
  expect(request.headers['webhook-id']).toBe(id)
  expect(request.body).toBe(JSON.stringify(envelope))
  new Webhook(secret).verify(request.body, request.headers as Record<string, string>)
})

test('a message that is no event goes to the dead letters, a forged one is dropped, and the next one is delivered', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const subject = `evt.pub.payments.payment.succeeded.v1.${caller.site.slug}`
  await fixture.js.publish(subject, 'nonsense')
  await fixture.js.publish(
    subject,
    JSON.stringify({
      specversion: '1.0',
      id: 'i',
      source: 'https://x.example',
      type: 'payment.succeeded',
      siteslug: caller.site.slug,
      visibility: 0,
    }),
  )
  const good = await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests.map((request) => request.headers['webhook-id'])).toEqual([good.id]))
  await eventually(async () => expect(await fixture.deadLetters()).toBe(1))
})

test('an event is not delivered before its intendeddeliverytime, nor after its expirytime', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const at = Date.now() + 700
  const later = await fixture.publish(caller.site, { attributes: { intendeddeliverytime: new Date(at).toISOString() } })
  const expired = await fixture.publish(caller.site, {
    attributes: { expirytime: new Date(Date.now() - 1_000).toISOString() },
  })
  const never = await fixture.publish(caller.site, {
    attributes: {
      intendeddeliverytime: new Date(Date.now() + 600).toISOString(),
      expirytime: new Date(Date.now() + 300).toISOString(),
    },
  })
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  expect(receiver.requests[0]!.headers['webhook-id']).toBe(later.id)
  expect(receiver.requests[0]!.receivedAt.getTime()).toBeGreaterThanOrEqual(at)
  expect(receiver.requests[0]!.receivedAt.getTime()).toBeLessThan(at + 150)
  await eventually(async () => {
    const states = Object.fromEntries(
      (await deliveriesOf(caller, 3)).map((delivery) => [delivery.EventId, delivery.State]),
    )
    expect(states).toEqual({ [later.id]: 'delivered', [expired.id]: 'expired', [never.id]: 'expired' })
  })
})

test('a large event arrives complete', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const secret = await caller.subscribe(receiver.url)
  const event = await fixture.publish(caller.site, { attributes: { filler: 'ü'.repeat(30_000) } })
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  expect(receiver.requests[0]!.body).toBe(event.payload.toString())
  new Webhook(secret).verify(receiver.requests[0]!.body, receiver.requests[0]!.headers as Record<string, string>)
})
