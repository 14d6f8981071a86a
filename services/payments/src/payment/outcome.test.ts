import { ProviderRefused, type ProviderCheckout } from '@frontdesk/providers'
import { describe, expect, test } from 'vitest'
import { closed, created, now, open, paid } from '../../test/samples.ts'
import type { Payment } from './domain.ts'
import { applySnapshot, giveUp, paidByProof, refuse } from './outcome.ts'

const { recordId } = created
const outcome = { reference: 'INV-7', recordId, paymentProvider: 'Sandbox' }

const declined = {
  ...open,
  lastError: { code: 'card_declined', declineCode: 'insufficient_funds' },
  chargeId: 'ch_1',
  paymentIntentId: 'pi_1',
}
const expired: ProviderCheckout = { ...closed, status: 'expired' }

/** Applies records in turn and returns everything that they led to. */
function follow(payment: Payment, ...records: ProviderCheckout[]) {
  const decisions = []
  let next = payment
  for (const checkout of records) {
    const decision = applySnapshot(next, checkout, now)
    decisions.push(decision)
    next = decision.next
  }
  return {
    next,
    statuses: decisions.flatMap(({ history }) => history.map(({ status }) => status)),
    descriptions: decisions.flatMap(({ history }) => history.map(({ description }) => description)),
    events: decisions.flatMap(({ events }) => events),
    alerts: decisions.flatMap(({ alerts }) => alerts.map(({ code }) => code)),
  }
}

const pending = follow(created, open).next

describe('a payment that the provider accepted', () => {
  test('is Pending and payable, and payment.created is sent', () => {
    const { next, statuses, events } = follow(created, open)
    expect(next).toMatchObject({
      status: 'Pending',
      paymentId: 'cs_1',
      checkoutUrl: open.url,
      expiresAt: open.expiresAt,
      version: 2,
    })
    expect(statuses).toEqual(['Pending'])
    expect(events).toEqual([
      { type: 'payment.created', data: { version: 2, ...outcome, status: 'Pending', amount: 4_500, currency: 'GBP' } },
    ])
  })

  test('is announced before its outcome if both were missed', () => {
    expect(follow(created, paid).events.map(({ type }) => type)).toEqual([
      'payment.created',
      'payment.succeeded',
      'payment.settled',
    ])
  })
})

