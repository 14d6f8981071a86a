import { expect, test } from 'vitest'
import type { Records, OutboxRow } from './records.ts'
import { check, type Invariant } from './check.ts'

const url = 'http://receiver'
const nothing = { outbox: 0, consumers: 0, deliveries: 0, created: 0, paid: 0, providerEvents: 0 }

const event = (id: string, version: number, visibility: number, subject: string): OutboxRow => ({
  service: 'payments',
  id,
  aggregate: 'payment P1',
  version,
  visibility,
  subject,
  published: true,
  digest: `digest of ${id}`,
})

/** Returns the records of one payment that was created, paid and delivered. */
function soundRecords(): Records {
  return {
    log: {
      sent: 1,
      acknowledged: 1,
      creates: [{ kind: 'payment', name: 'C-1', site: 's001', keyed: true, id: 'P1', paymentId: 'cs_1', paid: true }],
      failures: [],
      refusals: [],
      skipped: 0,
    },
    payments: [
      {
        id: 'P1',
        reference: 'C-1',
        site: 's001',
        status: 'Completed',
        outcome: 'succeeded',
        paymentId: 'cs_1',
        eventCount: 2,
      },
    ],
    sites: [],
    ledger: [
      {
        paymentId: 'cs_1',
        reference: 'P1',
        status: 'complete',
        paymentStatus: 'paid',
        intentStatus: 'succeeded',
        amount: 4_500,
        charges: [
          {
            status: 'succeeded',
            amount: 4_500,
            amountRefunded: 0,
            disputeStatus: null,
            fee: 0,
            feeReturned: 0,
            refunds: [],
            disputes: [],
          },
        ],
      },
    ],
    outbox: [
      event('E1', 1, 0, 'evt.int.payments.payment.created.v1.s001'),
      event('E2', 2, 1, 'evt.pub.payments.payment.succeeded.v1.s001'),
      {
        ...event('E3', 1, 0, 'evt.int.accounts.account.updated.v1.s001'),
        service: 'accounts',
        aggregate: 'account A1',
      },
      { ...event('E4', 1, 2, 'work.payments.provider.event-received.v1.-'), aggregate: 'provider-event W1' },
    ],
    stream: ['E1', 'E2', 'E3'].map((id) => ({ stream: 'EVT', id, type: 'payment.succeeded' })),
    applied: { 'webhook-delivery-payments': ['E2'], 'payments-accounts': ['E3'], 'payments-provider-events': ['E4'] },
    accounts: [{ id: 'A1', version: 1, copied: 1 }],
    deliveries: [{ eventId: 'E2', subscriptionId: 'S1', url, state: 'delivered' }],
    subscriptions: [{ id: 'S1', site: 's001', url, throughout: true }],
    receipts: [{ webhookId: 'E2', url, digest: 'digest of E2', verified: true, at: 1 }],
    deadLetters: [],
    drained: { seconds: 2, left: nothing },
    secretsInLogs: [],
  }
}

test('Records in which all sides agree violate nothing', () => {
  expect(check(soundRecords(), { nothingFails: true })).toEqual([])
})

function first<Item>(items: Item[]): Item {
  const [item] = items
  if (item === undefined) throw new Error('there is none')
  return item
}

