import { ForgedEvent, PermanentError, UnknownEvent } from '@frontdesk/events'
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
  siteslug: 's123',
  visibility: 1,
}
const subject = 'evt.pub.payments.payment.succeeded.v1.s123'
const read = (envelope: unknown, more: { messageId?: string; subject?: string; isBeside?: boolean } = {}) =>
  readIncoming(
    {
      payload: Buffer.from(typeof envelope === 'string' ? envelope : JSON.stringify(envelope)),
      subject,
      messageId: undefined,
      isBeside: false,
      storedAt: now - 1_000,
      ...more,
    },
    now,
  )
const external = { ...base, source: 'https://x.example', type: 'com.example.recall' }
const readExternal = (envelope: object, messageId?: string) =>
  read(envelope, {
    subject: 'evt.pub.external.event.com_example_recall.v1.s123',
    ...(messageId === undefined ? {} : { messageId }),
  })

test('the bytes are kept unchanged, and the attributes are read from them', () => {
  const text = `{ "zeta":1, "data": {"b":1,"a":2},${JSON.stringify({
    ...base,
    priority: 3,
    expirytime: '2026-11-21T13:00:00+01:00',
    intendeddeliverytime: '2026-11-21T12:30:00Z',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
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
  })
  expect(event).toMatchObject({ expiresAt: undefined, notBefore: undefined, rank: 0, traceparent: undefined })
})

test('the id of an external event is the message id that the outbox published under', () => {
  const ours = uuidv7({ msecs: now })
  expect(readExternal({ ...external, id: 'their.own-id' }, ours).eventId).toBe(ours)
  expect(readExternal({ ...external, id: 'their.own-id' }, ours.toUpperCase()).eventId).toBe(ours)
})

test('the id of an event of ours is its own, whatever message it comes in', () => {
  expect(read(base, { messageId: uuidv7({ msecs: now }) }).eventId).toBe(base.id)
})

test('without an id of ours, the derived id is the same at every redelivery', () => {
  const event = { ...external, id: 'their.own-id' }
  const first = readExternal(event)
  expect(first.eventId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(readExternal(event).eventId).toBe(first.eventId)
  expect(timeOfId(first.eventId)).toBe(now - 1_000)
  expect(readExternal({ ...event, source: 'https://other.example' }).eventId).not.toBe(first.eventId)
})

test('an id with an implausible time is not used', () => {
  const old = uuidv7({ msecs: now - 100 * 86_400_000 })
  expect(read({ ...base, id: old }).eventId).not.toBe(old)
})

test.each([
  ['no JSON', 'nonsense'],
  ['no envelope', { hello: 'world' }],
  ['another version', { ...base, specversion: '0.3' }],
  ['a slug that is none', { ...base, siteslug: '../x' }],
])('%s is no public event', (_, envelope) => {
  expect(() => read(envelope)).toThrow(PermanentError)
})

test.each([
  ['an Internal event', { ...base, visibility: 0 }, subject],
  ['an event without a visibility, which is an Internal one', { ...base, visibility: undefined }, subject],
  ['one whose visibility is null', { ...base, visibility: null }, subject],
  [
    'an external event without a visibility',
    { ...external, visibility: undefined },
    'evt.pub.external.event.com_example_recall.v1.s123',
  ],
  ['a work queue’s', { ...base, visibility: 2 }, subject],
  ['an outcome from outside', base, 'evt.pub.external.event.payment_succeeded.v1.s123'],
  ['an external event of another site', external, 'evt.pub.external.event.com_example_recall.v1.s124'],
  ['another type than its subject', { ...base, type: 'payment.failed' }, subject],
  ['an outcome of another site', { ...base, siteslug: 's124' }, subject],
  ['an outcome of another service', { ...base, source: 'https://frontdesk.example/registry' }, subject],
  ['an Internal type on a public subject', { ...base, type: 'payment.created' }, subject],
])('%s is forged', (_, envelope, at) => {
  expect(() => read(envelope, { subject: at })).toThrow(ForgedEvent)
})

const v2 = { ...base, dataschema: 'https://frontdesk.example/schemas/payment.succeeded/v2.json' }
test.each([
  ['an unknown type', { ...base, type: 'payment.merged' }, { subject: 'evt.pub.payments.payment.merged.v1.s123' }],
  ['an unknown version', v2, { subject: subject.replace('.v1.', '.v2.') }],
  ['a version beside the one that subscribers get', base, { isBeside: true }],
])('%s is passed over', (_, envelope, more) => {
  expect(() => read(envelope, more)).toThrow(UnknownEvent)
})
