import type { Reply } from '@frontdesk/contracts'
import { createServer } from 'node:http'
import { eventually, openReceiver, type ReceiverReply } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onlyDelivery, openDeliveryFixture, type Caller, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture({ DELIVERY_DEADLINE: '600ms' })
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** The only delivery of a caller with its attempts, once it is in a state. */
async function ended(caller: Caller, state: string, within = 8_000): Promise<Reply<'getDelivery'>['body']> {
  return eventually(
    async () => {
      const delivery = await onlyDelivery(caller)
      expect(delivery.State).toBe(state)
      return (await caller.call('getDelivery', { params: { DeliveryId: delivery.DeliveryId } })).body
    },
    { within },
  )
}

/** Answers with these replies in turn, then with 204. */
const inTurn = (...replies: ReceiverReply[]) => {
  let next = 0
  return () => replies[next++] ?? { status: 204 }
}

const gapsOf = (requests: readonly { receivedAt: Date }[]) =>
  requests.slice(1).map((request, index) => request.receivedAt.getTime() - requests[index]!.receivedAt.getTime())

test('a failed delivery is repeated by the schedule, with the same id and a fresh timestamp', async () => {
  await using receiver = await openReceiver()
  // On a kept connection a drop would not count: the receiver might just have closed it.
  receiver.reply(inTurn({ status: 500, headers: { connection: 'close' }, body: 'broken' }, 'drop'))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const event = await fixture.publish(caller.site)
  const delivery = await ended(caller, 'delivered')
  expect(
    receiver.requests.map((request) => [request.headers['webhook-id'], request.headers['webhook-attempt']]),
  ).toEqual([
    [event.id, '1'],
    [event.id, '2'],
    [event.id, '3'],
  ])
  const [first, second] = gapsOf(receiver.requests)
  expect(first).toBeGreaterThanOrEqual(160)
  expect(first).toBeLessThan(400)
  expect(second).toBeGreaterThanOrEqual(320)
  expect(delivery.AttemptList).toMatchObject([
    { Number: 1, Outcome: 'failed', StatusCode: 500, ResponseBody: 'broken', ResponseBodyEncoding: 'utf8' },
    { Number: 2, Outcome: 'connection', Error: expect.any(String) },
    { Number: 3, Outcome: 'accepted', StatusCode: 204 },
  ])
})

