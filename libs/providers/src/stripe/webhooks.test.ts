import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { parseWebhook, verifyWebhook } from './webhooks.ts'

const now = new Date('2026-11-21T09:00:00Z')
const seconds = now.getTime() / 1000
const secret = 'whsec_new'
const secrets = [secret, 'whsec_old']

const payload = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'charge.refunded',
  created: seconds - 2,
  livemode: false,
  account: 'acct_1',
  data: { object: { id: 'ch_1', object: 'charge', payment_intent: 'pi_1', metadata: { recordId: 'r-1' } } },
})

function header(options: { secret?: string; timestamp?: number; scheme?: string; payload?: string } = {}): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: seconds, ...options })
}

const verify = (signature: string | undefined, body = payload) =>
  verifyWebhook(Buffer.from(body), signature, secrets, now)
const refused = expect.objectContaining({ code: 'provider_signature_invalid' })

describe('a webhook', () => {
  test('signed with any of our secrets is accepted', () => {
    const event = {
      id: 'evt_1',
      type: 'charge.refunded',
      created: new Date(now.getTime() - 2_000),
      livemode: false,
      account: 'acct_1',
      objectId: 'ch_1',
      objectType: 'charge',
      paymentIntentId: 'pi_1',
      recordId: 'r-1',
    }
    expect(verify(header())).toEqual(event)
    expect(verify(header({ secret: 'whsec_old' }))).toEqual(event)
    expect(parseWebhook(payload)).toEqual(event)
  })

  test('with two signatures is accepted if one is valid', () => {
    expect(verify(header().replace('v1=', `v1=${'0'.repeat(64)},v1=`)).id).toBe('evt_1')
  })

  test.each<[string, string | undefined]>([
    ['no signature', undefined],
    ['an empty one', ''],
    ['another secret', header({ secret: 'whsec_forged' })],
    ['another scheme', header({ scheme: 'v0' })],
    ['301 s old', header({ timestamp: seconds - 301 })],
    ['301 s ahead', header({ timestamp: seconds + 301 })],
    ['a valid time before one too far ahead', `t=${seconds},${header({ timestamp: seconds + 9_999 })}`],
    ['no time', header().replace(/t=\d+,/, '')],
  ])('with %s is refused', (_, signature) => {
    expect(() => verify(signature)).toThrow(refused)
  })

  test('exactly at the tolerance is accepted, in the past and in the future', () => {
    expect(verify(header({ timestamp: seconds - 300 })).id).toBe('evt_1')
    expect(verify(header({ timestamp: seconds + 300 })).id).toBe('evt_1')
  })

  test('with a reserialised body is refused', () => {
    expect(() => verify(header(), JSON.stringify(JSON.parse(payload), undefined, 1))).toThrow(refused)
  })

  test('with a signed body that is not an event is malformed', () => {
    for (const body of ['[]', 'null', 'hello', '{"object":"event"}']) {
      expect(() => verify(header({ payload: body }), body)).toThrow(expect.objectContaining({ code: 'malformed_json' }))
    }
  })

  test('about a payment intent has its id as paymentIntentId', () => {
    const event = {
      id: 'evt_2',
      object: 'event',
      type: 'payment_intent.payment_failed',
      created: 1,
      livemode: true,
      data: { object: { id: 'pi_2', object: 'payment_intent' } },
    }
    expect(parseWebhook(JSON.stringify(event))).toMatchObject({
      objectId: 'pi_2',
      paymentIntentId: 'pi_2',
      account: undefined,
    })
  })
})
