import { ProviderRefused, type ProviderCheckout, type ProviderRefund } from '@frontdesk/providers'
import {
  array,
  assert,
  constantFrom,
  integer,
  nat,
  property,
  record,
  shuffledSubarray,
  type Arbitrary,
} from 'fast-check'
import { expect, test } from 'vitest'
import { created, now, paid } from '../../test/samples.ts'
import { applyRefund } from './afterwards.ts'
import { unchanged, type Decision, type Payment, type PaymentEvent, type Refund } from './domain.ts'
import { applySnapshot } from './outcome.ts'
import { giveUpRefund, leftOf, refuseRefund, requestRefund, withdrawRefund } from './refunds.ts'

// A provider's world: refunds of ours and of the dashboard that move on, and a dispute. The service learns of it by answers
// to its own calls and by looking at the whole, in any order, twice or never.

const { amountTotal: amount } = paid
const idOf = (index: number) => `0199b6a0-0000-7000-8000-0000000000${(index + 10).toString(16).padStart(2, '0')}`
const asked = applySnapshot(created, paid, now).next
const build = () => ({ providerAccountId: 'acct_1', idempotencyKey: '', params: {} })

interface Step {
  kind: 'ours' | 'elsewhere' | 'settle' | 'fail' | 'dispute' | 'win' | 'lose'
  index: number
  part: number
}
const steps: Arbitrary<Step[]> = array(
  record({
    kind: constantFrom('ours', 'ours', 'elsewhere', 'settle', 'settle', 'fail', 'dispute', 'win', 'lose'),
    index: nat(5),
    part: integer({ min: 1, max: amount }),
  }),
  { maxLength: 14 },
)

/** Returns every state that the provider's record goes through. Ours were asked for before: the first three refunds. */
function worldOf(taken: readonly Step[]): ProviderCheckout[] {
  const worlds: ProviderCheckout[] = [paid]
  let ours = 0
  for (const { kind, index, part } of taken) {
    const at = worlds.at(-1) ?? paid
    const left = amount - sum(at.refunds.filter(({ status }) => status !== 'failed'))
    const chosen = index % Math.max(1, at.refunds.length)
    const move = (status: ProviderRefund['status'], from: readonly ProviderRefund['status'][]) =>
      at.refunds.map((one, position) => (position === chosen && from.includes(one.status) ? { ...one, status } : one))
    const dispute = (status: 'open' | 'won' | 'lost') => ({
      ...at,
      dispute: { id: 'dp_1', status, amount, currency: 'GBP' },
    })
    if ((kind === 'ours' && ours < 3) || kind === 'elsewhere') {
      const refund = { id: `re_${at.refunds.length}`, amount: kind === 'ours' ? 1_000 : Math.min(part, left) }
      if (refund.amount > left || left === 0) continue
      const name = kind === 'ours' ? { refundId: idOf(ours++), reference: 'CN-1' } : {}
      const next: ProviderRefund = { ...refund, ...name, status: 'pending', currency: 'GBP', createdAt: now }
      worlds.push({ ...at, refunds: [...at.refunds, next] })
    } else if (kind === 'settle') worlds.push({ ...at, refunds: move('succeeded', ['pending']) })
    else if (kind === 'fail') worlds.push({ ...at, refunds: move('failed', ['pending', 'succeeded']) })
    else if (kind === 'dispute' && at.dispute === undefined) worlds.push(dispute('open'))
    else if (kind === 'win' && at.dispute?.status === 'open') worlds.push(dispute('won'))
    else if (kind === 'lose' && at.dispute?.status === 'open') worlds.push(dispute('lost'))
  }
  return worlds
}

const sum = (refunds: readonly { amount: number }[]) => refunds.reduce((total, refund) => total + refund.amount, 0)

type Change = (payment: Payment) => Decision
const look =
  (checkout: ProviderCheckout): Change =>
  (payment) =>
    applySnapshot(payment, checkout, now)

/** Everything that the provider may tell in these worlds: each as a whole, and each refund alone, as a reply does. */
const factsOf = (worlds: readonly ProviderCheckout[]): Change[] =>
  worlds.flatMap((world) => [
    look(world),
    ...world.refunds.map(
      (refund): Change =>
        (payment) =>
          applyRefund(payment, refund, now),
    ),
  ])

function live(start: Payment, changes: readonly Change[]): { payment: Payment; events: PaymentEvent[] } {
  let payment = start
  const events: PaymentEvent[] = []
  for (const change of changes) {
    const decision = change(payment)
    expect(decision.next.version - payment.version).toBe(decision.next === payment ? 0 : 1)
    if (decision.next === payment) expect([...decision.events, ...decision.history, ...decision.alerts]).toEqual([])
    payment = decision.next
    events.push(...decision.events)
  }
  return { payment, events }
}