test('a delivery is exhausted after its schedule, and an event tells other services', async () => {
  await using receiver = await openReceiver()
  receiver.reply(() => ({ status: 500 }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.publish(caller.site)
  const delivery = await ended(caller, 'exhausted')
  expect(receiver.requests).toHaveLength(4)
  expect(delivery).toMatchObject({ Attempts: 4, CompletedAt: expect.any(String) })
  await eventually(async () => {
    const told = (await fixture.ownEvents()).filter((event) => event.data['siteSlug'] === caller.site.slug)
    expect(told).toMatchObject([
      {
        type: 'delivery.exhausted',
        data: { deliveryId: delivery.DeliveryId, attempts: 4, eventType: 'payment.succeeded' },
      },
    ])
  })
})

test.each([413, 415, 422])('%i ends the delivery at once', async (status) => {
  await using receiver = await openReceiver()
  receiver.reply(() => ({ status, body: 'no' }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.publish(caller.site)
  const delivery = await ended(caller, 'rejected')
  expect(delivery.AttemptList).toMatchObject([{ Outcome: 'rejected', StatusCode: status }])
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(receiver.requests).toHaveLength(1)
})

test('503 is tried again when the receiver asked for it', async () => {
  await using receiver = await openReceiver()
  receiver.reply(inTurn({ status: 503, headers: { 'retry-after': '1' } }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.publish(caller.site)
  await ended(caller, 'delivered')
  expect(gapsOf(receiver.requests)[0]).toBeGreaterThanOrEqual(1_000)
  expect(gapsOf(receiver.requests)[0]).toBeLessThan(1_500)
})

test('429 throttles the whole endpoint until the date it names, and costs no attempt', async () => {
  await using receiver = await openReceiver()
  const until = Math.ceil(Date.now() / 1000) * 1000 + 2_000
  receiver.reply(inTurn({ status: 429, headers: { 'retry-after': new Date(until).toUTCString() } }))
  const site = fixture.caller().site
  const caller = fixture.caller({ site })
  await caller.subscribe(receiver.url)
  await fixture.publish(site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  await fixture.publish(site)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(receiver.requests).toHaveLength(1)
  await eventually(() => expect(receiver.requests).toHaveLength(3))
  for (const request of receiver.requests.slice(1)) expect(request.receivedAt.getTime()).toBeGreaterThanOrEqual(until)
  await eventually(async () => {
    const rows = await fixture.pool.query(
      `select attempts, step from delivery.deliveries d join subscriptions s on s.id = d.subscription_id
        where s.site_slug = $1 and d.state = 'delivered' order by event_id`,
      [site.slug],
    )
    expect(rows.rows).toEqual([
      { attempts: 2, step: 0 },
      { attempts: 1, step: 0 },
    ])
  })
})

test('a redirect is a failure, and never followed', async () => {
  await using elsewhere = await openReceiver()
  await using receiver = await openReceiver()
  receiver.reply(
    inTurn(
      { status: 302, headers: { location: elsewhere.url } },
      { status: 308, headers: { location: elsewhere.url } },
    ),
  )
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.publish(caller.site)
  const delivery = await ended(caller, 'delivered')
  expect(delivery.AttemptList.map((attempt) => attempt.StatusCode)).toEqual([302, 308, 204])
  expect(elsewhere.requests).toEqual([])
})

test('one deadline covers headers and body: a receiver that hangs or sends slowly has failed', async () => {
  const dribble = createServer((request, response) => {
    request.resume()
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 50)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => dribble.listen(0, '127.0.0.1', resolve))
  const { port } = dribble.address() as { port: number }
  await using receiver = await openReceiver()
  receiver.reply(inTurn('hang'))
  const [hanging, dribbling] = [fixture.caller(), fixture.caller()]
  await hanging.subscribe(receiver.url)
  await dribbling.subscribe(`http://127.0.0.1:${port}/`)
  await fixture.publish(hanging.site)
  await fixture.publish(dribbling.site)
  const hung = await ended(hanging, 'delivered')
  const dribbled = await ended(dribbling, 'exhausted')
  expect(hung.AttemptList[0]).toMatchObject({ Outcome: 'timeout' })
  expect(hung.AttemptList[0]!.DurationMs).toBeGreaterThanOrEqual(595)
  for (const attempt of dribbled.AttemptList) {
    expect(attempt.Outcome).toBe('timeout')
    expect(attempt.DurationMs).toBeLessThan(900)
  }
  dribble.closeAllConnections()
  dribble.close()
})

test('only the first 16 KiB of an endless reply are read and kept', async () => {
  let written = 0
  const endless = createServer((request, response) => {
    request.resume()
    response.writeHead(422)
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(8_192, 0xff))) written += 8_192
    }
    response.on('drain', more)
    more()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  const { port } = endless.address() as { port: number }
  const caller = fixture.caller()
  await caller.subscribe(`http://127.0.0.1:${port}/`)
  await fixture.publish(caller.site)
  const delivery = await ended(caller, 'rejected')
  expect(delivery.AttemptList[0]).toMatchObject({ StatusCode: 422, ResponseBodyEncoding: 'base64' })
  expect(Buffer.from(delivery.AttemptList[0]!.ResponseBody!, 'base64')).toHaveLength(16 * 1024)
  expect(written).toBeLessThan(8 * 1024 * 1024)
  endless.closeAllConnections()
  endless.close()
})

test('a receiver that was down gets its delivery when it is back', async () => {
  const gone = await openReceiver()
  const { port } = new URL(gone.url)
  await gone[Symbol.asyncDispose]()
  const caller = fixture.caller()
  await caller.subscribe(`http://127.0.0.1:${port}/`)
  const event = await fixture.publish(caller.site)
  await eventually(async () => expect((await onlyDelivery(caller)).Attempts).toBeGreaterThan(0))
  await using back = await openReceiver({ port: Number(port) })
  await ended(caller, 'delivered')
  expect(back.requests.map((request) => request.headers['webhook-id'])).toEqual([event.id])
})

test('waiting deliveries of higher priority go first', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const at = new Date(Date.now() + 600).toISOString()
  const published: [string, number][] = []
  // One at a time, so that the order shows: a window of one after a 429.
  receiver.reply(inTurn({ status: 429, headers: { 'retry-after': '1' } }))
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  for (const priority of [0, 5, -3, 5, 1]) {
    const event = await fixture.publish(caller.site, { attributes: { priority, intendeddeliverytime: at } })
    published.push([event.id, priority])
  }
  await eventually(() => expect(receiver.requests).toHaveLength(7))
  const byId = new Map(published)
  const order = receiver.requests.slice(1).flatMap((request) => byId.get(String(request.headers['webhook-id'])) ?? [])
  expect(order).toEqual([5, 5, 1, 0, -3])
})