describe('money', () => {
  test('completes the payment and sends payment.succeeded once', () => {
    const { next, events, descriptions, alerts } = follow(pending, paid, paid, open)
    expect(next).toMatchObject({
      status: 'Completed',
      outcome: 'succeeded',
      paymentIntentId: 'pi_1',
      chargeId: 'ch_2',
      version: 3,
    })
    expect(next.checkoutUrl).toBeUndefined()
    const data = { currency: 'GBP', amount: 4_500, ...outcome }
    const accounting = { version: 3, feeAmount: 0, providerAccountId: 'acct_1', paymentId: 'cs_1', chargeId: 'ch_2' }
    expect(events).toEqual([
      { type: 'payment.succeeded', data },
      { type: 'payment.settled', data: { ...accounting, ...data } },
    ])
    expect(descriptions).toEqual(['Paid (pi_1, 2026-11-21T08:59:58.000Z)'])
    expect(alerts).toEqual([])
  })

  test('has no reference in its event if the payment has none', () => {
    const { events } = follow({ ...pending, reference: undefined }, paid)
    expect(Object.keys(events[0]?.data ?? {})).not.toContain('reference')
  })

  test('of another amount or currency than asked is told as it was taken, with an alert and an entry', () => {
    const { next, events, alerts, descriptions } = follow(pending, { ...paid, amountTotal: 5_400, feeAmount: 54 })
    expect(next).toMatchObject({ amount: 4_500, paidAmount: 5_400, paidCurrency: 'GBP' })
    expect(events).toMatchObject([
      { data: { amount: 5_400, currency: 'GBP' } },
      { data: { amount: 5_400, feeAmount: 54 } },
    ])
    expect(follow(pending, { ...paid, amountTotal: 100, currency: 'USD' }).events).toMatchObject([
      { type: 'payment.succeeded', data: { amount: 100, currency: 'USD' } },
      { type: 'payment.settled', data: { amount: 100, currency: 'USD' } },
    ])
    expect(alerts).toEqual(['amount_differs'])
    expect(descriptions[0]).toContain('4500 GBP were asked, the provider took 5400 GBP')
  })

  test.each([
    ['Failed', 'failed', 'money_after_failed'],
    ['Cancelled', 'cancelled', 'money_after_cancelled'],
  ] as const)('that comes after %s still completes the payment, with an alert', (status, before, alert) => {
    const { next, events, alerts, descriptions } = follow({ ...pending, status, outcome: before }, paid)
    expect(next).toMatchObject({ status: 'Completed', outcome: 'succeeded' })
    expect(events.map(({ type }) => type)).toEqual(['payment.succeeded', 'payment.settled'])
    expect(alerts).toEqual([alert])
    expect(descriptions[0]).toContain(`although it had ended as ${status}`)
  })

  test('that the provider does not tell any more is proven by its signed event, once, and a person is told', () => {
    const proof = { checkoutId: 'cs_1', amount: 4_500, currency: 'GBP', paymentIntentId: 'pi_1', at: now }
    const { next, events, alerts, history } = paidByProof(pending, proof, now)
    expect(next).toMatchObject({ status: 'Completed', outcome: 'succeeded', paidAmount: 4_500, checkoutUrl: undefined })
    expect(events.map(({ type }) => type)).toEqual(['payment.succeeded', 'payment.settled'])
    expect(alerts).toMatchObject([{ code: 'paid_by_proof' }])
    expect(history[0]?.description).toBe('Paid (pi_1, 2026-11-21T09:00:00.000Z by a signed event)')
    expect(paidByProof(next, proof, now).next).toBe(next)
    expect(follow(next, paid).events).toEqual([])
  })
})

describe('a declined attempt', () => {
  test('does not end the payment: the next attempt may pay', () => {
    const { statuses, events, descriptions } = follow(pending, declined, declined, paid)
    expect(statuses).toEqual(['Declined', 'Completed'])
    expect(descriptions[0]).toBe('An attempt was declined (insufficient_funds); the customer may try again')
    expect(events.map(({ type }) => type)).toEqual(['payment.succeeded', 'payment.settled'])
  })

  test('after another one makes a new entry, also for the same reason', () => {
    expect(follow(pending, declined, { ...declined, chargeId: 'ch_9' }).statuses).toEqual(['Declined', 'Declined'])
  })
})

describe('a delayed method', () => {
  test('that fails ends the payment with the reason', () => {
    const failed: ProviderCheckout = {
      ...closed,
      paymentStatus: 'failed',
      lastError: { code: 'payment_intent_payment_attempt_failed' },
    }
    const { statuses, events } = follow(pending, { ...closed, paymentStatus: 'processing' }, failed)
    expect(statuses).toEqual(['Processing', 'Failed'])
    expect(events).toEqual([
      { type: 'payment.failed', data: { failureReason: 'payment_intent_payment_attempt_failed', ...outcome } },
    ])
  })

  test('that was declined has the failure reason declined', () => {
    const failed: ProviderCheckout = { ...closed, paymentStatus: 'failed', lastError: { code: 'card_declined' } }
    expect(follow(pending, failed).events[0]?.data).toMatchObject({ failureReason: 'declined' })
  })

  test('stays Processing when an older record, of the open page, comes late', () => {
    const { next } = follow(pending, { ...closed, paymentStatus: 'processing' }, declined, open)
    expect(next.status).toBe('Processing')
  })
})

