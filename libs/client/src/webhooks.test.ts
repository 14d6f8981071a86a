import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import {
  isAccountEvent,
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
  ['account.status_changed', 'account'],
  ['account.updated', 'none'],
  ['refund.invented', 'none'],
  ['subscription.test', 'none'],
  ['com.example.refund', 'none'],
])('%s is an event of kind %s', (type, kind) => {
  const event = { ...(JSON.parse(body) as FrontdeskEvent), type } as FrontdeskEvent
  const kinds = {
    payment: isPaymentEvent(event),
    refund: isRefundEvent(event),
    dispute: isDisputeEvent(event),
    account: isAccountEvent(event),
  }
  expect(Object.entries(kinds).flatMap(([name, isIt]) => (isIt ? [name] : []))).toEqual(kind === 'none' ? [] : [kind])
})

test('an asymmetric delivery verifies with the public key, as docs/webhooks.md publishes it', () => {
  const document = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, text = ''] = /```json known-answer\n(.*)\n```/.exec(document) ?? []
  const [, publicKey = '', signature = ''] = /\| `(whpk_\S+)` \| `(v1a,\S+)` \|/.exec(document) ?? []
  const headers = {
    'webhook-id': '0199a7f0-0000-7000-8000-000000000001',
    'webhook-timestamp': '1767225600',
    'webhook-signature': `v1,AAAA ${signature}`,
  }
  const check = (more: object, given = text) =>
    verifyWebhook({ body: given, headers: { ...headers, ...more }, secret: publicKey })
  vi.useFakeTimers({ now: 1_767_225_600_000 + 299_000 })
  try {
    expect(check({}).id).toBe(headers['webhook-id'])
    expect(() => check({}, `${text} `)).toThrow(WebhookVerificationError)
    for (const name of Object.keys(headers))
      expect(() => check({ [name]: undefined })).toThrow(WebhookVerificationError)
    expect(() => check({ 'webhook-signature': signature.replace('v1a', 'v1') })).toThrow(WebhookVerificationError)
    vi.setSystemTime(1_767_225_600_000 + 301_000)
    expect(() => check({})).toThrow('the timestamp is too far off')
  } finally {
    vi.useRealTimers()
  }
})
