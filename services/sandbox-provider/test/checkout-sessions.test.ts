import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  embeddedSession,
  hostedSession,
  lineItem,
  makeAccount,
  refusal,
  runSandbox,
  type RunningSandbox,
  stripeAt,
} from './running-sandbox.ts'

let sandbox: RunningSandbox
let account: string

beforeAll(async () => {
  sandbox = await runSandbox()
  account = await makeAccount(sandbox)
})
afterAll(() => sandbox[Symbol.asyncDispose]())

const create = (params: object, options: Stripe.RequestOptions = {}) =>
  sandbox.stripe.checkout.sessions.create(params, {
    stripeAccount: account,
    ...options,
  })
const retrieve = (id: string) =>
  sandbox.stripe.checkout.sessions.retrieve(
    id,
    { expand: ['payment_intent.latest_charge'] },
    { stripeAccount: account },
  )

test('a hosted session has an address, the total of its items, an expiry in 24 hours and no payment yet', async () => {
  const session = await create(hostedSession())
  expect(session).toMatchObject({
    object: 'checkout.session',
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 25_000,
    currency: 'nzd',
    payment_intent: null,
    client_secret: null,
    livemode: false,
    metadata: { recordId: '01938f0e-0000-7000-8000-000000000001' },
  })
  expect(session.id).toMatch(/^cs_test_/)
  expect(session.url).toBe(`${sandbox.url}/c/${session.id}`)
  expect(session.expires_at - session.created).toBe(24 * 60 * 60)
})

test('an embedded session has a client secret and no address', async () => {
  const session = await create(embeddedSession())
  expect(session).toMatchObject({ ui_mode: 'embedded_page', url: null, redirect_on_completion: 'never' })
  expect(session.client_secret).toMatch(new RegExp(`^${session.id}_secret_`))
})

test('a repeated key and parameters return the same session, marked as replayed', async () => {
  const idempotencyKey = randomUUID()
  const first = await create(hostedSession(), { idempotencyKey })
  const second = await create(hostedSession(), { idempotencyKey })
  expect(second.id).toBe(first.id)
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(second.lastResponse.requestId).toMatch(/^req_/)
})

test('a key belongs to its account: another account creates its own session with it', async () => {
  const idempotencyKey = randomUUID()
  const other = await makeAccount(sandbox)
  const first = await create(hostedSession(), { idempotencyKey })
  const second = await create(hostedSession(), { idempotencyKey, stripeAccount: other })
  expect(second.id).not.toBe(first.id)
})

test('a key with other parameters, or at another endpoint, is refused', async () => {
  const idempotencyKey = randomUUID()
  const session = await create(hostedSession(), { idempotencyKey })
  const reused = await refusal(create(hostedSession({ client_reference_id: 'other' }), { idempotencyKey }))
  expect(reused).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  expect(reused.statusCode).toBe(400)
  const options = { stripeAccount: account, idempotencyKey }
  const elsewhere = await refusal(sandbox.stripe.checkout.sessions.expire(session.id, {}, options))
  expect(elsewhere.message).toContain('same endpoint')
})

test('simultaneous requests with one key create one session', async () => {
  const idempotencyKey = randomUUID()
  const calls = Array.from({ length: 8 }, () => create(hostedSession(), { idempotencyKey }))
  const results = await Promise.allSettled(calls)
  const made = results.filter((result) => result.status === 'fulfilled').map((result) => result.value.id)
  const conflicts = results.filter((result) => result.status === 'rejected').map((result) => result.reason as unknown)
  expect(new Set(made).size).toBe(1)
  expect(conflicts.length).toBeGreaterThan(0)
  for (const conflict of conflicts) {
    expect(conflict).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
  }
  // Afterwards the key replays.
  expect((await create(hostedSession(), { idempotencyKey })).id).toBe(made[0])
})

test('a request that was refused stores nothing under its key', async () => {
  const idempotencyKey = randomUUID()
  await refusal(create(hostedSession({ line_items: [] }), { idempotencyKey }))
  await expect(create(hostedSession(), { idempotencyKey })).resolves.toMatchObject({ status: 'open' })
})

test('only its own account finds a session', async () => {
  const session = await create(hostedSession())
  const other = await makeAccount(sandbox)
  for (const options of [{ stripeAccount: other }, undefined]) {
    const error = await refusal(sandbox.stripe.checkout.sessions.retrieve(session.id, {}, options))
    expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing' })
  }
})

test('an account that is not connected to the platform is forbidden', async () => {
  const error = await refusal(create(hostedSession(), { stripeAccount: 'acct_1nobody' }))
  expect(error).toBeInstanceOf(Stripe.errors.StripePermissionError)
  expect(error).toMatchObject({ statusCode: 403, code: 'account_invalid' })
})

test('another secret key is refused', async () => {
  const stranger = stripeAt(sandbox.url, 'sk_test_of_a_stranger')
  const error = await refusal(stranger.checkout.sessions.retrieve('cs_test_1'))
  expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  expect((await fetch(`${sandbox.url}/v1/checkout/sessions/cs_test_1`)).status).toBe(401)
})

