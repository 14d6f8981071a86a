import type { PaymentStatus } from '@frontdesk/contracts'
import { ProviderRefused, type ProviderCheckout, type ProviderRefund } from '@frontdesk/providers'
import { array, assert, boolean, constantFrom, integer, nat, property, record, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { created, now, open as opened } from '../../test/samples.ts'
import { cancel, siteDeleted, unchanged, type Decision, type Payment, type Refund } from './domain.ts'
import { applySnapshot, giveUp, refuse } from './outcome.ts'
import { impliedStatus, mayGo, transitions } from './transitions.ts'

// A provider's record changes only in certain ways. The service sees only the states at the times it looks: some never,
// some twice, some late. Whatever it saw, it must end in the state of the last look.

const { amountTotal: amount } = opened

/** Returns the records that may follow a record. */
function successors(at: ProviderCheckout, attempt: number, refund: number): ProviderCheckout[] {
  const { url: _url, lastError: _error, ...rest } = at
  const over = { ...rest, status: 'complete' as const }
  const paid = { ...over, paymentStatus: 'paid' as const, chargeId: `ch_${attempt}` }
  const declined = {
    ...at,
    chargeId: `ch_${attempt}`,
    paymentStatus: 'unpaid' as const,
    lastError: { code: 'card_declined', declineCode: `code_${attempt % 2}` },
  }
  if (at.status === 'open' && at.paymentStatus === 'unpaid') {
    const retrying = { ...rest, url: opened.url }
    const expired = { ...rest, status: 'expired' as const }
    const waiting = { ...over, paymentStatus: 'processing' as const }
    return [
      declined,
      retrying,
      { ...retrying, paymentStatus: 'processing' },
      waiting,
      paid,
      expired,
      { ...at, paymentStatus: 'cancelled' },
    ]
  }
  if (at.status === 'open' && at.paymentStatus === 'processing') return [declined, paid]
  if (at.paymentStatus === 'processing')
    return [paid, { ...over, paymentStatus: 'failed', lastError: { code: 'bank_refused' } }]
  if (at.paymentStatus === 'paid') return afterMoney(at, refund)
  return []
}

function afterMoney(at: ProviderCheckout, refund: number): ProviderCheckout[] {
  const { refunds, dispute } = at
  const left = amount - sumOf(refunds, ['pending', 'succeeded'])
  const next = { id: `re_${refunds.length}`, status: 'pending', amount: Math.min(refund, left) } as const
  const records: ProviderCheckout[] = refunds.flatMap((one, index) =>
    movesOf(one).map((status) => ({ ...at, refunds: refunds.with(index, { ...one, status, failureReason: 'lost' }) })),
  )
  if (left > 0) records.push({ ...at, refunds: [...refunds, { ...next, currency: 'GBP', createdAt: now }] })
  const about = { id: 'dp_1', amount, currency: 'GBP' }
  if (dispute === undefined) return [...records, { ...at, dispute: { ...about, status: 'open' } }]
  // A bank may open a decided dispute again, or open another one after it was won.
  const others = (['open', 'won', 'lost'] as const).filter((status) => status !== dispute.status)
  records.push(...others.map((status) => ({ ...at, dispute: { ...about, status } })))
  if (dispute.status === 'won') records.push({ ...at, dispute: { ...about, id: 'dp_2', status: 'open' } })
  return records
}

function movesOf({ status }: ProviderRefund): ProviderRefund['status'][] {
  if (status === 'pending') return ['succeeded', 'failed']
  return status === 'succeeded' ? ['failed'] : []
}

const sumOf = (refunds: readonly ProviderRefund[], statuses: readonly ProviderRefund['status'][]) =>
  refunds.reduce((sum, refund) => (statuses.includes(refund.status) ? sum + refund.amount : sum), 0)

/** The status that a payment must have after the last look. */
function statusAt(last: ProviderCheckout): PaymentStatus {
  const { paymentStatus, refunds, dispute } = last
  if (paymentStatus !== 'paid') return impliedStatus(last)
  if (dispute?.status === 'open') return 'Disputed'
  if (dispute?.status === 'lost') return 'ChargedBack'
  const refunded = sumOf(refunds, ['succeeded'])
  if (refunded === 0) return 'Completed'
  return refunded < amount ? 'PartiallyRefunded' : 'Refunded'
}

const evolution: Arbitrary<ProviderCheckout[]> = array(
  record({ choice: nat(6), refund: integer({ min: 1, max: amount }) }),
  {
    maxLength: 12,
  },
).map((choices) =>
  choices.reduce<ProviderCheckout[]>(
    (records, { choice, refund }, attempt) => {
      const next = successors(records.at(-1) ?? opened, attempt, refund)
      return next.length === 0 ? records : [...records, next[choice % next.length] ?? opened]
    },
    [opened],
  ),
)

interface Life {
  payment: Payment
  outcomes: string[]
  alerts: string[]
}

function live(changes: readonly ((payment: Payment) => Decision)[]): Life {
  const life: Life = { payment: created, outcomes: [], alerts: [] }
  for (const change of changes) {
    const { next, history, events, alerts } = change(life.payment)
    let status = life.payment.status
    for (const note of history) {
      const isGivenUp = next.unreachableSince !== undefined && note.status === status
      expect(isGivenUp || mayGo(status, note.status), `${status} -> ${note.status}`).toBe(true)
      expect(note.description).not.toBe('')
      status = note.status
    }
    expect(next.status).toBe(status)
    expect(next.version - life.payment.version).toBe(next === life.payment ? 0 : 1)
    if (next === life.payment) expect([...history, ...events, ...alerts]).toEqual([])
    life.payment = next
    life.outcomes.push(
      ...events.map(({ type }) => type).filter((type) => /^payment\.(succeeded|failed|cancelled)$/.test(type)),
    )
    life.alerts.push(...alerts.map(({ code }) => code))
  }
  return life
}

const look = (checkout: ProviderCheckout) => (payment: Payment) => applySnapshot(payment, checkout, now)

describe('a payment whose provider is only looked at', () => {
  test('ends where the last record is, whichever were missed, repeated or late, with one outcome at most', () => {
    assert(
      property(evolution, array(nat(20), { maxLength: 20 }), (records, looks) => {
        const last = records.at(-1) ?? opened
        const seen = looks.map((index) => records[index % records.length] ?? opened)
        const { payment, outcomes, alerts } = live([...seen, last, last].map(look))
        expect(payment.status).toBe(statusAt(last))
        expect(payment.amountRefunded).toBe(sumOf(last.refunds, ['succeeded']))
        expect(payment.checkoutUrl).toBe(last.url)
        expect(outcomes).toEqual(outcomesOf(payment))
        expect(alerts).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  test('tells the same in the end whether it saw every record or the last alone', () => {
    assert(
      property(evolution, (records) => {
        const last = records.at(-1) ?? opened
        const all = live(records.map(look))
        const one = live([look(last)])
        expect(all.payment.status).toBe(one.payment.status)
        expect(all.payment.refunds.map(withoutOutcome)).toEqual(one.payment.refunds.map(withoutOutcome))
        expect(all.outcomes).toEqual(one.outcomes)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** What was told depends on what was seen: a refund that was only seen failed never succeeded for subscribers. */
const withoutOutcome = ({ outcome: _told, ...refund }: Refund) => refund

function outcomesOf({ status }: Payment): string[] {
  if (status === 'Failed') return ['payment.failed']
  if (status === 'Cancelled') return ['payment.cancelled']
  return transitions.Created.includes(status) && status !== 'Completed'
    ? []
    : status === 'Declined'
      ? []
      : ['payment.succeeded']
}

/** Changes that clients, sweeps and other services may make in between. */
const interventions: Record<string, (payment: Payment) => Decision> = {
  cancel: (payment) => {
    try {
      return cancel(payment)
    } catch {
      return unchanged(payment)
    }
  },
  siteDeleted,
  giveUp: (payment) => giveUp(payment, now),
  refuse: (payment) => refuse(payment, new ProviderRefused('provider_rejected', 'no'), 'sweep', now),
}

test('With clients, sweeps and site deletions in between there is one outcome, or late money, which raises an alert', () => {
  const intervention = record({ name: constantFrom(...Object.keys(interventions)), at: nat(20), happens: boolean() })
  assert(
    property(evolution, array(intervention, { maxLength: 4 }), (records, between) => {
      const changes = records.map(look)
      for (const { name, at, happens } of between) {
        const change = interventions[name]
        if (happens && change) changes.splice(at % (changes.length + 1), 0, change)
      }
      const { payment, outcomes, alerts } = live(changes)
      const lateMoney = outcomes.length === 2
      expect(outcomes.length).toBeLessThanOrEqual(2)
      if (lateMoney) expect(outcomes[1]).toBe('payment.succeeded')
      if (lateMoney) expect(outcomes[0]).not.toBe('payment.succeeded')
      expect(alerts.some((code) => code.startsWith('money_after_'))).toBe(lateMoney)
      const last = records.at(-1) ?? opened
      if (last.paymentStatus === 'paid' && changes.at(-1) !== undefined) {
        expect(live([...changes, look(last)]).payment.status).toBe(statusAt(last))
      }
      expect(outcomes.at(-1)).toBe(payment.outcome && `payment.${payment.outcome}`)
    }),
    { numRuns: 1_000 },
  )
})
