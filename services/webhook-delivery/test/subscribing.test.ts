import { createPublicKey, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { auditedActs, eventually, openReceiver, withoutAuditEntries } from '@frontdesk/testing'
import { Webhook } from 'standardwebhooks'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveriesOf, openDeliveryFixture, someSite, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const hook = 'http://127.0.0.1:9/hook'
const headers = [{ Name: 'X-Key', Value: 'very secret' }]

test('subscribing returns the settings and the signing secret; reading returns neither header values nor secret', async () => {
  const caller = fixture.caller()
  const created = await caller.call('subscribe', {
    body: { Headers: headers, EventTypes: ['payment.succeeded', 'payment.*'], Url: hook },
  })
  expect(created.status).toBe(201)
  expect(created.headers.get('cache-control')).toBe('no-store')
  expect(created.body).toEqual({
    Headers: headers,
    EventTypes: ['payment.succeeded', 'payment.*'],
    Url: hook,
    SigningSecret: expect.stringMatching(/^whsec_/),
  })
  const got = await caller.call('getSubscription')
  expect(got.body).toEqual({
    Headers: ['X-Key'],
    EventTypes: ['payment.succeeded', 'payment.*'],
    Labels: ['payments', 'active'],
    Url: hook,
  })
})

test('header values and secrets are encrypted at rest', async () => {
  const caller = fixture.caller()
  const secret = await caller.subscribe(hook, { Headers: headers })
  const { rows } = await fixture.pool.query('select * from subscriptions where site_slug = $1', [caller.site.slug])
  const stored = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  expect(stored).not.toContain('very secret')
  expect(stored).not.toContain(secret.slice(6))
})

test('headers may be left out', async () => {
  const caller = fixture.caller()
  const { body } = await caller.call('subscribe', { body: { EventTypes: ['payment.failed'], Url: hook } })
  expect(body.Headers).toEqual([])
  expect((await caller.call('getSubscription')).body.Headers).toEqual([])
})

test('subscribing again replaces everything but the id, the secret and the history', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const secret = await caller.subscribe(`${receiver.url}/old`, { Headers: headers })
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const replaced = await caller.call('subscribe', {
    body: { EventTypes: ['payment.failed'], Url: `${receiver.url}/new` },
  })
  expect(replaced).toMatchObject({
    status: 200,
    body: { Headers: [], EventTypes: ['payment.failed'], Url: `${receiver.url}/new` },
  })
  expect(replaced.body).not.toHaveProperty('SigningSecret')
  const event = await fixture.publish(caller.site, { type: 'payment.failed' })
  await eventually(() => expect(receiver.requests).toHaveLength(2))
  const request = receiver.requests[1]!
  expect(request).toMatchObject({ path: '/new', headers: { 'webhook-id': event.id } })
  expect(request.headers).not.toHaveProperty('x-key')
  new Webhook(secret).verify(request.body, request.headers as Record<string, string>)
  expect(await deliveriesOf(caller, 2)).toHaveLength(2)
})

test('Headers and EventTypes are enough, as in the interface: for a client with an address, and for a site that has one', async () => {
  const documented = { Headers: headers, EventTypes: ['payment.succeeded', 'payment.failed', 'payment.cancelled'] }
  const client = fixture.caller({ principal: { webhookUrl: 'http://127.0.0.1:9/client' } })
  const site = { ...someSite(), webhookUrl: 'http://127.0.0.1:9/site' }
  const siteKey = fixture.caller({ site, principal: { id: `site:${site.slug}`, siteKeyId: uuidv7() } })
  for (const [caller, Url] of [
    [client, 'http://127.0.0.1:9/client'],
    [siteKey, 'http://127.0.0.1:9/site'],
  ] as const) {
    const created = await caller.call('subscribe', { body: documented })
    expect(created).toMatchObject({ status: 201, body: { ...documented, Url } })
  }
})

test('the client’s registered address is used if none is given', async () => {
  const registered = fixture.caller({ principal: { webhookUrl: 'http://127.0.0.1:9/registered' } })
  expect((await registered.call('subscribe', { body: { EventTypes: ['payment.*'] } })).body.Url).toBe(
    'http://127.0.0.1:9/registered',
  )
  expect(await fixture.caller().call('subscribe', { body: { EventTypes: ['payment.*'] } })).toMatchObject({
    status: 422,
    body: { code: 'webhook_url_missing' },
  })
})

