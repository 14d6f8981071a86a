import { ProviderRefused, type ProviderCheckout, type ProviderRefund, type RefundOrder } from '@frontdesk/providers'
import { describe, expect, test } from 'vitest'
import { created, now, paid } from '../../test/samples.ts'
import { applyRefund } from './afterwards.ts'
import type { Payment } from './domain.ts'
import { applySnapshot } from './outcome.ts'
import { giveUpRefund, leftOf, refuseRefund, requestRefund, withdrawRefund } from './refunds.ts'

const completed = applySnapshot(created, paid, now).next
const refundId = '0199b6a0-0000-7000-8000-00000000000a'

const build = ({ providerAccountId, refundId: id, ...params }: RefundOrder) => ({
  providerAccountId,
  idempotencyKey: `ref_${id}`,
  params,
})
const ask = (payment: Payment, amount?: number, id = refundId) =>
  requestRefund(payment, { refundId: id, amount, reference: 'CN-1', returnsFee: true }, build, now)
const told = (status: ProviderRefund['status'], more: Partial<ProviderRefund> = {}): ProviderRefund => ({
  id: 're_1',
  refundId,
  status,
  amount: 1_500,
  currency: 'GBP',
  createdAt: now,
  ...(status === 'failed' ? { failureReason: 'lost_or_stolen_card' } : {}),
  ...more,
})
const dispute = (status: 'open' | 'won' | 'lost', id = 'dp_1'): Partial<ProviderCheckout> => ({
  dispute: { id, status, amount: 4_500, currency: 'GBP', reason: 'fraudulent' },
})

/** Applies records in turn and returns everything that they led to. */
function look(payment: Payment, ...records: Partial<ProviderCheckout>[]) {
  let next = payment
  const statuses: string[] = []
  const descriptions: string[] = []
  const events: string[] = []
  const alerts: string[] = []
  for (const record of records) {
    const decision = applySnapshot(next, { ...paid, ...record }, now)
    next = decision.next
    statuses.push(...decision.history.map(({ status }) => status))
    descriptions.push(...decision.history.map(({ description }) => description))
    events.push(...decision.events.map(({ type }) => type))
    alerts.push(...decision.alerts.map(({ code }) => code))
  }
  return { next, statuses, descriptions, events, alerts }
}

describe('a refund', () => {
  test('is Created with its request, by default of what is left, and changes neither status nor history', () => {
    const { next, history, events } = ask(completed)
    expect(next).toMatchObject({ status: 'Completed', amountRefunded: 0, version: completed.version + 1 })
    expect(next.refunds).toMatchObject([
      { refundId, amount: 4_500, currency: 'GBP', status: 'Created', request: { idempotencyKey: `ref_${refundId}` } },
    ])
    expect([...history, ...events]).toEqual([])
    expect(leftOf(next)).toBe(0)
  })

  test('that exists is resumed as it is', () => {
    const { next } = ask(completed, 1_500)
    expect(ask(next, 1_500).next).toBe(next)
  })

  test('counts until it has failed: then its amount can be refunded again', () => {
    const { next } = ask(completed, 4_000)
    expect(() => ask(next, 501, `${refundId.slice(0, -1)}b`)).toThrowError(
      expect.objectContaining({ code: 'refund_too_large', message: expect.stringContaining('500 GBP are left') }),
    )
    const failed = applyRefund(next, told('failed', { amount: 4_000 }), now).next
    expect(leftOf(failed)).toBe(4_500)
  })

  test('is of what the provider took, in its currency', () => {
    const { next } = ask(look(created, { amountTotal: 100, currency: 'USD' }).next)
    expect(next.refunds).toMatchObject([{ amount: 100, currency: 'USD' }])
  })

  test.each<[string, Payment]>([
    ['not paid', created],
    ['disputed', look(completed, dispute('open')).next],
    ['charged back', look(completed, dispute('lost')).next],
  ])('of a payment that is %s is refused', (_case, payment) => {
    expect(() => ask(payment)).toThrowError(expect.objectContaining({ code: 'payment_not_refundable' }))
  })

  test('of a payment that is refunded in full is too large', () => {
    const { next } = applyRefund(ask(completed).next, told('succeeded', { amount: 4_500 }), now)
    expect(next.status).toBe('Refunded')
    expect(() => ask(next, undefined, `${refundId.slice(0, -1)}b`)).toThrowError(
      expect.objectContaining({ code: 'refund_too_large' }),
    )
  })
})

