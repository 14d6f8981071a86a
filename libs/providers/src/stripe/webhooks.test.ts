import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { readEvent, receiveWebhook } from './webhooks.ts'

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

function verify(signature: string | undefined, body = payload) {
  const { events, reply } = receiveWebhook(Buffer.from(body), { 'stripe-signature': signature }, secrets, now)
  expect(events).toHaveLength(1)
  expect(reply).toBeUndefined()
  return events[0]
}
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
      kept: expect.any(String) as string,
    }
    expect(verify(header())).toEqual(event)
    expect(verify(header({ secret: 'whsec_old' }))).toEqual(event)
    expect(readEvent(payload)).toEqual(event)
  })

  test('is kept without secrets and names, and reads the same as it came', () => {
    const session = {
      id: 'cs_1',
      object: 'checkout.session',
      status: 'complete',
      payment_status: 'paid',
      currency: 'gbp',
      amount_total: 4_500,
      payment_intent: { id: 'pi_1', client_secret: 'pi_1_secret_x' },
      customer_details: { name: 'Ada Patient', email: 'ada@example.com' },
      metadata: { recordId: 'r-1', pmsSpecificId: '17' },
    }
    const body = JSON.stringify({ ...JSON.parse(payload), data: { object: session } })
    const event = readEvent(body)
    expect(event).toMatchObject({ paid: { id: 'cs_1', amountTotal: 4_500, currency: 'GBP' }, paymentIntentId: 'pi_1' })
    expect(readEvent(event.kept)).toEqual(event)
    expect(event.kept).not.toMatch(/secret|Ada|ada@|details|pmsSpecificId/)
  })

  test('with two signatures is accepted if one is valid', () => {
    expect(verify(header().replace('v1=', `v1=${'0'.repeat(64)},v1=`))?.id).toBe('evt_1')
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
    expect(verify(header({ timestamp: seconds - 300 }))?.id).toBe('evt_1')
    expect(verify(header({ timestamp: seconds + 300 }))?.id).toBe('evt_1')
  })

  test('with a reserialised body is refused', () => {
    expect(() => verify(header(), JSON.stringify(JSON.parse(payload), undefined, 1))).toThrow(refused)
  })

  test('with a signed body that is not an event is malformed', () => {
    const empty = JSON.stringify({ ...JSON.parse(payload), data: { object: null } })
    const timeless = JSON.stringify({ ...JSON.parse(payload), created: undefined })
    for (const body of ['[]', 'null', 'hello', '{"object":"event"}', empty, timeless]) {
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
    expect(readEvent(JSON.stringify(event))).toMatchObject({
      objectId: 'pi_2',
      paymentIntentId: 'pi_2',
      account: undefined,
    })
  })

  test('states that a checkout is paid only if it says so, with what was taken', () => {
    const object = {
      id: 'cs_1',
      object: 'checkout.session',
      payment_status: 'paid',
      amount_total: 50_000,
      currency: 'isk',
    }
    const paid = (changes: object) =>
      readEvent(JSON.stringify({ ...JSON.parse(payload), data: { object: { ...object, ...changes } } })).paid
    expect(paid({})).toEqual({ id: 'cs_1', amountTotal: 500, currency: 'ISK' })
    expect(paid({ payment_status: 'unpaid' })).toBeUndefined()
    expect(paid({ object: 'charge' })).toBeUndefined()
    expect(paid({ currency: 'nameless' })).toBeUndefined()
    expect(paid({ amount_total: null })).toBeUndefined()
  })
})
