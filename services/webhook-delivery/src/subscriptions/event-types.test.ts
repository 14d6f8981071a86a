import { ProblemError } from '@frontdesk/problems'
import { expect, test } from 'vitest'
import { checkEventTypes } from './event-types.ts'

function refusal(act: () => unknown): ProblemError {
  try {
    act()
  } catch (error) {
    if (error instanceof ProblemError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
const details = (act: () => unknown) => refusal(act).options.errors?.map(({ detail }) => detail)

test('a caller can subscribe to the outcomes of payments, refunds and disputes, to changes of account status, to all of each, and to exact external types', () => {
  expect(() =>
    checkEventTypes(
      [
        'payment.succeeded',
        'payment.failed',
        'payment.cancelled',
        'refund.succeeded',
        'refund.failed',
        'dispute.opened',
        'dispute.closed',
        'payment.*',
        'refund.*',
        'dispute.*',
        'account.status_changed',
        'account.*',
        'com.example.recall',
        'appointment.booked',
      ],
      {},
    ),
  ).not.toThrow()
})

test('Internal events, unknown types of ours and patterns are refused, each by name', () => {
  const types = [
    'payment.succeeded',
    'payment.created',
    'payment.settled',
    'refund.created',
    'dispute.won',
    'site.*',
    'site.deleted',
    'payment.',
    'com.example.*',
    '*',
    'subscription.test',
    'delivery.exhausted',
    'provider.event.received',
    'organisation.deleted',
    'account.updated',
    'Site.Deleted',
  ]
  const { code, options } = refusal(() => checkEventTypes(types, {}))
  expect({ code, pointers: options.errors?.map(({ pointer }) => pointer) }).toEqual({
    code: 'event_type_unknown',
    pointers: types.flatMap((_, index) => (index === 0 ? [] : [`/EventTypes/${index}`])),
  })
})

test.each([
  ['PaymentSucceeded', 'payment.succeeded'],
  ['payment_succeeded', 'payment.succeeded'],
  ['payment-failed', 'payment.failed'],
  ['Payment.Succeeded', 'payment.succeeded'],
  ['payments.succeeded', 'payment.succeeded'],
  ['Payment Cancelled', 'payment.cancelled'],
  ['payment.canceled', 'payment.cancelled'],
  ['payment_intent.succeeded', 'payment.succeeded'],
  ['payment', 'payment.*'],
  ['payment.', 'payment.*'],
  ['payment.created', 'payment.*'],
  ['paymentplan.made', 'payment.*'],
  ['RefundFailed', 'refund.failed'],
  ['refunds', 'refund.*'],
  ['disputes.closed', 'dispute.closed'],
])('%s is refused, and the right spelling is told: %s', (type, meant) => {
  const by = { eventSource: 'https://a.example' }
  expect(details(() => checkEventTypes([type], by))).toEqual([
    `${type} is not an event type of ours: did you mean ${meant}?`,
  ])
})

test('a name without a dot is no external type, unless the client publishes events itself', () => {
  expect(details(() => checkEventTypes(['recall'], {}))).toEqual([
    'recall is not an event type of ours, and external types have a dot, such as com.example.recall',
  ])
  expect(() => checkEventTypes(['recall'], { eventSource: 'https://a.example' })).not.toThrow()
  expect(() => checkEventTypes(['com.example.recall', 'example.payment.made', 'charge.refunded'], {})).not.toThrow()
})