describe("the provider's answer about a refund", () => {
  test('moves it and the payment, with an event, an entry and the sum', () => {
    const { next, events, history } = applyRefund(ask(completed, 1_500).next, told('succeeded'), now)
    expect(next).toMatchObject({ status: 'PartiallyRefunded', amountRefunded: 1_500 })
    expect(next.refunds).toMatchObject([{ status: 'Succeeded', providerRefundId: 're_1', outcome: 'succeeded' }])
    expect(history).toMatchObject([
      { status: 'PartiallyRefunded', description: 'Refunded 1500 of 4500 GBP (minor units)' },
    ])
    const { recordId, provider, reference } = created
    const members = { recordId, reference, paymentProvider: provider, refundId, refundReference: 'CN-1' }
    expect(events).toEqual([
      {
        type: 'refund.succeeded',
        data: { ...members, amount: 1_500, currency: 'GBP', refundedAmount: 1_500 },
      },
    ])
  })

  test('is the same whether it comes as a reply or with the payment, in any order, any number of times', () => {
    const asked = ask(completed, 1_500).next
    const failed = { refunds: [told('failed')] }
    const { next, events } = look(
      asked,
      { refunds: [told('pending')] },
      failed,
      { refunds: [told('succeeded')] },
      failed,
    )
    expect(applyRefund(next, told('succeeded'), now).next).toBe(next)
    expect(next).toMatchObject({ status: 'Completed', amountRefunded: 0, refunds: [{ status: 'Failed' }] })
    expect(events).toEqual(['refund.failed'])
  })

  test('that it failed at the bank after it had succeeded takes everything back, and says so', () => {
    const asked = ask(completed, 4_500).next
    const { next, statuses, events, descriptions } = look(
      asked,
      { refunds: [told('succeeded', { amount: 4_500 })] },
      { refunds: [told('failed', { amount: 4_500 })] },
    )
    expect(next).toMatchObject({ status: 'Completed', amountRefunded: 0 })
    expect(statuses).toEqual(['Refunded', 'Completed'])
    expect(descriptions[1]).toBe(
      'A refund of 4500 failed after it had succeeded (lost_or_stolen_card); refunded 0 of 4500 GBP (minor units)',
    )
    expect(events).toEqual(['refund.succeeded', 'refund.failed'])
  })

  test('about one that was made elsewhere adds it under an id that is always the same', () => {
    const elsewhere = { refunds: [told('succeeded', { id: 're_9', refundId: undefined, reason: 'duplicate' })] }
    const [first, again] = [look(completed, elsewhere, elsewhere), look(completed, elsewhere)]
    expect(first.next.refunds).toEqual(again.next.refunds)
    expect(first.next.refunds).toMatchObject([{ providerRefundId: 're_9', amount: 1_500, reason: 'duplicate' }])
    expect(first.events).toEqual(['refund.succeeded'])
  })

  test('that names a refund of ours a second time adds another one: the account holder can write any name', () => {
    const { next } = look(ask(completed, 1_500).next, {
      refunds: [told('succeeded'), told('succeeded', { id: 're_2', amount: 100 })],
    })
    expect(next).toMatchObject({ amountRefunded: 1_600 })
    expect(new Set(next.refunds.map(({ providerRefundId }) => providerRefundId))).toEqual(new Set(['re_1', 're_2']))
  })

  test('brings one back that was believed to have failed, with an alert', () => {
    const given = giveUpRefund(ask(completed, 1_500).next, refundId, now)
    expect(given.events).toMatchObject([{ type: 'refund.failed', data: { failureReason: 'provider_outcome_unknown' } }])
    expect(given.alerts).toMatchObject([{ code: 'refund_outcome_unknown' }])
    const { next, events, alerts } = look(given.next, { refunds: [told('succeeded')] })
    expect(next).toMatchObject({ status: 'PartiallyRefunded', refunds: [{ status: 'Succeeded' }] })
    expect(events).toEqual(['refund.succeeded'])
    expect(alerts).toEqual(['refund_after_failed'])
  })

  test('takes over silently what an earlier version kept as a sum, and tells of the rest', () => {
    const legacy: Payment = { ...completed, status: 'PartiallyRefunded', amountRefunded: 700 }
    const elsewhere = (id: string, amount: number) => told('succeeded', { id, amount, refundId: undefined })
    const { next, events, statuses } = look(legacy, { refunds: [elsewhere('re_1', 500), elsewhere('re_2', 200)] })
    expect(next).toMatchObject({ amountRefunded: 700, refunds: [{ amount: 500 }, { amount: 200 }] })
    expect([...events, ...statuses]).toEqual([])
    const more = look(next, { refunds: [elsewhere('re_1', 500), elsewhere('re_2', 200), elsewhere('re_3', 100)] })
    expect(more.next.amountRefunded).toBe(800)
    expect(more.events).toEqual(['refund.succeeded'])
  })
})

