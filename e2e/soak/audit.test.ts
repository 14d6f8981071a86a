import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import type { LedgerEntry } from '../system/provider.ts'
import type { PlannedPayment } from './plan.ts'
import type { Records } from './records.ts'

const plan: PlannedPayment = {
  name: 'SOAK-1',
  site: 's1',
  price: 500,
  quantity: 1,
  uiMode: 'Hosted',
  fate: 'paid',
  manner: 'patient',
  pause: 0,
}
const paid: LedgerEntry = {
  paymentId: 'cs_1',
  reference: 'record-1',
  status: 'complete',
  paymentStatus: 'paid',
  intentStatus: 'succeeded',
  amount: 500,
  charges: [{ status: 'succeeded', amount: 500, amountRefunded: 0, disputeStatus: null }],
}
const good: Records = {
  requested: [{ plan, recordId: 'record-1', paymentId: 'cs_1' }],
  rows: [{ id: 'record-1', reference: 'SOAK-1', site: 's1', status: 'Completed', listed: true, amount: 500 }],
  shown: new Map([['record-1', { statuses: ['Created', 'Pending', 'Completed'], amount: 500 }]]),
  ledger: [paid],
  events: [{ id: 'event-1', recordId: 'record-1', type: 'payment.succeeded', published: true }],
  received: [{ webhookId: 'event-1', recordId: 'record-1' }],
}
const faultsOf = (records: Partial<Records>) => audit({ ...good, ...records }).faults

test('Records that agree have no faults', () => {
  expect(audit(good)).toMatchObject({
    faults: [],
    charges: { succeeded: 1, second: 0 },
    money: { atProvider: 500, inRecords: 500 },
    webhooks: { distinct: 1, posts: 1 },
  })
})

// Each check of the audit must be able to fail; otherwise a passed audit proves nothing.
test.each<[string, Partial<Records>, RegExp]>([
  ['a second charge', { ledger: [{ ...paid, charges: [...paid.charges, ...paid.charges] }] }, /charged 2 times/],
  ['a second checkout', { ledger: [paid, { ...paid, paymentId: 'cs_2', charges: [] }] }, /2 checkouts/],
  [
    'a checkout without a payment',
    { ledger: [paid, { ...paid, reference: 'ghost', charges: [] }] },
    /without a payment of ours/,
  ],
  ['a second payment', { rows: [...good.rows, { ...good.rows[0]!, id: 'record-2' }] }, /2 payments were made/],
  ['another record than the client was told', { requested: [{ plan, recordId: 'record-9' }] }, /its client was told/],
  [
    'a status that the provider does not imply',
    { ledger: [{ ...paid, charges: [{ ...paid.charges[0]!, amountRefunded: 500 }] }] },
    /as Refunded, the record as Completed/,
  ],
  [
    'a payment that is stuck',
    { shown: new Map([['record-1', { statuses: ['Created', 'Pending'], amount: 500 }]]) },
    /stuck as Pending/,
  ],
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
    'two webhook-ids',
    { received: [...good.received, { ...good.received[0]!, webhookId: 'event-2' }] },
    /under 2 webhook-ids/,
  ],
  ['a payment that the provider never saw', { ledger: [] }, /the provider does not know it/],
  ['another amount', { ledger: [{ ...paid, amount: 400 }] }, /asked for 500, the provider for 400/],
])('The audit finds %s', (_, records, fault) => {
  expect(faultsOf(records).join('\n')).toMatch(fault)
})

test('A payment that was withdrawn before it reached the provider is no fault', () => {
  const row = { ...good.rows[0]!, status: 'Failed', listed: false }
  const shown = new Map([['record-1', { statuses: ['Created', 'Failed'], amount: 500 }]])
  const requested = [{ plan: { ...plan, manner: 'careless' as const } }]
  expect(audit({ ...good, requested, rows: [row], shown, ledger: [], events: [], received: [] })).toMatchObject({
    faults: [],
    withdrawn: 1,
  })
})