/** The visible part of a record; versions and events sent depend on how often somebody looked. */
function shown({ status, amountRefunded, refunds, dispute }: Payment) {
  const plain = refunds.map(({ outcome: _outcome, request: _request, ...refund }: Refund) => refund)
  return { status, amountRefunded, dispute, refunds: plain }
}

const threeAsked = [0, 1, 2].reduce(
  (payment, index) =>
    requestRefund(payment, { refundId: idOf(index), amount: 1_000, reference: 'CN-1', returnsFee: true }, build, now)
      .next,
  asked,
)

test('Any order and repetition of what the provider tells ends in the same record, with each event once and in order', () => {
  assert(
    property(steps, array(nat(200), { maxLength: 40 }), (taken, order) => {
      const worlds = worldOf(taken)
      const last = look(worlds.at(-1) ?? paid)
      const facts = factsOf(worlds)
      const seen = order.map((index) => facts[index % facts.length] ?? last)
      const inOrder = live(threeAsked, [...worlds.map(look), last])
      const anyhow = live(threeAsked, [...seen, last, last])
      expect(shown(anyhow.payment)).toEqual(shown(inOrder.payment))

      for (const { refundId, status } of anyhow.payment.refunds) {
        const told = anyhow.events.flatMap((event) =>
          'refundId' in event.data && event.data.refundId === refundId ? [event.type] : [],
        )
        const both = ['refund.succeeded', 'refund.failed']
        const allowed = {
          Created: [[]],
          Pending: [[]],
          Succeeded: [['refund.succeeded']],
          Failed: [['refund.failed'], both],
        }
        expect(allowed[status]).toContainEqual(told)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('Whatever clients ask for and the provider tells, no more than was taken is under way or given back', () => {
  const command = record({
    kind: constantFrom('ask', 'ask', 'ask rest', 'refuse', 'withdraw', 'give up', 'pending', 'succeeded', 'failed'),
    index: nat(9),
    part: integer({ min: 1, max: amount }),
  })
  assert(
    property(array(command, { maxLength: 30 }), (commands) => {
      const refusal = new ProviderRefused('provider_rejected', 'no')
      let payment = asked
      for (const { kind, index, part } of commands) {
        const refundId = idOf(index)
        const known = payment.refunds.find((refund) => refund.refundId === refundId)
        const tried = (): Decision => {
          switch (kind) {
            case 'ask':
            case 'ask rest':
              return requestRefund(
                payment,
                { refundId, amount: kind === 'ask' ? part : undefined, returnsFee: false },
                build,
                now,
              )
            case 'refuse':
              return refuseRefund(payment, refundId, refusal, 'request', now)
            case 'withdraw':
              return withdrawRefund(payment, refundId, now)
            case 'give up':
              return giveUpRefund(payment, refundId, now)
            default: {
              // The provider has only what was sent to it, and what we believe to have failed was not.
              if (known === undefined || (known.status === 'Failed' && known.providerRefundId === undefined))
                return unchanged(payment)
              const { amount: of, currency, createdAt } = known
              return applyRefund(
                payment,
                { id: `re_${index}`, refundId, status: kind, amount: of, currency, createdAt },
                now,
              )
            }
          }
        }
        const before = leftOf(payment)
        try {
          payment = tried().next
        } catch (error) {
          expect(error).toMatchObject({ code: 'refund_too_large' })
          expect(part > before || before === 0).toBe(true)
        }
        const counted = payment.refunds.filter(({ status }) => status !== 'Failed')
        expect(sum(counted)).toBeLessThanOrEqual(amount)
        expect(leftOf(payment)).toBe(amount - sum(counted))
        expect(payment.amountRefunded).toBe(sum(payment.refunds.filter(({ status }) => status === 'Succeeded')))
      }
    }),
    { numRuns: 1_000 },
  )
})

test('A database that has lost its refunds gets them again from the provider, under the same ids', () => {
  assert(
    property(steps, shuffledSubarray([0, 1, 2]), (taken, kept) => {
      const worlds = worldOf(taken)
      const last = look(worlds.at(-1) ?? paid)
      const whole = live(threeAsked, [...worlds.map(look), last]).payment
      const restored: Payment = {
        ...threeAsked,
        refunds: threeAsked.refunds.filter((_refund, index) => kept.includes(index)),
      }
      const again = live(restored, [last, last]).payment
      const atProvider = ({ refunds }: Payment) =>
        refunds.filter(({ providerRefundId }) => providerRefundId !== undefined)
      expect(shown({ ...again, refunds: atProvider(again) })).toEqual(shown({ ...whole, refunds: atProvider(whole) }))
    }),
    { numRuns: 500 },
  )
})