describe('a payment of an earlier version, which kept no refunds and no dispute', () => {
  test('whose refund has failed since is corrected, with an entry', () => {
    const legacy: Payment = { ...completed, status: 'Refunded', amountRefunded: 4_500 }
    const { next, statuses, events } = look(legacy, {
      refunds: [told('failed', { amount: 4_500, refundId: undefined })],
    })
    expect(next).toMatchObject({ status: 'Completed', amountRefunded: 0, refunds: [{ status: 'Failed' }] })
    expect(statuses).toEqual(['Completed'])
    expect(events).toEqual(['refund.failed'])
  })

  test('that is disputed keeps its status silently, and only the end of the dispute is told', () => {
    const legacy: Payment = { ...completed, status: 'Disputed' }
    expect(look(legacy, dispute('open')).events).toEqual([])
    expect(look(legacy, dispute('open'), dispute('won')).events).toEqual(['dispute.closed'])
    expect(look({ ...completed, status: 'ChargedBack' }, dispute('lost')).statuses).toEqual([])
  })
})

describe('a refund that was not made', () => {
  const refusal = new ProviderRefused('provider_rejected', 'no', { code: 'charge_already_refunded' })
  const asked = ask(completed, 1_500).next

  test.each<[string, ReturnType<typeof refuseRefund>, string]>([
    ['refused within the request', refuseRefund(asked, refundId, refusal, 'request', now), 'charge_already_refunded'],
    ['never sent', withdrawRefund(asked, refundId, now), 'not_sent'],
  ])('because it was %s is not listed and has no event', (_case, { next, events }, failureReason) => {
    expect(next.refunds).toMatchObject([{ status: 'Failed', listed: false, failureReason }])
    expect(events).toEqual([])
  })

  test('because a sweep was refused is told', () => {
    const { next, events } = refuseRefund(asked, refundId, refusal, 'sweep', now)
    expect(next.refunds).toMatchObject([{ status: 'Failed', listed: true }])
    expect(events).toMatchObject([{ type: 'refund.failed', data: { failureReason: 'charge_already_refunded' } }])
  })

  test('is left alone once the provider has it', () => {
    const { next } = applyRefund(asked, told('pending'), now)
    expect(refuseRefund(next, refundId, refusal, 'sweep', now).next).toBe(next)
    expect(giveUpRefund(next, refundId, now).next).toBe(next)
    expect(withdrawRefund(next, refundId, now).next).toBe(next)
  })
})

describe('a dispute', () => {
  test('that is won leads back to where the money is, with its events', () => {
    const refunds = [told('succeeded', { refundId: undefined })]
    const { statuses, events, next } = look(
      completed,
      { refunds },
      { refunds, ...dispute('open') },
      { refunds },
      {
        refunds,
        ...dispute('won'),
      },
    )
    expect(statuses).toEqual(['PartiallyRefunded', 'Disputed', 'PartiallyRefunded'])
    expect(events).toEqual(['refund.succeeded', 'dispute.opened', 'dispute.closed'])
    expect(next.dispute).toMatchObject({ id: 'dp_1', status: 'won' })
  })

  test('after a full refund shows, and its end leads back to Refunded', () => {
    const refunds = [told('succeeded', { amount: 4_500, refundId: undefined })]
    const { statuses } = look(completed, { refunds }, { refunds, ...dispute('open') }, { refunds, ...dispute('won') })
    expect(statuses).toEqual(['Refunded', 'Disputed', 'Refunded'])
  })

  test('that was only seen lost was opened before', () => {
    const { statuses, events } = look(completed, dispute('lost'), dispute('lost'))
    expect(statuses).toEqual(['Disputed', 'ChargedBack'])
    expect(events).toEqual(['dispute.opened', 'dispute.closed'])
  })

  test('that was lost may be won in the end, or opened again', () => {
    expect(look(completed, dispute('lost'), dispute('won')).statuses).toEqual(['Disputed', 'ChargedBack', 'Completed'])
    const { statuses, events } = look(completed, dispute('won'), dispute('lost'))
    expect(statuses).toEqual(['Disputed', 'Completed', 'Disputed', 'ChargedBack'])
    expect(events).toEqual(['dispute.opened', 'dispute.closed', 'dispute.opened', 'dispute.closed'])
  })

  test('has a refund that fails in the meantime change the sum, and not the status', () => {
    const { next, statuses } = look(
      completed,
      { refunds: [told('succeeded', { refundId: undefined })], ...dispute('open') },
      { refunds: [told('failed', { refundId: undefined })], ...dispute('open') },
      { refunds: [told('failed', { refundId: undefined })], ...dispute('won') },
    )
    expect(statuses).toEqual(['PartiallyRefunded', 'Disputed', 'Disputed', 'Completed'])
    expect(next.amountRefunded).toBe(0)
  })
})
