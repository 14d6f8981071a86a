import { PermanentError } from '@frontdesk/events'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { timeOfId } from '../event-ids.ts'
import { readIncoming } from './incoming.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const base = {
  specversion: '1.0',
  id: uuidv7({ msecs: now }),
  source: 'https://frontdesk.example/payments',
  type: 'payment.succeeded',
}
const read = (envelope: unknown, messageId?: string) =>
  readIncoming(
    {
      payload: Buffer.from(typeof envelope === 'string' ? envelope : JSON.stringify(envelope)),
      messageId,
      storedAt: now - 1_000,
    },
    now,
  )

test('the bytes are kept unchanged, and the attributes are read from them', () => {
  const text = `{ "zeta":1, "data": {"b":1,"a":2},${JSON.stringify({
    ...base,
    siteslug: 's123',
    priority: 3,
    expirytime: '2026-11-21T13:00:00+01:00',
    intendeddeliverytime: '2026-11-21T12:30:00Z',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    visibility: 1,
  }).slice(1)}`
  const event = read(text)
  expect(event.payload.toString()).toBe(text)
  expect(event).toMatchObject({
    eventId: base.id,
    type: 'payment.succeeded',
    siteSlug: 's123',
    rank: -3,
    expiresAt: now,
    notBefore: now + 1_800_000,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  })
})

test('null attributes count as absent', () => {
  const event = read({
    ...base,
    expirytime: null,
    intendeddeliverytime: null,
    priority: null,
    traceparent: null,
    visibility: null,
  })
  expect(event).toMatchObject({ expiresAt: undefined, notBefore: undefined, rank: 0, traceparent: undefined })
})

test('the event id is the message id that the outbox published under', () => {
  const ours = uuidv7({ msecs: now })
  expect(read({ ...base, id: 'their.own-id' }, ours).eventId).toBe(ours)
  expect(read({ ...base, id: 'their.own-id' }, ours.toUpperCase()).eventId).toBe(ours)
})

test('without an id of ours, the derived id is the same at every redelivery', () => {
  const event = { ...base, id: 'their.own-id' }
  const first = read(event)
  expect(first.eventId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(read(event).eventId).toBe(first.eventId)
  expect(timeOfId(first.eventId)).toBe(now - 1_000)
  expect(read({ ...event, source: 'https://other.example' }).eventId).not.toBe(first.eventId)
})

test('an id with an implausible time is not used', () => {
  const old = uuidv7({ msecs: now - 100 * 86_400_000 })
  expect(read({ ...base, id: old }).eventId).not.toBe(old)
})

test.each([
  ['no JSON', 'nonsense'],
  ['no envelope', { hello: 'world' }],
  ['another version', { ...base, specversion: '0.3' }],
  ['Internal', { ...base, visibility: 0 }],
  ['a work queue’s', { ...base, visibility: 2 }],
  ['a slug that is none', { ...base, siteslug: '../x' }],
])('%s is no public event', (_, envelope) => {
  expect(() => read(envelope)).toThrow(PermanentError)
})
