import { events } from '@frontdesk/contracts'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { composeEvent, composeOtherVersion, type OutgoingEvent } from './envelope.ts'
import { ForgedEvent, parseEnvelope, parseEvent, PermanentError, readEvent, UnknownEvent } from './reading.ts'

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

interface NewerEnvelope {
  type: string
  source: string
  siteslug?: string
  visibility?: number
  dataschema: string
  data: Record<string, unknown>
}

/** An event as a newer release might send it: what `change` makes of a composed one. */
function changed(change: (envelope: NewerEnvelope) => void) {
  const composed = composeEvent(origin, event)
  const envelope = JSON.parse(composed.payload.toString()) as NewerEnvelope
  change(envelope)
  return { subject: composed.subject, data: Buffer.from(JSON.stringify(envelope)) }
}

test('a reader takes members and values of enumerations that it does not know, and keeps them', () => {
  const newer = changed(({ data }) => Object.assign(data, { paymentProvider: 'Adyen', riskScore: { value: 3 } }))
  expect(readEvent(newer).data).toMatchObject({ paymentProvider: 'Adyen', riskScore: { value: 3 }, amount: 4500 })
})

test('a writer refuses a value that its own enumeration does not have', () => {
  const wrong = { ...event, data: { ...event.data, paymentProvider: 'Adyen' as 'Sandbox' } }
  expect(() => composeEvent(origin, wrong)).toThrow(/paymentProvider/)
})

test('a reader refuses a member that is missing or of another type', () => {
  expect(() => readEvent(changed(({ data }) => delete data['recordId']))).toThrow(PermanentError)
  expect(() => readEvent(changed(({ data }) => (data['amount'] = 'much')))).toThrow(PermanentError)
  expect(() => readEvent(changed(({ data }) => (data['paymentProvider'] = 7)))).toThrow(PermanentError)
})

test('an event of an unknown type, of another service than its subject, is refused', () => {
  const forged = changed((envelope) => (envelope.type = 'payment.merged'))
  expect(() => readEvent({ ...forged, subject: forged.subject.replace('.payments.', '.accounts.') })).toThrow(
    ForgedEvent,
  )
})

test('an unknown type or version is no fault of the message', () => {
  expect(() => readEvent(changed((envelope) => (envelope.type = 'payment.merged')))).toThrow(UnknownEvent)
  const v2 = changed((envelope) => (envelope.dataschema = envelope.dataschema.replace('v1', 'v2')))
  expect(() => readEvent({ ...v2, subject: v2.subject.replace('.v1.', '.v2.') })).toThrow(UnknownEvent)
})

test.each<[string, (envelope: NewerEnvelope) => void]>([
  ['another type', (envelope) => (envelope.type = 'payment.created')],
  ['another service', (envelope) => (envelope.source = 'https://pay.example/registry')],
  ['another visibility', (envelope) => (envelope.visibility = 0)],
  ['no visibility, which is Internal,', (envelope) => delete envelope.visibility],
  ['another site', (envelope) => (envelope.siteslug = 'sOther1')],
  ['another version', (envelope) => (envelope.dataschema = 'https://pay.example/schemas/payment.succeeded/v2.json')],
])('an event that tells of %s than its subject is refused', (_, change) => {
  expect(() => readEvent(changed(change))).toThrow(ForgedEvent)
})

test('another version of an event has the same event id, a message id of its own, and names the one that subscribers get', () => {
  const table = events['payment.succeeded'] as { otherVersions?: unknown }
  const v2 = { ...event, aggregate: { ...event.aggregate, version: 3 }, version: 2, data: { amount: '45.00' } }
  const first = composeEvent(origin, event)
  expect(() => composeOtherVersion(origin, first, v2)).toThrow(/no version 2/)
  try {
    table.otherVersions = { 2: Type.Object({ amount: Type.String() }) }
    const other = composeOtherVersion(origin, first, v2)
    const envelope = parseEnvelope(other.payload)
    expect(envelope.id).toBe(first.id)
    expect(other.id).not.toBe(first.id)
    expect(other.subject).toBe(first.subject.replace('.v1.', '.v2.'))
    expect(envelope.dataschema).toBe('https://pay.example/schemas/payment.succeeded/v2.json')
    expect(other.headers['x-event-beside']).toBe('v1')
    expect(() => composeOtherVersion(origin, first, { ...v2, data: { amount: 45 } })).toThrow(/amount/)
  } finally {
    delete table.otherVersions
  }
})
