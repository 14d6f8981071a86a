import { ProviderRefused, type ProviderCheckout } from '@frontdesk/providers'
import { describe, expect, test } from 'vitest'
import type { Payment } from './domain.ts'
import { applySnapshot, giveUp, refuse } from './outcome.ts'

const now = new Date('2026-11-21T09:00:00Z')
const recordId = '0199b6a0-0000-7000-8000-000000000001'
const outcome = { reference: 'INV-7', recordId, paymentProvider: 'Sandbox' }

const created: Payment = {
  recordId,
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
  amount: 4_500,
  feeAmount: 0,
  reference: 'INV-7',
  createdAt: now,
  status: 'Created',
  version: 1,
  listed: true,
  tipAmount: 0,
  amountRefunded: 0,
}
const open: ProviderCheckout = {
  id: 'cs_1',
  status: 'open',
  paymentStatus: 'unpaid',
  currency: 'GBP',
  amountTotal: 4_500,
  amountRefunded: 0,
  tipAmount: 0,
  dispute: 'none',
  url: 'https://checkout.example/cs_1',
  expiresAt: new Date('2026-11-22T09:00:00Z'),
}
const { url: _, ...closed } = { ...open, status: 'complete' as const }
const declined = {
  ...open,
  lastError: { code: 'card_declined', declineCode: 'insufficient_funds' },
  chargeId: 'ch_1',
  paymentIntentId: 'pi_1',
}
const paid: ProviderCheckout = {
  ...closed,
  paymentStatus: 'paid',
  paymentIntentId: 'pi_1',
  chargeId: 'ch_2',
  paidAt: new Date('2026-11-21T08:59:58Z'),
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
    expect(follow(created, paid).events.map(({ type }) => type)).toEqual(['payment.created', 'payment.succeeded'])
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
    expect(events).toEqual([{ type: 'payment.succeeded', data: { currency: 'GBP', amount: 4_500, ...outcome } }])
    expect(descriptions).toEqual(['Paid (pi_1, 2026-11-21T08:59:58.000Z)'])
    expect(alerts).toEqual([])
  })

  test('has no reference in its event if the payment has none', () => {
    const { events } = follow({ ...pending, reference: undefined }, paid)
    expect(Object.keys(events[0]?.data ?? {})).not.toContain('reference')
  })

  test('of another amount raises an alert and is written to the history', () => {
    const { alerts, descriptions } = follow(pending, { ...paid, amountTotal: 5_400 })
    expect(alerts).toEqual(['amount_differs'])
    expect(descriptions[0]).toContain('4500 GBP were asked, the provider took 5400 GBP')
  })

  test.each([
    ['Failed', 'failed', 'money_after_failed'],
    ['Cancelled', 'cancelled', 'money_after_cancelled'],
  ] as const)('that comes after %s still completes the payment, with an alert', (status, before, alert) => {
    const { next, events, alerts, descriptions } = follow({ ...pending, status, outcome: before }, paid)
    expect(next).toMatchObject({ status: 'Completed', outcome: 'succeeded' })
    expect(events.map(({ type }) => type)).toEqual(['payment.succeeded'])
    expect(alerts).toEqual([alert])
    expect(descriptions[0]).toContain(`although it had ended as ${status}`)
  })

  test('that is refunded in parts makes an entry for each part, and no event', () => {
    const completed = follow(pending, paid).next
    const refunded = (amountRefunded: number) => ({ ...paid, amountRefunded })
    const { next, statuses, events } = follow(completed, refunded(500), refunded(500), refunded(700), refunded(4_500))
    expect(statuses).toEqual(['PartiallyRefunded', 'PartiallyRefunded', 'Refunded'])
    expect(next.amountRefunded).toBe(4_500)
    expect(events).toEqual([])
  })

  test('whose dispute is won is Completed again, without a second event or alert', () => {
    const dispute = (state: ProviderCheckout['dispute']) => ({ ...paid, amountTotal: 5_400, dispute: state })
    const { statuses, events, alerts } = follow(
      pending,
      dispute('none'),
      dispute('open'),
      dispute('none'),
      dispute('won'),
    )
    expect(statuses).toEqual(['Completed', 'Disputed', 'Completed'])
    expect(events.map(({ type }) => type)).toEqual(['payment.succeeded'])
    expect(alerts).toEqual(['amount_differs'])
  })

  test('whose dispute is lost is charged back', () => {
    expect(follow(pending, { ...paid, dispute: 'lost' }).statuses).toEqual(['Completed', 'Disputed', 'ChargedBack'])
  })
})

describe('a declined attempt', () => {
  test('does not end the payment: the next attempt may pay', () => {
    const { statuses, events, descriptions } = follow(pending, declined, declined, paid)
    expect(statuses).toEqual(['Declined', 'Completed'])
    expect(descriptions[0]).toBe('An attempt was declined (insufficient_funds); the customer may try again')
    expect(events.map(({ type }) => type)).toEqual(['payment.succeeded'])
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
  test.each(['Created', 'Pending', 'Declined'] as const)('a payment that stayed %s fails with an alert', (status) => {
    const { next, events, alerts } = giveUp({ ...created, status }, now)
    expect(next.status).toBe('Failed')
    expect(events).toEqual([
      { type: 'payment.failed', data: { failureReason: 'provider_outcome_unknown', ...outcome } },
    ])
    expect(alerts).toMatchObject([{ code: 'outcome_unknown' }])
  })

  test.each(['Processing', 'Completed', 'Failed', 'Cancelled', 'Refunded'] as const)(
    'never touches one that is %s',
    (status) => {
      const payment = { ...created, status }
      expect(giveUp(payment, now).next).toBe(payment)
    },
  )
})
