import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import type { Books, LedgerEntry } from './books.ts'
import type { PlannedPayment } from './plan.ts'

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
const good: Books = {
  played: [{ plan, recordId: 'record-1', paymentId: 'cs_1' }],
  rows: [{ id: 'record-1', reference: 'SOAK-1', site: 's1', status: 'Completed', listed: true, amount: 500 }],
  shown: new Map([['record-1', { statuses: ['Created', 'Pending', 'Completed'], amount: 500 }]]),
  ledger: [paid],
  events: [{ id: 'event-1', recordId: 'record-1', type: 'payment.succeeded', published: true }],
  deliveries: [{ webhookId: 'event-1', recordId: 'record-1', type: 'payment.succeeded' }],
}
const faultsOf = (books: Partial<Books>) => audit({ ...good, ...books }).faults

test('books that agree have no faults', () => {
  expect(audit(good)).toMatchObject({
    faults: [],
    charges: { succeeded: 1, second: 0 },
    money: { atProvider: 500, inRecords: 500 },
    deliveries: { distinct: 1, posts: 1 },
  })
})

// An audit that never finds anything proves nothing: each of its questions must be able to be answered with no.
test.each<[string, Partial<Books>, RegExp]>([
  ['a second charge', { ledger: [{ ...paid, charges: [...paid.charges, ...paid.charges] }] }, /charged 2 times/],
  ['a second checkout', { ledger: [paid, { ...paid, paymentId: 'cs_2', charges: [] }] }, /2 checkouts/],
  ['a checkout of nobody', { ledger: [paid, { ...paid, reference: 'ghost', charges: [] }] }, /no payment of ours/],
  ['a second payment', { rows: [...good.rows, { ...good.rows[0]!, id: 'record-2' }] }, /2 payments were made/],
  ['another record than the client was told', { played: [{ plan, recordId: 'record-9' }] }, /its client was told/],
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
  ['an outcome that nobody was told', { events: [], deliveries: [] }, /nobody was told/],
  [
    'an outcome that is not the record’s',
    { events: [{ ...good.events[0]!, type: 'payment.failed' }] },
    /its event says/,
  ],
  ['an event that was not published', { events: [{ ...good.events[0]!, published: false }] }, /never published/],
  ['a webhook that did not arrive', { deliveries: [] }, /never delivered/],
  [
    'two webhook-ids',
    { deliveries: [...good.deliveries, { ...good.deliveries[0]!, webhookId: 'event-2' }] },
    /under 2 webhook-ids/,
  ],
  ['a payment that the provider never saw', { ledger: [] }, /of which the provider knows nothing/],
  ['another amount', { ledger: [{ ...paid, amount: 400 }] }, /asked 500, the provider 400/],
])('%s is found', (_, books, fault) => {
  expect(faultsOf(books).join('\n')).toMatch(fault)
})

test('a request that was taken back before it was sent is in order', () => {
  const row = { ...good.rows[0]!, status: 'Failed', listed: false }
  const shown = new Map([['record-1', { statuses: ['Created', 'Failed'], amount: 500 }]])
  const played = [{ plan: { ...plan, manner: 'careless' as const } }]
  expect(audit({ ...good, played, rows: [row], shown, ledger: [], events: [], deliveries: [] })).toMatchObject({
    faults: [],
    withdrawn: 1,
  })
})
