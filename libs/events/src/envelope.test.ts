import { expect, test } from 'vitest'
import { composeEvent, parseEnvelope, parseEvent, PermanentError, type OutgoingEvent } from './envelope.ts'

const origin = { service: 'payments', publicUrl: 'https://pay.example' }
const event: OutgoingEvent<'payment.succeeded'> = {
  type: 'payment.succeeded',
  aggregate: { type: 'payment', id: '0199a7f0-0000-7000-8000-000000000001', version: 2 },
  data: { currency: 'GBP', amount: 4500, recordId: '0199a7f0-0000-7000-8000-000000000001', paymentProvider: 'Sandbox' },
  time: new Date('2026-11-21T10:00:00Z'),
  site: {
    siteSlug: 'sAbc123',
    organisationSlug: 'oAbc123',
    billingOrganisationSlug: 'oXyz789',
    product: 'Dentally',
    pmsSpecificId: '42',
  },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
}

test('an event has all attributes of the envelope, and its data unchanged', () => {
  const composed = composeEvent(origin, event)
  expect(JSON.parse(composed.payload.toString())).toEqual({
    specversion: '1.0',
    id: composed.id,
    source: 'https://pay.example/payments',
    type: 'payment.succeeded',
    subject: event.aggregate.id,
    time: '2026-11-21T10:00:00.000Z',
    datacontenttype: 'application/json',
    dataschema: 'https://pay.example/schemas/payment.succeeded/v1.json',
    siteslug: 'sAbc123',
    organisationslug: 'oAbc123',
    billingorganisationslug: 'oXyz789',
    product: 'Dentally',
    pmsspecificid: '42',
    visibility: 1,
    traceparent: event.traceparent,
    data: event.data,
  })
  expect(composed.subject).toBe('evt.pub.payments.payment.succeeded.v1.sAbc123')
  expect(parseEvent(composed.payload)).toMatchObject({ type: 'payment.succeeded', data: event.data })
})

test('data that does not match the events table is refused', () => {
  const wrong = { ...event, data: { ...event.data, amount: '45.00' as unknown as number } }
  expect(() => composeEvent(origin, wrong)).toThrow(/amount/)
})

test('a slug that would break out of its subject token is refused', () => {
  expect(() => composeEvent(origin, { ...event, site: { ...event.site!, siteSlug: 'sAbc.>' } })).toThrow(RangeError)
})

test('an event over 64 KiB is refused before it reaches the outbox', () => {
  const large = { ...event, data: { ...event.data, reference: 'x'.repeat(65 * 1024) } }
  expect(() => composeEvent(origin, large)).toThrow(/bytes/)
})

test('an external envelope may have unknown attributes, but must have an id', () => {
  const foreign = { specversion: '1.0', id: '1', source: 'urn:x', type: 'com.example.thing', extra: { deep: true } }
  expect(parseEnvelope(Buffer.from(JSON.stringify(foreign)))).toEqual(foreign)
  expect(() => parseEnvelope(Buffer.from(JSON.stringify({ ...foreign, id: undefined })))).toThrow(PermanentError)
  expect(() => parseEnvelope(Buffer.from('{'))).toThrow(PermanentError)
  expect(() => parseEvent(Buffer.from(JSON.stringify(foreign)))).toThrow(/unknown event type/)
})