test.each([
  [
    'an unknown event type',
    { EventTypes: ['payment.succeeded', 'payment.refunded'] },
    422,
    'event_type_unknown',
    '/EventTypes/1',
  ],
  ['an Internal event', { EventTypes: ['site.deleted'] }, 422, 'event_type_unknown', '/EventTypes/0'],
  [
    'a reserved header',
    { Headers: [{ Name: 'Webhook-Id', Value: 'x' }] },
    422,
    'webhook_header_refused',
    '/Headers/0/Name',
  ],
  ['an address inside', { Url: 'https://169.254.169.254/latest' }, 422, 'webhook_url_refused', '/Url'],
  ['no event types', { EventTypes: [] }, 400, 'malformed_request', '/EventTypes'],
  ['an unknown member', { Secret: 'x' }, 400, 'malformed_request', '/Secret'],
  [
    'a header value with a line break',
    { Headers: [{ Name: 'X', Value: 'a\r\nb' }] },
    400,
    'malformed_request',
    '/Headers/0/Value',
  ],
  [
    'a header name with a space',
    { Headers: [{ Name: 'X Y', Value: 'a' }] },
    400,
    'malformed_request',
    '/Headers/0/Name',
  ],
  ['another scheme', { Url: 'ftp://example.com/' }, 400, 'malformed_request', '/Url'],
])('%s is refused and named', async (_, part, status, code, pointer) => {
  const caller = fixture.caller()
  const refused = await caller.call('subscribe', { body: { EventTypes: ['payment.*'], Url: hook, ...part } })
  expect(refused).toMatchObject({ status, body: { code, errors: [{ pointer }] } })
  expect((await caller.call('getSubscription')).status).toBe(404)
})

test('a client and a site key have separate subscriptions to a site', async () => {
  const caller = fixture.caller()
  const key = fixture.caller({ principal: { id: `site:${caller.site.slug}` }, site: caller.site })
  await caller.subscribe(hook)
  expect((await key.call('getSubscription')).status).toBe(404)
  expect((await key.call('subscribe', { body: { EventTypes: ['payment.failed'], Url: hook } })).status).toBe(201)
  expect((await caller.call('getSubscription')).body.EventTypes).toEqual(['payment.*'])
})

test('without a subscription each operation on it answers 404', async () => {
  const caller = fixture.caller()
  const answers = await Promise.all([
    caller.call('getSubscription'),
    caller.call('unsubscribe'),
    caller.call('rotateSigningSecret'),
    caller.call('listDeliveries'),
    caller.call('sendTestEvent'),
    caller.call('recoverDeliveries', { body: { Since: new Date().toISOString() } }),
  ])
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'subscription_not_found' } })
})

test('unsubscribing returns the subscription, and cancels its pending deliveries', async () => {
  await using receiver = await openReceiver()
  receiver.reply(() => ({ status: 500 }))
  const caller = fixture.caller()
  const secret = await caller.subscribe(receiver.url, { Headers: headers })
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const ended = await caller.call('unsubscribe')
  expect(ended).toMatchObject({
    status: 200,
    body: { Headers: headers, EventTypes: ['payment.*'], Url: `${receiver.url}/` },
  })
  expect(ended.body).not.toHaveProperty('SigningSecret')
  await fixture.publish(caller.site)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(receiver.requests.length).toBeLessThanOrEqual(2)
  const states = await fixture.pool.query(
    `select distinct d.state from delivery.deliveries d join subscriptions s on s.id = d.subscription_id where s.site_slug = $1`,
    [caller.site.slug],
  )
  expect(states.rows).toEqual([{ state: 'cancelled' }])
  expect(await caller.subscribe(receiver.url)).not.toBe(secret)
  expect(await deliveriesOf(caller, 0)).toEqual([])
})

test('after a rotation both secrets sign; the second rotation drops the first', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const first = await caller.subscribe(receiver.url)
  const rotated = await caller.call('rotateSigningSecret')
  expect(rotated).toMatchObject({
    status: 200,
    body: { SigningSecret: expect.stringMatching(/^whsec_/), PreviousSecretExpiresAt: expect.any(String) },
  })
  const until = Date.parse(rotated.body.PreviousSecretExpiresAt)
  expect(until - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
  expect(until - Date.now()).toBeLessThan(24.1 * 3_600_000)
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const one = receiver.requests[0]!
  for (const secret of [first, rotated.body.SigningSecret ?? ''])
    new Webhook(secret).verify(one.body, one.headers as Record<string, string>)
  const again = await caller.call('rotateSigningSecret')
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(2))
  const two = receiver.requests[1]!
  for (const secret of [rotated.body.SigningSecret ?? '', again.body.SigningSecret ?? ''])
    new Webhook(secret).verify(two.body, two.headers as Record<string, string>)
  expect(() => new Webhook(first).verify(two.body, two.headers as Record<string, string>)).toThrow()
})

