import { eventually, openReceiver } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDeliveryFixture, someSite, type DeliveryFixture } from './delivery-fixture.ts'

const hangingCount = 700

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

test('700 endpoints that hang, each with deliveries that wait, do not slow down one that answers', async () => {
  await using receiver = await openReceiver()
  const arrivedAt = new Map<string, number>()
  receiver.reply((request) => {
    if (request.path !== '/healthy') return 'hang'
    arrivedAt.set(String(request.headers['webhook-id']), performance.now())
    return { status: 204 }
  })
  const healthy = fixture.caller()
  await healthy.subscribe(`${receiver.url}/healthy`)
  const site = someSite()
  const callers = Array.from({ length: hangingCount }, (_, index) =>
    fixture.caller({ site, principal: { id: `client:${index}` } }),
  )
  for (let i = 0; i < hangingCount; i += 50)
    await Promise.all(
      callers.slice(i, i + 50).map((caller, index) => caller.subscribe(`${receiver.url}/hanging${i + index}`)),
    )
  for (let i = 0; i < 8; i++) await fixture.publish(healthy.site)
  await eventually(() => expect(arrivedAt.size).toBe(8))

  await Promise.all(Array.from({ length: 10 }, () => fixture.publish(site)))
  await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(hangingCount + 8), { within: 10_000 })
  const delays: number[] = []
  for (let i = 0; i < 60; i++) {
    const publishedAt = performance.now()
    const event = await fixture.publish(healthy.site)
    await eventually(() => expect(arrivedAt.has(event.id)).toBe(true), { within: 20_000 })
    delays.push((arrivedAt.get(event.id) ?? Infinity) - publishedAt)
  }
  delays.sort((a, b) => a - b)
  expect(delays[30]).toBeLessThan(100)
  expect(delays[58]).toBeLessThan(500)
  // What does not fit into memory waits in Postgres from the start: to lease it and to give it back is work for nothing.
  const metrics = await (await fetch(`${fixture.url()}/metrics`)).text()
  expect(Number(/^delivery_released_total (\d+)$/m.exec(metrics)?.[1])).toBeLessThan(100)
}, 60_000)
