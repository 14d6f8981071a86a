import { expect, test } from 'vitest'
import type { LedgerCharge } from '../system/provider.ts'
import { checkDisputes, checkRefundRequests, checkRefunds } from './audit-refunds.ts'
import type { PublicEvent, RefundRow, RequestedRefund, Row, Shown } from './records.ts'

type LedgerRefund = LedgerCharge['refunds'][number]

/** A payment of 500 with a fee of 25, of which 100 were given back. */
interface Sides {
  ledger: LedgerRefund[]
  refunds: RefundRow[]
  events: PublicEvent[]
  shown?: Partial<Shown>
}

const atProvider: LedgerRefund = { id: 're_1', refundId: 'refund-1', status: 'succeeded', amount: 100, feeReturned: 5 }
const ours: RefundRow = {
  id: 'refund-1',
  reference: 'R1',
  providerRefundId: 're_1',
  status: 'Succeeded',
  amount: 100,
  listed: true,
}
const told = (type: string, more: Partial<PublicEvent> = {}): PublicEvent => ({
  id: `event-${type}`,
  recordId: 'record-1',
  type,
  published: true,
  refundId: 'refund-1',
  ...more,
})
const good: Sides = { ledger: [atProvider], refunds: [ours], events: [told('refund.succeeded')] }
const failed: Sides = {
  ledger: [{ ...atProvider, status: 'failed', feeReturned: 0 }],
  refunds: [{ ...ours, status: 'Failed' }],
  events: [told('refund.succeeded'), told('refund.failed')],
}

const rowWith = (refunds: RefundRow[]): Row => ({
  id: 'record-1',
  paymentId: 'cs_1',
  reference: 'SOAK-1',
  site: 's1',
  status: 'PartiallyRefunded',
  listed: true,
  amount: 500,
  fee: 25,
  refunds,
})
const sum = (refunds: { status: string; amount: number }[], isIn: (status: string) => boolean) =>
  refunds.reduce((all, { status, amount }) => (isIn(status) ? all + amount : all), 0)

function run({ ledger, refunds, events, shown = {} }: Sides) {
  const charge: LedgerCharge = {
    status: 'succeeded',
    amount: 500,
    amountRefunded: sum(ledger, (status) => status !== 'failed'),
    disputeStatus: null,
    fee: 25,
    feeReturned: ledger.reduce((all, refund) => all + refund.feeReturned, 0),
    refunds: ledger,
    disputes: [],
  }
  const api: Shown = {
    statuses: ['PartiallyRefunded'],
    amount: 500,
    paidAmount: 500,
    refundedAmount: sum(ledger, (status) => status === 'succeeded'),
    refunds: refunds.filter(({ listed }) => listed).map(({ id, status, amount }) => ({ id, status, amount })),
    ...shown,
  }
  const result = {
    faults: [] as string[],
    refunds: { atProvider: 0, inRecords: 0, failed: 0, fromDashboard: 0, withdrawn: 0, second: 0 },
    disputes: 0,
    stuck: 0,
  }
  checkRefunds(rowWith(refunds), charge, events, api, result)
  return result
}

test('A refund that all sides know has no faults, nor has one that failed after it had succeeded', () => {
  expect(run(good)).toMatchObject({ faults: [], refunds: { atProvider: 1, inRecords: 1 } })
  expect(run(failed)).toMatchObject({ faults: [], refunds: { failed: 1 } })
  // Its success was never heard of.
  expect(run({ ...failed, events: [told('refund.failed')] }).faults).toEqual([])
})

test('A refund from the dashboard keeps the fee, and the last one gives back what is left of it', () => {
  const dashboard = { ...good, ledger: [{ ...atProvider, refundId: null, feeReturned: 0 }] }
  expect(run(dashboard)).toMatchObject({ faults: [], refunds: { fromDashboard: 1 } })
  const last = [
    { ...atProvider, amount: 33, feeReturned: 1 },
    { ...atProvider, id: 're_2', refundId: 'refund-2', amount: 467, feeReturned: 24 },
  ]
  const records = [
    { ...ours, amount: 33 },
    { ...ours, id: 'refund-2', providerRefundId: 're_2', amount: 467 },
  ]
  const events = [told('refund.succeeded'), told('refund.succeeded', { refundId: 'refund-2' })]
  expect(run({ ledger: last, refunds: records, events }).faults).toEqual([])
})

test('A refund that was withdrawn before it reached the provider is no fault', () => {
  const refunds = [{ ...ours, providerRefundId: null, status: 'Failed', listed: false }]
  expect(run({ ledger: [], refunds, events: [] })).toMatchObject({ faults: [], refunds: { withdrawn: 1 } })
})