const cases: [string, Invariant, (records: Records) => void][] = [
  ['An acknowledged payment that is gone', 'I1', (records) => void (records.payments = [])],
  [
    'A request that made two payments',
    'I1',
    ({ payments }) => void payments.push({ ...first(payments), id: 'P2', outcome: null, eventCount: 0 }),
  ],
  ['An acknowledged payment under another id', 'I1', ({ log }) => void (first(log.creates).id = 'P9')],
  [
    'An outcome in the stream that webhook-delivery has not taken in',
    'I4',
    ({ payments, stream }) =>
      void stream.push({ stream: 'EVT', id: 'E9', type: 'payment.succeeded', outcomeOf: first(payments).id }),
  ],
  ['A second checkout', 'I2', ({ ledger }) => void ledger.push({ ...first(ledger), charges: [] })],
  ['A second charge', 'I2', ({ ledger }) => void first(ledger).charges.push(first(first(ledger).charges))],
  [
    'A transition without an event',
    'I3',
    (records) => void (records.outbox = records.outbox.filter(({ id }) => id !== 'E1')),
  ],
  [
    'A second outcome event',
    'I3',
    ({ payments, outbox }) => {
      first(payments).eventCount = 3
      outbox.push(event('E9', 3, 1, 'evt.pub.payments.payment.failed.v1.s001'))
    },
  ],
  [
    'A paid checkout whose payment is pending',
    'I3',
    ({ payments }) => void Object.assign(first(payments), { outcome: null, status: 'Pending' }),
  ],
  ['An event that waits in the outbox', 'I3', ({ outbox }) => void (first(outbox).published = false)],
  [
    'A published event that its stream does not have',
    'I3',
    (records) => void (records.stream = records.stream.filter(({ id }) => id !== 'E1')),
  ],
  ['An event that a consumer has not applied', 'I4', ({ applied }) => void (applied['webhook-delivery-payments'] = [])],
  [
    'A webhook of the provider that was not applied',
    'I4',
    ({ applied }) => void (applied['payments-provider-events'] = []),
  ],
  ['An old copy of an account', 'I4', ({ accounts }) => void (first(accounts).copied = undefined)],
  ['A version after a higher one', 'I5', ({ stream }) => void stream.reverse()],
  ['An event without a delivery', 'I6', (records) => void (records.deliveries = [])],
  ['A delivery that is pending', 'I6', ({ deliveries }) => void (first(deliveries).state = 'pending')],
  ['A delivery that was given up', 'I6', ({ deliveries }) => void (first(deliveries).state = 'exhausted')],
  ['A delivered event that never arrived', 'I6', (records) => void (records.receipts = [])],
  ['Other bytes than those of the event', 'I6', ({ receipts }) => void (first(receipts).digest = 'other')],
  ['A signature that does not match', 'I6', ({ receipts }) => void (first(receipts).verified = false)],
  [
    'An Internal event at a receiver',
    'I7',
    ({ receipts }) => void receipts.push({ ...first(receipts), webhookId: 'E1' }),
  ],
  [
    'An event at a receiver that nobody published',
    'I7',
    ({ receipts }) => void receipts.push({ ...first(receipts), webhookId: 'E0' }),
  ],
  ['A backlog that stays', 'I8', ({ drained }) => void (drained.left = { ...nothing, outbox: 3 })],
  ['A backlog that drains in 31 s', 'I8', ({ drained }) => void (drained.seconds = 31)],
  ['A secret in a log', 'I9', ({ secretsInLogs }) => void secretsInLogs.push('payments: a signing secret')],
  [
    'A request that failed during a clean stop',
    'I10',
    ({ log }) => void log.failures.push({ at: 1, kind: 'payment', keyed: false, status: 503, reason: '503' }),
  ],
  ['A delivery that a clean stop repeated', 'I10', ({ receipts }) => void receipts.push(first(receipts))],
  [
    'A dead letter',
    'dead letters',
    ({ deadLetters }) => void deadLetters.push({ consumer: 'c', messageId: 'E1', reason: 'why' }),
  ],
  ['A valid request that was refused', 'refusals', ({ log }) => void log.refusals.push('payment: 422')],
]

test.each(cases)('%s violates %s', (_, invariant, spoil) => {
  const records = soundRecords()
  spoil(records)
  expect(new Set(check(records, { nothingFails: true }).map((violation) => violation.invariant))).toContain(invariant)
})

test('What a scenario breaks on purpose is no violation', () => {
  const lost = soundRecords()
  lost.stream = []
  expect(check(lost, { streamWasLost: true })).toEqual([])
  const poisoned = soundRecords()
  poisoned.deadLetters.push({ consumer: 'c', messageId: 'M1', reason: 'no JSON' })
  expect(check(poisoned, { poison: new Set(['M1']) })).toEqual([])
  const bad = soundRecords()
  first(bad.deliveries).state = 'exhausted'
  bad.receipts = []
  expect(check(bad, { badReceivers: new Set([url]) })).toEqual([])
})
