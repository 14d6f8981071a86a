import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import {
  isDisputeEvent,
  isPaymentEvent,
  isRefundEvent,
  verifyWebhook,
  WebhookVerificationError,
  type FrontdeskEvent,
} from './webhooks.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = JSON.stringify({
  specversion: '1.0',
  id: 'e1',
  source: 'https://x/payments',
  type: 'payment.succeeded',
  data: {},
})

function signed(at: Date, text = body) {
  return {
    'webhook-id': 'e1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('e1', at, text),
  }
}

test('a delivery with a valid signature returns its event and its webhook id', () => {
  const { id, event } = verifyWebhook({ body: Buffer.from(body), headers: signed(new Date()), secret })
  expect(id).toBe('e1')
  expect(isPaymentEvent(event)).toBe(true)
})

test('the headers may be those of a fetch Request', () => {
  const request = new Request('https://pms.example/hooks', { method: 'POST', headers: signed(new Date()), body })
  expect(verifyWebhook({ body, headers: request.headers, secret }).id).toBe('e1')
})

test('a delivery signed with two secrets, as after a rotation, verifies with either', () => {
  const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const at = new Date()
  const headers = signed(at)
  headers['webhook-signature'] += ` ${new Webhook(other).sign('e1', at, body)}`
  for (const each of [secret, other]) expect(verifyWebhook({ body, headers, secret: each }).id).toBe('e1')
})

test('a changed body, an old timestamp and a missing signature are refused', () => {
  const old = new Date(Date.now() - 6 * 60_000)
  expect(() => verifyWebhook({ body: `${body} `, headers: signed(new Date()), secret })).toThrow(
    WebhookVerificationError,
  )
  expect(() => verifyWebhook({ body, headers: signed(old), secret })).toThrow(WebhookVerificationError)
  expect(() => verifyWebhook({ body, headers: {}, secret })).toThrow(WebhookVerificationError)
})

test.each([
  ['payment.succeeded', 'payment'],
  ['payment.cancelled', 'payment'],
  ['refund.succeeded', 'refund'],
  ['refund.failed', 'refund'],
  ['dispute.opened', 'dispute'],
  ['dispute.closed', 'dispute'],
  ['refund.invented', 'none'],
  ['subscription.test', 'none'],
  ['com.example.refund', 'none'],
])('%s is an event of kind %s', (type, kind) => {
  const event = { ...(JSON.parse(body) as FrontdeskEvent), type } as FrontdeskEvent
  const kinds = { payment: isPaymentEvent(event), refund: isRefundEvent(event), dispute: isDisputeEvent(event) }
  expect(Object.entries(kinds).flatMap(([name, isIt]) => (isIt ? [name] : []))).toEqual(kind === 'none' ? [] : [kind])
})
