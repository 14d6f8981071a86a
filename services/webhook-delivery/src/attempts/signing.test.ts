import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newSigningSecret, receiverKey, signingKey } from '../subscriptions/secrets.ts'
import { signatureOf } from './signing.ts'

// The vector of the Standard Webhooks specification's reference libraries.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const timestamp = 1614265330
const payload = Buffer.from('{"test": 2432232314}')

test('the signature equals the known answer of Standard Webhooks', () => {
  expect(signatureOf([signingKey(secret)], id, timestamp, payload)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('with two keys there are two signatures, and either secret verifies', () => {
  const [current, previous] = [newSigningSecret(), newSigningSecret()]
  const now = Math.floor(Date.now() / 1000)
  const signature = signatureOf([signingKey(current), signingKey(previous)], id, now, payload)
  expect(signature.split(' ')).toHaveLength(2)
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': signature }
  for (const known of [current, previous])
    expect(new Webhook(known).verify(payload, headers)).toEqual({ test: 2432232314 })
  expect(() => new Webhook(newSigningSecret()).verify(payload, headers)).toThrow()
})

test('an empty payload and any bytes can be signed', () => {
  const key = signingKey(newSigningSecret())
  expect(signatureOf([key], id, timestamp, Buffer.alloc(0))).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  expect(signatureOf([key], id, timestamp, Buffer.from([0xff, 0, 0x80]))).not.toBe(
    signatureOf([key], id, timestamp, Buffer.alloc(0)),
  )
})

test('secrets are 32 random bytes behind whsec_', () => {
  const made = newSigningSecret()
  expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(signingKey(made).symmetricKeySize).toBe(32)
  expect(newSigningSecret()).not.toBe(made)
})

test('an asymmetric secret has the public key of RFC 8032, and signs with v1a beside a symmetric one', () => {
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
  const known = `whsk_${Buffer.from(seed, 'hex').toString('base64')}`
  expect(receiverKey(known)).toEqual({ PublicKey: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=' })
  expect(newSigningSecret('Asymmetric')).toMatch(/^whsk_[A-Za-z0-9+/]{43}=$/)
  const keys = [signingKey(known), signingKey(secret)]
  const [own, other] = signatureOf(keys, id, timestamp, payload).split(' ')
  expect(own).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/)
  expect(other).toMatch(/^v1,/)
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), payload])
  expect(verify(null, content, createPublicKey(keys[0]!), Buffer.from(own!.slice(4), 'base64'))).toBe(true)
})

test('the signatures equal those that docs/webhooks.md publishes', () => {
  const document = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, body = ''] = /```json known-answer\n(.*)\n```/.exec(document) ?? []
  const answers = [...document.matchAll(/\| `(whsec_\S+)` \| `(v1,\S+)` \|/g)]
  expect(answers).toHaveLength(2)
  for (const [, published = '', answer] of answers) {
    const signature = signatureOf(
      [signingKey(published)],
      '0199a7f0-0000-7000-8000-000000000001',
      1767225600,
      Buffer.from(body),
    )
    expect(signature).toBe(answer)
  }
})
