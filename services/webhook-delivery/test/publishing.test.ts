import { eventually } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'

const eventSource = 'https://pms.example/'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture({ EXTERNAL_EVENTS_BYTES_PER_DAY: '100000' })
})
afterAll(() => fixture[Symbol.asyncDispose]())

let number = 0

function publisher(client: string) {
  const caller = fixture.caller({ principal: { id: client, eventSource } })
  const one = (more: object = {}) => ({
    specversion: '1.0',
    id: `${++number}`,
    source: `${eventSource}appointments`,
    type: 'com.example.booked',
    ...more,
  })
  const publish = (more: object = {}) => caller.call('publishEvents', { body: one(more) })
  return { publish }
}

interface Refusal {
  code: string
  detail: string
  errors: { pointer: string; detail: string }[]
}

test.for([
  ['id', 'x'.repeat(3_000), 200],
  [
    'id',
    Array.from({ length: 3_000 }, () => String.fromCodePoint(0x1f600 + Math.floor(Math.random() * 70))).join(''),
    200,
  ],
  ['source', `${eventSource}${'x'.repeat(3_000)}`, 400],
  ['subject', 'x'.repeat(3_000), 400],
  ['traceparent', 'x'.repeat(3_000), 200],
] as const)('an external event whose %s is too long is 400 and names the limit', async ([member, value, limit]) => {
  const answer = await publisher('client:long').publish({ [member]: value })
  const body = answer.body as unknown as Refusal
  expect([answer.status, body.code]).toEqual([400, 'malformed_request'])
  expect(body.errors).toContainEqual({ pointer: `/${member}`, detail: expect.stringContaining(String(limit)) })
})

test('the longest source, and the longest id of characters that take four bytes each, are published', async () => {
  const wide = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(Math.random() * 40_000))).join('')
  const answer = await publisher('client:long').publish({
    id: wide(200),
    // A URI (CloudEvents 1.0.2) has ASCII characters alone.
    source: `${eventSource}${'x'.repeat(400 - eventSource.length)}`,
  })
  expect(answer.status).toBe(202)
})

test('a client that has used up its share of the day gets 429 until the next day, and the others publish', async () => {
  const greedy = publisher('client:greedy')
  const large = { data: { text: 'x'.repeat(45_000) } }
  expect((await greedy.publish(large)).status).toBe(202)
  expect((await greedy.publish(large)).status).toBe(202)
  const refused = await greedy.publish(large)
  expect([refused.status, (refused.body as unknown as Refusal).code]).toEqual([429, 'rate_limited'])
  expect((refused.body as unknown as Refusal).detail).toContain('100000 bytes a day')
  const retryAfter = Number(refused.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThan(0)
  expect(retryAfter).toBeLessThanOrEqual(24 * 60 * 60)
  expect((await publisher('client:modest').publish(large)).status).toBe(202)
  // What was refused has used nothing, and a smaller event still fits.
  expect((await greedy.publish()).status).toBe(202)
  const { rows } = await fixture.pool.query(
    `select events::int as events from external_usage where client = 'client:greedy'`,
  )
  expect(rows).toEqual([{ events: 3 }])
})

test('an event that was published before uses nothing of the share', async () => {
  const client = publisher('client:again')
  for (let time = 0; time < 5; time++)
    expect((await client.publish({ id: 'once', data: { text: 'x'.repeat(45_000) } })).status).toBe(202)
})

test('concurrent publications of one client do not exceed its share together', async () => {
  const client = publisher('client:many')
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => client.publish({ data: { text: 'x'.repeat(20_000) } })),
  )
  expect(answers.filter((answer) => answer.status === 202)).toHaveLength(4)
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(8)
})

test('readiness shows whether the consumers are bound and how far behind they are', async () => {
  await eventually(
    async () => {
      const reply = await fetch(`${fixture.url()}/readyz`)
      expect(await reply.json()).toMatchObject({
        status: 'ready',
        nats: 'connected',
        consumers: {
          'webhook-delivery-payments': { bound: true, pending: 0 },
          'webhook-delivery-accounts': { bound: true, pending: 0 },
          'webhook-delivery-external': { bound: true, pending: 0 },
          'webhook-delivery-sites': { bound: true, pending: 0 },
        },
      })
    },
    { within: 10_000 },
  )
})