test('under an Idempotency-Key subscribing and rotating happen once', async () => {
  const caller = fixture.caller()
  const body = { EventTypes: ['payment.*'], Url: hook }
  const created = await caller.call('subscribe', { body, key: 'a' })
  const replayed = await caller.call('subscribe', { body, key: 'a' })
  expect(replayed).toMatchObject({ status: 201, body: created.body })
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  const rotated = await caller.call('rotateSigningSecret', { key: 'b' })
  // As after a crash between the commit and the stored reply: the request is resumed, not repeated.
  await fixture.pool.query(
    `update idempotency_keys set status = null, lease_until = now() - interval '1 second' where key in ('a', 'b')`,
  )
  expect((await caller.call('subscribe', { body, key: 'a' })).status).toBe(201)
  expect((await caller.call('rotateSigningSecret', { key: 'b' })).body).toEqual(rotated.body)
})

test('concurrent requests to subscribe make one subscription', async () => {
  const caller = fixture.caller()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => caller.call('subscribe', { body: { EventTypes: ['payment.*'], Url: hook } })),
  )
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
    200, 200, 200, 200, 200, 200, 200, 201,
  ])
  expect(
    (await fixture.pool.query('select 1 from subscriptions where site_slug = $1', [caller.site.slug])).rowCount,
  ).toBe(1)
})

test('a missing scope and a missing token are refused', async () => {
  const reader = fixture.caller({ principal: { scopes: ['webhooks:read'] } })
  expect(await reader.call('subscribe', { body: { EventTypes: ['payment.*'], Url: hook } })).toMatchObject({
    status: 403,
    body: { code: 'scope_missing' },
  })
  expect((await reader.call('getSubscription')).status).toBe(404)
})

test('the subscriptions of a deleted site disappear from the API, but match the outcomes of its open payments for months', async () => {
  await using receiver = await openReceiver()
  let calls = 0
  receiver.reply(() => ({ status: ++calls === 1 ? 500 : 204 }))
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const before = await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  await fixture.deleteSite(caller.site)
  await eventually(async () => expect((await caller.call('getSubscription')).status).toBe(404))
  const after = await fixture.publish(caller.site, { type: 'payment.cancelled' })
  await eventually(() =>
    expect(receiver.requests.map((request) => String(request.headers['webhook-id'])).toSorted()).toEqual(
      [before.id, before.id, after.id].toSorted(),
    ),
  )
  const past = 'deleted_at = deleted_at - $2::interval, matches_until = matches_until - $2::interval'
  await fixture.pool.query(`update subscriptions set ${past} where site_slug = $1`, [caller.site.slug, '179 days'])
  await fixture.publish(caller.site, { type: 'payment.failed' })
  await eventually(() => expect(receiver.requests).toHaveLength(4))
  await fixture.pool.query(`update subscriptions set matches_until = now() where site_slug = $1`, [caller.site.slug])
  await fixture.publish(caller.site)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(receiver.requests).toHaveLength(4)
})

