import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { waitAfter } from './sender.ts'
import { signatureHeader } from './signature.ts'

const now = new Date('2026-11-20T10:00:00.900Z')

test('the signature equals that of Stripe’s own library', () => {
  const payload = '{"id":"evt_1","name":"Zähne"}'
  const theirs = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: 'whsec_x',
    timestamp: Math.floor(now.getTime() / 1000),
  })
  expect(signatureHeader(payload, ['whsec_x'], now)).toBe(theirs)
})

test('waits double up to a minute, with jitter', () => {
  expect([0, 1, 2, 3].map((failures) => waitAfter(failures, 0.5))).toEqual([500, 1_000, 2_000, 4_000])
  expect(waitAfter(20, 0.5)).toBe(60_000)
  expect([waitAfter(0, 0), waitAfter(0, 1)]).toEqual([400, 600])
})
