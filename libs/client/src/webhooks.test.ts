import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import {
  isAccountEvent,
  isDisputeEvent,
  isFrontdeskEvent,
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

test('a delivery with a valid signature returns its event and its webhook id', async () => {
  const { id, event } = await verifyWebhook({ body: Buffer.from(body), headers: signed(new Date()), secret })
  expect(id).toBe('e1')
  expect(isPaymentEvent(event)).toBe(true)
})

test('the headers may be those of a fetch Request', async () => {
  const request = new Request('https://pms.example/hooks', { method: 'POST', headers: signed(new Date()), body })
  await expect(verifyWebhook({ body, headers: request.headers, secret })).resolves.toMatchObject({ id: 'e1' })
})

test('a delivery signed with two secrets, as after a rotation, verifies with either', async () => {
  const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
  const at = new Date()
  const headers = signed(at)
  headers['webhook-signature'] += ` ${new Webhook(other).sign('e1', at, body)}`
  for (const each of [secret, other])
    await expect(verifyWebhook({ body, headers, secret: each })).resolves.toMatchObject({ id: 'e1' })
})

test('a changed body, an old timestamp and a missing signature are refused', async () => {
  const old = new Date(Date.now() - 6 * 60_000)
  const headers = signed(new Date())
  const refused = [
    { body: `${body} `, headers, secret },
    { body, headers: signed(old), secret },
    { body, headers: {}, secret },
    { body, headers, secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` },
    { body, headers, secret: 'not a secret' },
    { body, headers: { ...headers, 'webhook-signature': 'v1,???' }, secret },
  ]
  for (const each of refused) await expect(verifyWebhook(each)).rejects.toThrow(WebhookVerificationError)
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
  expect(isFrontdeskEvent(event)).toBe(kind !== 'none')
  expect(Object.entries(kinds).flatMap(([name, isIt]) => (isIt ? [name] : []))).toEqual(kind === 'none' ? [] : [kind])
})

test('an asymmetric delivery verifies with the public key, as docs/webhooks.md publishes it', async () => {
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
    await expect(check({})).resolves.toMatchObject({ id: headers['webhook-id'] })
    await expect(check({}, `${text} `)).rejects.toThrow(WebhookVerificationError)
    for (const name of Object.keys(headers))
      await expect(check({ [name]: undefined })).rejects.toThrow(WebhookVerificationError)
    const hmac = { 'webhook-signature': signature.replace('v1a', 'v1') }
    await expect(check(hmac)).rejects.toThrow(WebhookVerificationError)
    vi.setSystemTime(1_767_225_600_000 + 301_000)
    await expect(check({})).rejects.toThrow('the timestamp is too far off')
  } finally {
    vi.useRealTimers()
  }
})