test('an unknown address is a 404 in the form of Stripe', async () => {
  const reply = await fetch(`${sandbox.url}/v1/customers`, {
    headers: { authorization: `Bearer sk_test_of_a_test` },
  })
  expect(reply.status).toBe(404)
  expect(await reply.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
})

test('an unreadable body or address is refused in the form of Stripe', async () => {
  const headers = { authorization: 'Bearer sk_test_of_a_test', 'content-type': 'application/json' }
  const json = await fetch(`${sandbox.url}/v1/checkout/sessions`, { method: 'POST', headers, body: '{}' })
  expect([json.status, await json.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }])
  const nul = await fetch(`${sandbox.url}/v1/checkout/sessions/cs%00`, { headers })
  expect([nul.status, await nul.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }])
  expect((await fetch(`${sandbox.url}/c/cs%00`)).status).toBe(400)
})

// Refusals of Stripe that its types do not show.
const refused: Array<[string, () => object, { code?: string; param?: string; message?: RegExp }]> = [
  [
    'an unknown parameter',
    () => ({ ...hostedSession(), colour: 'red' }),
    { code: 'parameter_unknown', param: 'colour' },
  ],
  [
    'an unknown parameter deep inside',
    () => hostedSession({ line_items: [{ ...lineItem('x', 100, 1), tip: 1 } as object] }),
    { code: 'parameter_unknown', param: 'line_items[0][tip]' },
  ],
  [
    'a parameter of an older version',
    () => ({ ...hostedSession(), payment_method_types: ['card'] }),
    { code: 'parameter_unknown' },
  ],
  ['an old value of ui_mode', () => hostedSession({ ui_mode: 'hosted' }), { param: 'ui_mode' }],
  [
    'no line items',
    () => ({ ...hostedSession(), line_items: undefined }),
    { code: 'parameter_missing', param: 'line_items' },
  ],
  ['no success_url on a hosted page', () => ({ ...hostedSession(), success_url: undefined }), { param: 'success_url' }],
  [
    'success_url on an embedded page',
    () => embeddedSession({ success_url: 'https://a.example' }),
    { param: 'success_url' },
  ],
  [
    'cancel_url on an embedded page',
    () => embeddedSession({ cancel_url: 'https://a.example' }),
    { param: 'cancel_url' },
  ],
  ['return_url on a hosted page', () => hostedSession({ return_url: 'https://a.example' }), { param: 'return_url' }],
  [
    'an embedded page that redirects without a return_url',
    () => embeddedSession({ redirect_on_completion: 'always' }),
    { param: 'return_url', code: 'parameter_missing' },
  ],
  [
    'an embedded page that never redirects and has a return_url',
    () => embeddedSession({ return_url: 'https://a.example' }),
    { param: 'return_url' },
  ],
  ['an invalid address', () => hostedSession({ success_url: 'practice.example' }), { code: 'url_invalid' }],
  [
    'an amount with a fraction',
    () => hostedSession({ line_items: [lineItem('x', 10.5, 1)] }),
    { code: 'parameter_invalid_integer' },
  ],
  [
    'a negative amount',
    () => hostedSession({ line_items: [lineItem('x', -1, 1)] }),
    { code: 'parameter_invalid_integer' },
  ],
  [
    'no quantity',
    () => hostedSession({ line_items: [{ ...lineItem('x', 100, 1), quantity: undefined } as object] }),
    { message: /Quantity is required/ },
  ],
  [
    'two currencies',
    () => hostedSession({ line_items: [lineItem('x', 100, 1), lineItem('y', 100, 1, 'aud')] }),
    { message: /same currency/ },
  ],
  [
    'a currency that Stripe does not support',
    () => hostedSession({ line_items: [lineItem('x', 100, 1, 'iqd')] }),
    { message: /Invalid currency/ },
  ],
  [
    'a total under the minimum',
    () => hostedSession({ line_items: [lineItem('x', 49, 1)], payment_intent_data: {} }),
    { code: 'amount_too_small' },
  ],
  [
    'a total of nine digits',
    () => hostedSession({ line_items: [lineItem('x', 100_000_000, 1)] }),
    { code: 'amount_too_large' },
  ],
  [
    'a third decimal of a dinar',
    () => hostedSession({ line_items: [lineItem('x', 12_345, 1, 'kwd')] }),
    { message: /divisible by 10/ },
  ],
  [
    'a part of a krona',
    () => hostedSession({ line_items: [lineItem('x', 12_350, 1, 'isk')] }),
    { message: /divisible by 100/ },
  ],
  [
    '101 line items',
    () => hostedSession({ line_items: Array.from({ length: 101 }, () => lineItem('x', 100, 1)) }),
    { param: 'line_items' },
  ],
  [
    'a fee over the total',
    () => hostedSession({ payment_intent_data: { application_fee_amount: 25_001 } }),
    { param: 'payment_intent_data[application_fee_amount]' },
  ],
  [
    'a statement_descriptor for cards',
    () => hostedSession({ payment_intent_data: { statement_descriptor: 'HARBOUR' } }),
    { param: 'payment_intent_data[statement_descriptor]', message: /statement_descriptor_suffix/ },
  ],
  [
    'a suffix that does not fit beside the prefix',
    () => hostedSession({ payment_intent_data: { statement_descriptor_suffix: 'INVOICE 1001' } }),
    { param: 'payment_intent_data[statement_descriptor_suffix]' },
  ],
  ['an expiry in 15 minutes', () => hostedSession({ expires_at: inMinutes(15) }), { param: 'expires_at' }],
  ['an expiry in two days', () => hostedSession({ expires_at: inMinutes(48 * 60) }), { param: 'expires_at' }],
  ['a text instead of a list', () => ({ ...hostedSession(), line_items: 'x' }), { message: /Invalid array/ }],
  ['an empty text', () => hostedSession({ client_reference_id: '' }), { code: 'parameter_invalid_empty' }],
  [
    '51 keys of metadata',
    () => hostedSession({ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v'])) }),
    { param: 'metadata' },
  ],
  [
    'an expansion that does not exist',
    () => hostedSession({ expand: ['customer'] }),
    { message: /cannot be expanded/ },
  ],
]

test.each(refused)('%s is refused as Stripe refuses it', async (_fault, params, expected) => {
  const error = await refusal(create(params()))
  expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
  expect(error.statusCode).toBe(400)
  if (expected.code !== undefined) expect(error.code).toBe(expected.code)
  if (expected.param !== undefined) expect(error.param).toBe(expected.param)
  if (expected.message !== undefined) expect(error.message).toMatch(expected.message)
})

test('an account that cannot charge yet gets no session', async () => {
  const fresh = await makeAccount(sandbox, { onboarded: false })
  const error = await refusal(create(hostedSession(), { stripeAccount: fresh }))
  expect(error.message).toContain('cannot currently make charges')
})

test('a paid session can be expanded with its payment intent and charge', async () => {
  const session = await create(hostedSession())
  await sandbox.control(`checkouts/${session.id}/pay`)
  const paid = await retrieve(session.id)
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
  const intent = paid.payment_intent as Stripe.PaymentIntent
  expect(intent).toMatchObject({
    object: 'payment_intent',
    status: 'succeeded',
    amount: 25_000,
    amount_received: 25_000,
    application_fee_amount: 250,
    description: 'INV-1001',
    last_payment_error: null,
    metadata: { recordId: '01938f0e-0000-7000-8000-000000000001' },
  })
  expect(intent.latest_charge).toMatchObject({
    object: 'charge',
    status: 'succeeded',
    payment_intent: intent.id,
    calculated_statement_descriptor: 'HARBOUR ST* INV 1001',
  })
  const alone = await sandbox.stripe.paymentIntents.retrieve(intent.id, {}, { stripeAccount: account })
  expect(alone.latest_charge).toBe((intent.latest_charge as Stripe.Charge).id)
})

test('an open session can be expired once, a complete one cannot', async () => {
  const open = await create(hostedSession())
  const options = { stripeAccount: account }
  const expired = await sandbox.stripe.checkout.sessions.expire(open.id, {}, options)
  expect(expired).toMatchObject({ id: open.id, status: 'expired', url: null })
  const again = await refusal(sandbox.stripe.checkout.sessions.expire(open.id, {}, options))
  expect(again.message).toContain('status of `expired`')

  const paid = await create(hostedSession())
  await sandbox.control(`checkouts/${paid.id}/pay`)
  const late = await refusal(sandbox.stripe.checkout.sessions.expire(paid.id, {}, options))
  expect(late).toMatchObject({ statusCode: 400, message: expect.stringContaining('status of `complete`') as string })
})

function inMinutes(minutes: number): number {
  return Math.floor(Date.now() / 1000) + minutes * 60
}

test('the list has the sessions of the account only, newest first, page after page, with the attempt to pay expanded', async () => {
  const own = await makeAccount(sandbox)
  const options = { stripeAccount: own }
  const ids: string[] = []
  for (let index = 0; index < 3; index++) ids.unshift((await create(hostedSession(), options)).id)
  await sandbox.control(`checkouts/${ids[1]}/pay`)
  const list = (params: Stripe.Checkout.SessionListParams) => sandbox.stripe.checkout.sessions.list(params, options)

  const first = await list({ limit: 2, expand: ['data.payment_intent.latest_charge'] })
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/checkout/sessions' })
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.data[1]).toMatchObject({
    payment_status: 'paid',
    payment_intent: { status: 'succeeded', latest_charge: { amount: 25_000 } },
  })
  const rest = await list({ limit: 2, starting_after: ids[1] ?? '' })
  expect(rest).toMatchObject({ has_more: false, data: [{ id: ids[2] }] })

  const { created = 0 } = first.data[0] ?? {}
  expect((await list({ created: { gte: created } })).data.length).toBeGreaterThan(0)
  expect((await list({ created: { gt: created } })).data).toEqual([])
  expect((await list({ status: 'complete' })).data.map(({ id }) => id)).toEqual([ids[1]])
  await expect(list({ starting_after: 'cs_test_other' })).rejects.toMatchObject({ code: 'resource_missing' })
})