describe('an end without money', () => {
  test.each<[string, Payment, ProviderCheckout, string]>([
    ['a checkout that ran out', pending, expired, 'expired'],
    [
      'one that the client wanted cancelled',
      { ...pending, cancelling: 'requested_by_client' },
      expired,
      'requested_by_client',
    ],
    ['one whose site went', { ...pending, cancelling: 'site_deleted' }, expired, 'site_deleted'],
    ['one that the provider cancelled', pending, { ...open, paymentStatus: 'cancelled' }, 'provider'],
  ])('%s is Cancelled with its reason', (_case, payment, checkout, cancellationReason) => {
    const { next, events } = follow(payment, checkout, checkout)
    expect(next).toMatchObject({ status: 'Cancelled', outcome: 'cancelled' })
    expect(events).toEqual([{ type: 'payment.cancelled', data: { cancellationReason, ...outcome } }])
  })

  test('does not happen if the customer paid before the cancellation', () => {
    expect(follow({ ...pending, cancelling: 'requested_by_client' }, paid).next.status).toBe('Completed')
  })
})

describe('a refusal by the provider', () => {
  const refusal = new ProviderRefused('provider_rejected', 'no', { code: 'parameter_invalid' })

  test('within the request fails the payment without an event', () => {
    const { next, events, history } = refuse(created, refusal, 'request', now)
    expect(next).toMatchObject({ status: 'Failed', listed: false })
    expect(history).toEqual([{ at: now, status: 'Failed', description: 'Refused by the provider: parameter_invalid' }])
    expect(events).toEqual([])
  })

  test.each<[string, ProviderRefused, string]>([
    ['its code', refusal, 'parameter_invalid'],
    ['declined', new ProviderRefused('declined', 'no', { code: 'card_declined' }), 'declined'],
    ['no code', new ProviderRefused('provider_rejected', 'no'), 'provider_refused'],
  ])('in a sweep is told to subscribers: %s', (_case, refused, failureReason) => {
    const { next, events } = refuse(created, refused, 'sweep', now)
    expect(next).toMatchObject({ status: 'Failed', outcome: 'failed', listed: true })
    expect(events).toEqual([{ type: 'payment.failed', data: { failureReason, ...outcome } }])
  })

  test('cancels a payment that was to be cancelled', () => {
    const { next, events } = refuse({ ...created, cancelling: 'site_deleted' }, refusal, 'sweep', now)
    expect(next.status).toBe('Cancelled')
    expect(events).toEqual([{ type: 'payment.cancelled', data: { cancellationReason: 'site_deleted', ...outcome } }])
  })

  test('that comes late changes nothing', () => {
    expect(refuse(pending, refusal, 'sweep', now).next).toBe(pending)
  })
})

describe('giving up', () => {
  test('a payment that stayed Created fails with an alert: nobody has the address of its page', () => {
    const { next, events, alerts } = giveUp(created, now)
    expect(next.status).toBe('Failed')
    expect(events).toEqual([
      { type: 'payment.failed', data: { failureReason: 'provider_outcome_unknown', ...outcome } },
    ])
    expect(alerts).toMatchObject([{ code: 'outcome_unknown' }])
  })

  test.each(['Pending', 'Declined', 'Processing'] as const)(
    'never fails one that is %s: it stays open, with an entry and one alert, until the provider tells',
    (status) => {
      const payment: Payment = { ...pending, status }
      const { next, events, history, alerts } = giveUp(payment, now)
      expect(next).toMatchObject({ status, outcome: undefined, unreachableSince: now })
      expect(events).toEqual([])
      expect(history).toMatchObject([{ status }])
      expect(alerts).toMatchObject([{ code: 'outcome_unknown' }])
      expect(giveUp(next, now).next).toBe(next)
      expect(follow(next, paid).next).toMatchObject({ status: 'Completed', unreachableSince: undefined })
    },
  )

  test.each(['Completed', 'Failed', 'Cancelled', 'Refunded'] as const)('never touches one that is %s', (status) => {
    const payment = { ...created, status }
    expect(giveUp(payment, now).next).toBe(payment)
  })
})
