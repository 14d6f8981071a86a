import type { Envelope, SiteAccess } from '@frontdesk/contracts'
import { expect, test } from 'vitest'
import { acceptExternalEvent, externalSubject } from './domain.ts'

const site: SiteAccess = {
  slug: 'sAbc1',
  name: 'Harbour Street Dental',
  practiceManagementSystem: 'Dentally',
  pmsSpecificId: '42',
  owningOrganisation: 'oAbc1',
  billingOrganisation: 'oPay1',
  status: 'Operational',
}
const publisher = { site, eventSource: 'https://pms.example/a' }
const now = new Date('2026-11-21T10:00:00Z')
const envelope: Envelope = {
  specversion: '1.0',
  id: '1',
  source: 'https://pms.example/a/appointments',
  type: 'com.example.booked',
}
const pointersOf = (change: Partial<Envelope>, from = publisher) => {
  const outcome = acceptExternalEvent({ ...envelope, ...change }, from, now)
  return 'faults' in outcome ? outcome.faults.map((fault) => fault.pointer) : []
}

test('an event is stamped with its site, its time and its visibility, and keeps unknown attributes', () => {
  const outcome = acceptExternalEvent({ ...envelope, extra: { a: 1 } } as Envelope, publisher, now)
  if ('faults' in outcome) throw new Error('refused')
  expect(JSON.parse(outcome.event.payload.toString())).toEqual({
    ...envelope,
    extra: { a: 1 },
    siteslug: 'sAbc1',
    organisationslug: 'oAbc1',
    billingorganisationslug: 'oPay1',
    product: 'Dentally',
    pmsspecificid: '42',
    time: '2026-11-21T10:00:00.000Z',
    visibility: 0,
  })
})

test.for([
  ['a work-queue visibility', { visibility: 2 }, '/visibility'],
  ['a private visibility', { visibility: 3 }, '/visibility'],
  ['an outcome of ours', { type: 'payment.succeeded' }, '/type'],
  ['a type of ours that does not exist', { type: 'site.renamed' }, '/type'],
  ['a type with a space', { type: 'a b' }, '/type'],
  ['a source beside the registered one', { source: 'https://pms.example/ab' }, '/source'],
  ['another site', { siteslug: 'sXyz9' }, '/siteslug'],
  ['another organisation', { organisationslug: 'oXyz9' }, '/organisationslug'],
  ['another product', { product: 'Exact' }, '/product'],
  ['more than 64 KiB', { data: { text: 'x'.repeat(70_000) } }, '/data'],
] as const)('%s is refused', ([, change, pointer]) => {
  expect(pointersOf(change)).toEqual([pointer])
})

test('attributes of the right site are accepted, and all faults are reported together', () => {
  expect(pointersOf({ siteslug: 'sAbc1', pmsspecificid: '42', visibility: 1 })).toEqual([])
  expect(pointersOf({ visibility: 3, type: 'payment.failed', siteslug: 'sXyz9' })).toEqual([
    '/visibility',
    '/type',
    '/siteslug',
  ])
})

test('a client without a registered source publishes nothing', () => {
  expect(pointersOf({}, { site, eventSource: undefined as unknown as string })).toEqual(['/source'])
})

test('the subject of any type has the same number of tokens', () => {
  expect(externalSubject('com.example.>.*', 1, 'sAbc1')).toBe('evt.pub.external.event.com_example____.v1.sAbc1')
  expect(externalSubject('a', 0, 'sAbc1')).toBe('evt.int.external.event.a.v1.sAbc1')
})
