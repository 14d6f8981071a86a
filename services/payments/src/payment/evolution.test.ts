import { ProviderRefused, type ProviderCheckout } from '@frontdesk/providers'
import { array, assert, boolean, constantFrom, integer, nat, property, record, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cancel, siteDeleted, unchanged, type Decision, type Payment } from './domain.ts'
import { applySnapshot, giveUp, refuse } from './outcome.ts'
import { impliedStatus, mayGo, transitions } from './transitions.ts'

// A provider's record changes only in certain ways. The service sees only the states at the times it looks: some never,
// some twice, some late. Whatever it saw, it must end in the state of the last look.

const now = new Date('2026-11-21T09:00:00Z')
const amount = 4_500

const created: Payment = {
  recordId: '0199b6a0-0000-7000-8000-000000000001',
  site: {
    slug: 's12345678901',
    practiceManagementSystem: 'OpenDental',
    pmsSpecificId: '17',
    owningOrganisation: 'o12345678901',
    billingOrganisation: 'o12345678901',
  },
  provider: 'Sandbox',
  providerAccountId: 'acct_1',
  uiMode: 'Hosted',
  currency: 'GBP',
  amount,
  feeAmount: 0,
  createdAt: now,
  status: 'Created',
  version: 1,
  listed: true,
  tipAmount: 0,
  amountRefunded: 0,
}

const opened: ProviderCheckout = {
  id: 'cs_1',
  status: 'open',
  paymentStatus: 'unpaid',
  currency: 'GBP',
  amountTotal: amount,
  amountRefunded: 0,
  tipAmount: 0,
  dispute: 'none',
  url: 'https://checkout.example/cs_1',
  expiresAt: new Date('2026-11-22T09:00:00Z'),
}

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
  if (at.dispute === 'lost' || at.amountRefunded >= amount) return []
  if (at.dispute === 'open')
    return [
      { ...at, dispute: 'won' },
      { ...at, dispute: 'lost' },
    ]
  const refunded = { ...at, amountRefunded: Math.min(amount, at.amountRefunded + refund) }
  return at.dispute === 'none' ? [refunded, { ...at, dispute: 'open' }] : [refunded]
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
      expect(mayGo(status, note.status), `${status} -> ${note.status}`).toBe(true)
      expect(note.description).not.toBe('')
      status = note.status
    }
    expect(next.status).toBe(status)
    expect(next.version - life.payment.version).toBe(next === life.payment ? 0 : 1)
    if (next === life.payment) expect([...history, ...events, ...alerts]).toEqual([])
    life.payment = next
    life.outcomes.push(...events.map(({ type }) => type).filter((type) => type !== 'payment.created'))
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
        expect(payment.status).toBe(impliedStatus(last))
        expect(payment).toMatchObject({ amountRefunded: last.amountRefunded, checkoutUrl: last.url })
        expect(outcomes).toEqual(outcomesOf(payment))
        expect(alerts).toEqual([])
      }),
      { numRuns: 3_000 },
    )
  })

  test('tells the same in the end whether it saw every record or the last alone', () => {
    assert(
      property(evolution, (records) => {
        const last = records.at(-1) ?? opened
        const all = live(records.map(look))
        const one = live([look(last)])
        expect(all.payment.status).toBe(one.payment.status)
        expect(all.outcomes).toEqual(one.outcomes)
      }),
      { numRuns: 2_000 },
    )
  })
})

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
        expect(live([...changes, look(last)]).payment.status).toBe(impliedStatus(last))
      }
      expect(outcomes.at(-1)).toBe(payment.outcome && `payment.${payment.outcome}`)
    }),
    { numRuns: 3_000 },
  )
})
