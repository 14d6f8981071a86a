import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import type { LedgerCharge, LedgerEntry } from '../system/provider.ts'
import type { PlannedPayment } from './plan.ts'
import type { Records, Row, Shown } from './records.ts'

const plan: PlannedPayment = {
  name: 'SOAK-1',
  site: 's1',
  price: 500,
  quantity: 1,
  uiMode: 'Hosted',
  fate: 'paid',
  manner: 'patient',
  refundManner: 'patient',
  pause: 0,
}
const charge: LedgerCharge = {
  status: 'succeeded',
  amount: 500,
  amountRefunded: 0,
  disputeStatus: null,
  fee: 25,
  feeReturned: 0,
  refunds: [],
  disputes: [],
}
const paid: LedgerEntry = {
  paymentId: 'cs_1',
  reference: 'record-1',
  status: 'complete',
  paymentStatus: 'paid',
  intentStatus: 'succeeded',
  amount: 500,
  charges: [charge],
}
const row: Row = {
  id: 'record-1',
  paymentId: 'cs_1',
  reference: 'SOAK-1',
  site: 's1',
  status: 'Completed',
  listed: true,
  amount: 500,
  fee: 25,
  refunds: [],
}
const shown: Shown = {
  statuses: ['Created', 'Pending', 'Completed'],
  amount: 500,
  paidAmount: 500,
  refundedAmount: 0,
  refunds: [],
}
const shownAs = (changes: Partial<Shown>) => new Map([['record-1', { ...shown, ...changes }]])
const good: Records = {
  requested: [{ plan, recordId: 'record-1', refunds: [] }],
  rows: [row],
  shown: shownAs({}),
  ledger: [paid],
  events: [{ id: 'event-1', recordId: 'record-1', type: 'payment.succeeded', published: true }],
  received: [{ webhookId: 'event-1', recordId: 'record-1' }],
  departures: [],
  proven: new Set(),
}
const faultsOf = (records: Partial<Records>) => audit({ ...good, ...records }).faults

test('Records that agree have no faults', () => {
  expect(audit(good)).toMatchObject({
    faults: [],
    charges: { succeeded: 1, second: 0 },
    money: { atProvider: { taken: 500, refunded: 0, fees: 25 }, inRecords: { taken: 500, refunded: 0, fees: 25 } },
    webhooks: { distinct: 1, posts: 1 },
  })
})

// Each check of the audit must be able to fail; otherwise a passed audit proves nothing.
test.each<[string, Partial<Records>, RegExp]>([
  ['a second charge', { ledger: [{ ...paid, charges: [charge, charge] }] }, /charged 2 times/],
  [
    'a second checkout that can be paid',
    { ledger: [paid, { ...paid, paymentId: 'cs_2', status: 'open', charges: [] }] },
    /has 2 checkouts, and cs_2/,
  ],
  [
    'a checkout without a payment',
    { ledger: [paid, { ...paid, reference: 'ghost', charges: [] }] },
    /without a payment of ours/,
  ],
  ['a second payment', { rows: [row, { ...row, id: 'record-2' }] }, /2 payments were made/],
  [
    'another record than the client was told',
    { requested: [{ plan, recordId: 'record-9', refunds: [] }] },
    /its client was told/,
  ],
  [
    'a status that the provider does not imply',
    { ledger: [{ ...paid, charges: [{ ...charge, disputeStatus: 'lost' }] }] },
    /as ChargedBack, the record as Completed/,
  ],
  ['a payment that is stuck', { shown: shownAs({ statuses: ['Created', 'Pending'] }) }, /stuck as Pending/],
  [
    'a second outcome',
    { events: [...good.events, { ...good.events[0]!, id: 'event-2', type: 'payment.failed' }] },
    /2 outcome events/,
  ],
  ['a missing outcome event', { events: [], received: [] }, /without an outcome event/],
  [
    'an outcome event that contradicts the record',
    { events: [{ ...good.events[0]!, type: 'payment.failed' }] },
    /its event says/,
  ],
  ['an event that was not published', { events: [{ ...good.events[0]!, published: false }] }, /never published/],
  ['a webhook that did not arrive', { received: [] }, /never delivered/],
  [
    'a webhook-id of no event',
    { received: [...good.received, { ...good.received[0]!, webhookId: 'event-2' }] },
    /under 2 webhook-ids, and has 1 events/,
  ],
  ['a payment that the provider never saw', { ledger: [] }, /the provider does not know it/],
  ['another amount', { ledger: [{ ...paid, amount: 400 }] }, /asked for 500, the provider for 400/],
])('The audit finds %s', (_, records, fault) => {
  expect(faultsOf(records).join('\n')).toMatch(fault)
})