test('every act on a subscription leaves an audit entry, and none happens without its entry', async () => {
  const caller = fixture.caller({ principal: { eventSource: 'https://pms.example/' } })
  const subscription = { EventTypes: ['payment.*'], Url: hook, Headers: headers }
  const event = (id: string) => ({
    specversion: '1.0',
    id,
    source: 'https://pms.example/appointments',
    type: 'com.example.booked',
  })
  const secret = await caller.subscribe(hook, { Headers: headers })
  await caller.call('subscribe', { body: subscription })
  await caller.call('rotateSigningSecret')
  const sent = await caller.call('sendTestEvent')
  await caller.call('recoverDeliveries', { body: { Since: new Date().toISOString() } })
  await caller.call('publishEvents', { body: event('audited') })
  await caller.call('redeliver', { params: { DeliveryId: uuidv7() } })
  const stored = async () => {
    const state = 'select version, encrypted_secret, deleted_at from subscriptions where site_slug = $1'
    const recoveries =
      'select count(*)::int as count from delivery.recoveries r join subscriptions s on s.id = subscription_id'
    return [
      ...(await fixture.pool.query(state, [caller.site.slug])).rows,
      ...(await fixture.pool.query(`${recoveries} where site_slug = $1`, [caller.site.slug])).rows,
      (await fixture.pool.query(`select from outbox where subject like $1`, [`evt.%.external.%${caller.site.slug}`]))
        .rowCount,
      (await fixture.pool.query(`select from delivery.events where site_slug = $1`, [caller.site.slug])).rowCount,
    ]
  }
  const before = await stored()
  const newcomer = fixture.caller({ site: caller.site, principal: { id: 'client:newcomer' } })
  const byId = {
    params: { SubscriptionId: (await caller.call('listSubscriptions')).body.Items[0]?.SubscriptionId ?? '' },
  }
  await withoutAuditEntries(fixture.pool, async () => {
    const answers = [
      await newcomer.call('subscribe', { body: subscription }),
      await caller.call('endSubscription', byId),
      await caller.call('subscribe', { body: subscription }),
      await caller.call('rotateSigningSecret'),
      await caller.call('sendTestEvent'),
      await caller.call('recoverDeliveries', { body: { Since: new Date(Date.now() - 1_000).toISOString() } }),
      await caller.call('publishEvents', { body: event('not audited') }),
      await caller.call('unsubscribe'),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500))
  })
  expect(await stored()).toEqual(before)
  await caller.call('redeliver', { params: { DeliveryId: sent.body.DeliveryId } })
  await caller.call('unsubscribe')
  expect(await auditedActs(fixture.pool, { site: caller.site.slug })).toEqual([
    'subscribe Succeeded',
    'subscribe Succeeded',
    'rotateSigningSecret Succeeded',
    'sendTestEvent Succeeded',
    'recoverDeliveries Succeeded',
    'publishEvents Succeeded',
    'redeliver Refused delivery_not_found',
    'redeliver Succeeded',
    'unsubscribe Succeeded',
  ])
  const { rows } = await fixture.pool.query<{ text: string }>(
    'select audit_entries::text as text from audit_entries where site_slug = $1',
    [caller.site.slug],
  )
  for (const { text } of rows) expect(text).not.toMatch(new RegExp(`very secret|${secret.slice(6, 26)}`))
})

/** Whether a delivery has an Ed25519 signature of the key: checked apart from our own code. */
function isSignedBy(publicKey: string, { headers, body }: { headers: IncomingHttpHeaders; body: string }): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const content = Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => one.startsWith('v1a,') && verify(null, content, key, Buffer.from(one.slice(4), 'base64')))
}

test('an asymmetric subscription is verified by a public key, which anybody may read and a rotation replaces', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const body = { EventTypes: ['payment.*'], Url: receiver.url, Signing: 'Asymmetric' }
  const created = (await caller.call('subscribe', { body })).body
  expect(created).toMatchObject({ PublicKey: expect.stringMatching(/^whpk_/) })
  expect(created).not.toHaveProperty('SigningSecret')
  const first = created.PublicKey ?? ''
  expect((await caller.call('getSubscription')).body.PublicKey).toBe(first)
  const rotated = (await caller.call('rotateSigningSecret')).body
  expect(rotated).toEqual({ PublicKey: expect.stringMatching(/^whpk_/), PreviousSecretExpiresAt: expect.any(String) })
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const [request] = receiver.requests
  for (const key of [first, rotated.PublicKey ?? '']) expect(isSignedBy(key, request!)).toBe(true)
  expect(isSignedBy('whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=', request!)).toBe(false)
})

test('a subscription changes its kind of signature when it is replaced; for a day deliveries have both', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  const secret = await caller.subscribe(receiver.url)
  const body = { EventTypes: ['payment.*'], Url: receiver.url }
  const changed = await caller.call('subscribe', { body: { ...body, Signing: 'Asymmetric' } })
  expect(changed).toMatchObject({ status: 200, body: { PublicKey: expect.stringMatching(/^whpk_/) } })
  // Not named, it stays as it is.
  const again = await caller.call('subscribe', { body })
  expect(again.body).not.toHaveProperty('PublicKey')
  expect((await caller.call('getSubscription')).body.PublicKey).toBe(changed.body.PublicKey)
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const [request] = receiver.requests
  expect(isSignedBy(changed.body.PublicKey ?? '', request!)).toBe(true)
  // The library knows `v1` alone, and passes over the other signature.
  new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>)
})