// Each check of the audit must be able to fail; otherwise a passed audit proves nothing.
test.each<[string, Partial<Sides>, RegExp]>([
  ['a second refund', { ledger: [atProvider, { ...atProvider, id: 're_2' }] }, /refund refund-1 was made 2 times/],
  ['a refund in no record', { refunds: [], events: [] }, /re_1 of 100 is in no record/],
  ['another amount', { refunds: [{ ...ours, amount: 90 }] }, /is 90 Succeeded, at the provider 100 Succeeded/],
  ['another status', { ledger: failed.ledger }, /is 100 Succeeded, at the provider 100 Failed/],
  ["another's refund", { ledger: [{ ...atProvider, refundId: 'refund-9' }] }, /has the provider's refund of refund-9/],
  ['a refund that the provider never had', { ledger: [] }, /is Succeeded, and the provider does not know it/],
  ['a refund that is stuck', { refunds: [{ ...ours, status: 'Created' }] }, /stuck as Created/],
  [
    'more than was paid',
    { ledger: [atProvider, { ...atProvider, id: 're_2', refundId: 'refund-2', amount: 401 }] },
    /refunds of 501 for a payment of 500/,
  ],
  ['another sum', { shown: { refundedAmount: 90 } }, /shows 90 as refunded, the provider 100/],
  ['another amount that was paid', { shown: { paidAmount: 499 } }, /shows 499 as paid, the provider 500/],
  [
    'a fee that was not given back',
    { ledger: [{ ...atProvider, feeReturned: 0 }] },
    /gave back 0 of the fee, and not 5/,
  ],
  ['a fee that was given back twice', { ledger: [{ ...atProvider, feeReturned: 50 }] }, /more of the fee/],
  ['an event too few', { events: [] }, /is Succeeded, with events none/],
  [
    'an event too many',
    { events: [...good.events, ...good.events] },
    /with events refund\.succeeded, refund\.succeeded/,
  ],
  ['a failure that did not happen', { events: [...good.events, told('refund.failed')] }, /is Succeeded, with events/],
  ['a failure that nobody was told of', { ...failed, events: good.events }, /is Failed, with events refund\.succeeded/],
  ['a refund that the API hides', { shown: { refunds: [] } }, /the API shows refund refund-1 as undefined/],
  [
    'a refund that only the API shows',
    {
      shown: {
        refunds: [
          { id: 'refund-1', status: 'Succeeded', amount: 100 },
          { id: 'x', status: 'Failed', amount: 1 },
        ],
      },
    },
    /the API shows 2 refunds, the database has 1/,
  ],
])('The audit of refunds finds %s', (_, sides, fault) => {
  expect(run({ ...good, ...sides }).faults.join('\n')).toMatch(fault)
})

const dispute = { id: 'dp_1', status: 'lost', amount: 500 }
const opened = told('dispute.opened', { refundId: undefined, disputeId: 'dp_1' })
const lost = told('dispute.closed', { refundId: undefined, disputeId: 'dp_1', disputeOutcome: 'lost' })

function disputeFaults(disputes: LedgerCharge['disputes'], events: PublicEvent[]): string {
  const charge = { disputes } as LedgerCharge
  const refunds = { atProvider: 0, inRecords: 0, failed: 0, fromDashboard: 0, withdrawn: 0, second: 0 }
  const result = { faults: [] as string[], refunds, disputes: 0, stuck: 0 }
  checkDisputes(rowWith([]), charge, events, result)
  return result.faults.join('\n')
}

test.each<[string, LedgerCharge['disputes'], PublicEvent[], RegExp]>([
  ['no fault in a dispute of which all was told', [dispute], [opened, lost], /^$/],
  ['no fault in one that is open', [{ ...dispute, status: 'needs_response' }], [opened], /^$/],
  ['a dispute that nobody was told of', [dispute], [lost], /nobody was told of dispute dp_1/],
  ['an end that nobody was told of', [dispute], [opened], /was lost, and its last event says undefined/],
  ['another end', [{ ...dispute, status: 'won' }], [opened, lost], /was won, and its last event says lost/],
  ['an invented dispute', [], [opened], /dispute\.opened of dp_1, which is no dispute/],
])('The audit of disputes finds %s', (_, disputes, events, fault) => {
  expect(disputeFaults(disputes, events)).toMatch(fault)
})

function requestFaults(request: Partial<RequestedRefund>, refunds: RefundRow[]): string {
  const faults: string[] = []
  checkRefundRequests([{ name: 'R1', manner: 'patient', refundId: 'refund-1', ...request }], [rowWith(refunds)], faults)
  return faults.join('\n')
}

test.each<[string, string, RegExp]>([
  ['no fault if the client was told of its refund', requestFaults({}, [ours]), /^$/],
  ['no fault if a client that gave up has none', requestFaults({ refundId: undefined, manner: 'gives up' }, []), /^$/],
  ['no fault if it was refused', requestFaults({ refundId: undefined, refused: 'refund_too_large' }, []), /^$/],
  ['two refunds for one request', requestFaults({}, [ours, { ...ours, id: 'refund-2' }]), /2 refunds were made/],
  [
    'another refund than the client was told',
    requestFaults({}, [{ ...ours, id: 'x' }]),
    /told refund-1, and the refund is x/,
  ],
  ['a refund that was lost', requestFaults({}, []), /told refund-1, and the refund is undefined/],
  ['a refund that was refused, too', requestFaults({ refused: 'refund_too_large' }, [ours]), /and there is a refund/],
])('The audit of requests finds %s', (_, faults, words) => {
  expect(faults).toMatch(words)
})