test('The audit measures how long after its payment at the provider each payment was recorded', () => {
  const requested = [{ plan, recordId: 'record-1', refunds: [], paidAt: 1_000 }]
  const at = (time: number) => audit({ ...good, requested, events: [{ ...good.events[0]!, at: time }] }).recordedAfterMs
  expect(at(1_250)).toEqual([250])
  expect(at(990)).toEqual([0])
  expect(audit(good).recordedAfterMs).toEqual([])
})

test('A second checkout whose address nobody got is no fault', () => {
  const spare = {
    ...paid,
    paymentId: 'cs_0',
    status: 'expired' as const,
    paymentStatus: 'unpaid' as const,
    charges: [],
  }
  expect(audit({ ...good, ledger: [spare, paid] })).toMatchObject({ faults: [], spare: 1 })
})

test('A payment that was withdrawn before it reached the provider is no fault', () => {
  const withdrawn = { ...row, status: 'Failed', listed: false }
  const statuses = shownAs({ statuses: ['Created', 'Failed'] })
  const requested = [{ plan: { ...plan, manner: 'careless' as const }, refunds: [] }]
  const records = { ...good, requested, rows: [withdrawn], shown: statuses, ledger: [], events: [], received: [] }
  expect(audit(records)).toMatchObject({ faults: [], withdrawn: 1 })
})

test.each<[string, Partial<Records>, RegExp]>([
  [
    'money that was taken and not recorded',
    { shown: shownAs({ paidAmount: 400 }) },
    /taken: 500 at the provider, and 400/,
  ],
  ['a fee that the provider took otherwise', { rows: [{ ...row, fee: 20 }] }, /fees: 25 at the provider, and 20/],
  ['a missing amount that was paid', { shown: shownAs({ paidAmount: undefined }) }, /shows undefined as paid/],
])('The audit finds %s', (_, records, fault) => {
  expect(faultsOf(records).join('\n')).toMatch(fault)
})

const departure = { site: 's1', recordIds: ['record-1'], returned: true as const }
const departed = { departures: [departure], requested: [], events: [], received: [] }
const unpaid: LedgerEntry = { ...paid, status: 'open', paymentStatus: 'unpaid', intentStatus: null, charges: [] }
const pending = { rows: [{ ...row, status: 'Pending' }], shown: shownAs({ statuses: ['Created', 'Pending'] }) }

test('A payment of a practice that disconnected may stay open, and completes if the provider had signed that it is paid', () => {
  expect(faultsOf({ ...departed, ...pending, ledger: [unpaid] })).toEqual([])
  expect(faultsOf({ ...departed, ...pending })).toEqual([])
  expect(faultsOf({ ...good, departures: [departure], requested: [], proven: new Set(['cs_1']) })).toEqual([])
})

test.each<[string, Partial<Records>, RegExp]>([
  [
    'a proof of payment that was forgotten',
    { ...departed, ...pending, proven: new Set(['cs_1']) },
    /signed that it is paid/,
  ],
  [
    'a failure for want of an answer',
    { ...departed, rows: [{ ...row, status: 'Failed' }], shown: shownAs({ statuses: ['Failed'] }) },
    /is Failed, although the provider does not tell/,
  ],
  ['a payment that nobody paid', { ...departed, ledger: [unpaid] }, /Completed, and was never paid/],
  [
    'a practice that is locked out',
    { departures: [{ ...departure, returned: 'provider_rejected' }] },
    /could not open another account: provider_rejected/,
  ],
])('Of a practice that disconnected the audit finds %s', (_, records, fault) => {
  expect(faultsOf(records).join('\n')).toMatch(fault)
})
