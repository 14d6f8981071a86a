import { eventually, openReceiver } from '@frontdesk/testing'
import { Webhook } from 'standardwebhooks'
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
  fixture = await openDeliveryFixture({ DELIVERY_RETRY_SCHEDULE: '50ms,50ms' })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const statesOf = async (caller: Caller, count: number) =>
  (await deliveriesOf(caller, count)).map((delivery) => delivery.State)

test('deliveries are listed newest first, by state, page by page', async () => {
  await using receiver = await openReceiver()
  receiver.reply((request) => ({ status: request.body.includes('payment.failed') ? 415 : 204 }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const published: string[] = []
  for (let i = 0; i < 7; i++)
    published.unshift(
      (await fixture.publish(caller.site, { type: i % 3 === 0 ? 'payment.failed' : 'payment.succeeded' })).id,
    )
  await eventually(async () => expect(await statesOf(caller, 7)).not.toContain('pending'))
  expect((await deliveriesOf(caller, 7)).map((delivery) => delivery.EventId)).toEqual(published)
  const rejected = await caller.call('listDeliveries', { query: '?State=rejected' })
  expect(rejected.body.Items.map((delivery) => delivery.EventType)).toEqual([
    'payment.failed',
    'payment.failed',
    'payment.failed',
  ])
  expect(rejected.body).not.toHaveProperty('NextPageToken')

  const seen: string[] = []
  let token: string | undefined
  do {
    const { body } = await caller.call('listDeliveries', {
      query: `?pageSize=3${token === undefined ? '' : `&nextPageToken=${encodeURIComponent(token)}`}`,
    })
    seen.push(...body.Items.map((delivery) => delivery.EventId))
    token = body.NextPageToken
  } while (token !== undefined)
  expect(seen).toEqual(published)

  const first = await caller.call('listDeliveries', { query: '?pageSize=3' })
  const other = await caller.call('listDeliveries', {
    query: `?State=rejected&nextPageToken=${encodeURIComponent(first.body.NextPageToken!)}`,
  })
  expect(other).toMatchObject({ status: 400, body: { code: 'page_token_invalid' } })
})

test('a delivery can be sent again in any state, as a further attempt under the same id', async () => {
  await using receiver = await openReceiver()
  let status = 204
  receiver.reply(() => ({ status }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const event = await fixture.publish(caller.site)
  await eventually(async () => expect(await statesOf(caller, 1)).toEqual(['delivered']))
  const { DeliveryId } = await onlyDelivery(caller)
  expect(await caller.call('redeliver', { params: { DeliveryId } })).toMatchObject({
    status: 202,
    body: { DeliveryId },
  })
  await eventually(() => expect(receiver.requests).toHaveLength(2))
  expect(receiver.requests[1]!.headers).toMatchObject({ 'webhook-id': event.id, 'webhook-attempt': '2' })
  await eventually(async () => expect(await statesOf(caller, 1)).toEqual(['delivered']))

  status = 500
  await caller.call('redeliver', { params: { DeliveryId } })
  await eventually(async () => expect(await statesOf(caller, 1)).toEqual(['exhausted']))
  expect(receiver.requests).toHaveLength(5)
  status = 204
  await caller.call('redeliver', { params: { DeliveryId } })
  await eventually(async () => expect(await statesOf(caller, 1)).toEqual(['delivered']))
  const { body } = await caller.call('getDelivery', { params: { DeliveryId } })
  expect(body.AttemptList.map((attempt) => [attempt.Number, attempt.StatusCode])).toEqual([
    [1, 204],
    [2, 204],
    [3, 500],
    [4, 500],
    [5, 500],
    [6, 204],
  ])
})

test('a caller can neither read nor repeat the delivery of another', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const other = fixture.caller()
  await caller.subscribe(receiver.url)
  await other.subscribe(receiver.url)
  await fixture.publish(caller.site)
  const { DeliveryId } = await onlyDelivery(caller)
  for (const id of ['getDelivery', 'redeliver'] as const) {
    expect(await other.call(id, { params: { DeliveryId } })).toMatchObject({
      status: 404,
      body: { code: 'delivery_not_found' },
    })
  }
  expect((await caller.call('getDelivery', { params: { DeliveryId: 'nonsense' } })).status).toBe(400)
})

test('recovering repeats undelivered deliveries since a time, also those never tried, and no others', async () => {
  await using receiver = await openReceiver()
  let status = 500
  receiver.reply((request) => ({ status: request.body.includes('payment.cancelled') ? 204 : status }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.publish(caller.site)
  await eventually(async () => expect(await statesOf(caller, 1)).toEqual(['exhausted']))
  await new Promise((resolve) => setTimeout(resolve, 5))
  const since = new Date()
  await fixture.publish(caller.site, { type: 'payment.cancelled' })
  await fixture.publish(caller.site)
  await eventually(async () => expect(await statesOf(caller, 3)).toEqual(['exhausted', 'delivered', 'exhausted']))
  status = 415
  await fixture.publish(caller.site)
  await eventually(async () => expect((await statesOf(caller, 4))[0]).toBe('rejected'))
  await fixture.pool.query(`update subscriptions set state = 'paused', pause_reason = 'failing' where site_slug = $1`, [
    caller.site.slug,
  ])
  await fixture.publish(caller.site)
  expect((await statesOf(caller, 5))[0]).toBe('pending')

  status = 204
  const recovered = await caller.call('recoverDeliveries', { body: { Since: since.toISOString() } })
  expect(recovered).toMatchObject({ status: 202, body: { Deliveries: 3 } })
  await caller.subscribe(receiver.url)
  await eventually(async () =>
    expect(await statesOf(caller, 5)).toEqual(['delivered', 'delivered', 'delivered', 'delivered', 'exhausted']),
  )
})

test('a delivery that is too old or has expired is not sent again', async () => {
  const caller = fixture.caller()
  await caller.subscribe('http://127.0.0.1:9/')
  await fixture.publish(caller.site, { attributes: { expirytime: new Date(Date.now() - 1_000).toISOString() } })
  const { DeliveryId } = await onlyDelivery(caller)
  expect(await caller.call('redeliver', { params: { DeliveryId } })).toMatchObject({
    status: 422,
    body: { code: 'delivery_not_redeliverable' },
  })
})

test('a test event goes to the caller’s subscription alone, for any event types', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const key = fixture.caller({ principal: { id: `site:${caller.site.slug}` }, site: caller.site })
  const secret = await caller.subscribe(`${receiver.url}/mine`, { EventTypes: ['payment.failed'] })
  await key.subscribe(`${receiver.url}/other`)
  const sent = await caller.call('sendTestEvent', { key: 'once' })
  expect(sent.status).toBe(202)
  expect((await caller.call('sendTestEvent', { key: 'once' })).body).toEqual(sent.body)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const request = receiver.requests[0]!
  expect(request.path).toBe('/mine')
  expect(new Webhook(secret).verify(request.body, request.headers as Record<string, string>)).toMatchObject({
    type: 'subscription.test',
    siteslug: caller.site.slug,
  })
  await eventually(async () => {
    const { body } = await caller.call('getDelivery', { params: { DeliveryId: sent.body.DeliveryId } })
    expect(body).toMatchObject({ State: 'delivered', EventType: 'subscription.test' })
  })
})
