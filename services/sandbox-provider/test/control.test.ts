import type Stripe from 'stripe'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostedSession, makeAccount, runSandbox, type RunningSandbox } from './running-sandbox.ts'

let sandbox: RunningSandbox
let account: string

beforeAll(async () => {
  sandbox = await runSandbox()
  account = await makeAccount(sandbox)
})
afterAll(() => sandbox[Symbol.asyncDispose]())

const newSession = async () =>
  (await sandbox.stripe.checkout.sessions.create(hostedSession(), { stripeAccount: account })).id
const act = async (id: string, action: string) => (await sandbox.control(`checkouts/${id}/${action}`)).status
const seen = async (id: string) => {
  const expand = ['payment_intent.latest_charge']
  const session = await sandbox.stripe.checkout.sessions.retrieve(id, { expand }, { stripeAccount: account })
  const intent = session.payment_intent as Stripe.PaymentIntent | null
  return [session.status, session.payment_status, intent?.status, intent?.last_payment_error?.code]
}

test('a declined card leaves the checkout open, with the reason, and the next card pays it', async () => {
  const id = await newSession()
  expect(await act(id, 'decline')).toBe(204)
  expect(await seen(id)).toEqual(['open', 'unpaid', 'requires_payment_method', 'card_declined'])
  expect(await act(id, 'decline')).toBe(204)
  expect(await act(id, 'pay')).toBe(204)
  expect(await seen(id)).toEqual(['complete', 'paid', 'succeeded', undefined])
})

test('a customer can pay another total than asked, and then the fee is at most the total', async () => {
  const id = await newSession()
  expect(await act(id, 'decline')).toBe(204)
  expect(await act(id, 'pay?amount=200&currency=aud')).toBe(204)
  const expand = ['payment_intent.latest_charge']
  const session = await sandbox.stripe.checkout.sessions.retrieve(id, { expand }, { stripeAccount: account })
  expect(session).toMatchObject({ amount_total: 200, currency: 'aud', amount_subtotal: 25_000 })
  const intent = session.payment_intent as Stripe.PaymentIntent
  const taken = { amount: 200, currency: 'aud', application_fee_amount: 200 }
  expect(intent).toMatchObject({ ...taken, amount_received: 200 })
  expect(intent.latest_charge).toMatchObject(taken)
  expect((await sandbox.ledgerOf(id))?.charges.at(-1)).toMatchObject({ amount: 200, fee: 200 })
})

test('a paid session tells who paid, as at Stripe', async () => {
  const id = await newSession()
  const details = async () =>
    (await sandbox.stripe.checkout.sessions.retrieve(id, {}, { stripeAccount: account })).customer_details
  expect(await details()).toBeNull()
  await act(id, 'pay')
  expect(await details()).toMatchObject({ name: 'Pat Sandbox', email: 'pat.sandbox@patients.example' })
})

test('a delayed payment is processing until its money arrives', async () => {
  const id = await newSession()
  expect(await act(id, 'delay')).toBe(204)
  expect(await seen(id)).toEqual(['complete', 'unpaid', 'processing', undefined])
  expect(await act(id, 'settle')).toBe(204)
  expect(await seen(id)).toEqual(['complete', 'paid', 'succeeded', undefined])
})

test('a delayed payment can fail, and so can an open checkout', async () => {
  const failed = ['complete', 'unpaid', 'requires_payment_method', 'payment_intent_payment_attempt_failed']
  const delayed = await newSession()
  await act(delayed, 'delay')
  expect(await act(delayed, 'fail')).toBe(204)
  expect(await seen(delayed)).toEqual(failed)
  const open = await newSession()
  expect(await act(open, 'fail')).toBe(204)
  expect(await seen(open)).toEqual(failed)
})

test('going back changes nothing', async () => {
  const id = await newSession()
  expect(await act(id, 'back')).toBe(204)
  expect(await seen(id)).toEqual(['open', 'unpaid', undefined, undefined])
})

test('an action that the state of the checkout does not allow is a conflict and changes nothing', async () => {
  const past: Record<string, string[]> = {
    pay: ['pay', 'decline', 'delay', 'settle', 'fail', 'expire', 'back'],
    delay: ['pay', 'decline', 'delay', 'expire', 'back'],
    fail: ['pay', 'settle', 'fail', 'expire'],
    expire: ['pay', 'decline', 'delay', 'settle', 'fail', 'expire', 'back'],
  }
  for (const [first, impossible] of Object.entries(past)) {
    const id = await newSession()
    await act(id, first)
    const before = await seen(id)
    for (const action of impossible) expect([first, action, await act(id, action)]).toEqual([first, action, 409])
    expect(await seen(id)).toEqual(before)
  }
  const open = await newSession()
  expect(await act(open, 'settle')).toBe(409)

  const paid = await newSession()
  await act(paid, 'pay')
  const reply = await sandbox.control(`checkouts/${paid}/pay`)
  expect(reply.headers.get('content-type')).toContain('application/problem+json')
  expect(await reply.json()).toMatchObject({
    status: 409,
    code: 'conflict',
    detail: 'Cannot pay: the checkout is complete (paid). Nothing was changed.',
  })
})

test('a paid checkout can be refunded and disputed, and its charge shows it', async () => {
  const id = await newSession()
  await act(id, 'pay')
  expect(await act(id, 'refund?amount=5000')).toBe(204)
  expect(await act(id, 'refund?amount=99999')).toBe(409)
  expect(await act(id, 'refund?amount=all')).toBe(400)
  const charge = async () => {
    const expand = ['payment_intent.latest_charge']
    const session = await sandbox.stripe.checkout.sessions.retrieve(id, { expand }, { stripeAccount: account })
    return (session.payment_intent as Stripe.PaymentIntent).latest_charge as Stripe.Charge
  }
  const part = await charge()
  expect(part).toMatchObject({ amount_refunded: 5_000, refunded: false, disputed: false })
  const disputes = () => sandbox.stripe.disputes.list({ charge: part.id, limit: 1 }, { stripeAccount: account })
  expect((await disputes()).data).toEqual([])
  expect(await act(id, 'dispute')).toBe(204)
  expect(await charge()).toMatchObject({ disputed: true })
  expect((await disputes()).data).toMatchObject([{ object: 'dispute', charge: part.id, status: 'needs_response' }])
  expect(await act(id, 'win-dispute')).toBe(204)
  expect((await disputes()).data).toMatchObject([{ status: 'won' }])
  expect(await act(id, 'refund')).toBe(204)
  expect(await charge()).toMatchObject({ amount_refunded: 25_000, refunded: true })
})

test('of several simultaneous payments of a checkout, one succeeds', async () => {
  const id = await newSession()
  const statuses = await Promise.all(Array.from({ length: 6 }, () => act(id, 'pay')))
  expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(5)
})

test('an unknown checkout, account or action is a 404 problem', async () => {
  for (const path of [
    'checkouts/cs_test_nothing/pay',
    'checkouts/cs_test_nothing/back',
    'accounts/acct_1nobody/complete',
    `checkouts/${await newSession()}/refuse`,
    `accounts/${account}/approve`,
  ]) {
    const reply = await sandbox.control(path)
    expect([path, reply.status]).toEqual([path, 404])
    expect(reply.headers.get('content-type')).toContain('application/problem+json')
  }
})

test('a rejection is final', async () => {
  const rejected = await makeAccount(sandbox)
  expect((await sandbox.control(`accounts/${rejected}/reject`)).status).toBe(204)
  for (const action of ['complete', 'restrict', 'reject']) {
    expect((await sandbox.control(`accounts/${rejected}/${action}`)).status).toBe(409)
  }
})

test('a control call accepts the content types that clients send by default', async () => {
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', ''],
    ['application/json', '{}'],
    // Some HTTP libraries send this without a body.
    ['', ''],
  ] as const) {
    const url = `${sandbox.url}/_control/checkouts/${await newSession()}/pay`
    const reply = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
    expect([type, reply.status]).toEqual([type, 204])
  }
})

test('the ledger lists every checkout of every account with every attempt to pay, page by page', async () => {
  const [open, paid] = [await newSession(), await newSession()]
  await act(paid, 'decline')
  await act(paid, 'pay')
  await sandbox.control(`checkouts/${paid}/refund?amount=1000`)
  interface Entry {
    paymentId: string
    status: string
    paymentStatus: string
    intentStatus: string | null
    amount: number
    charges: { status: string; amount: number; amountRefunded: number }[]
  }
  const entries: Entry[] = []
  for (;;) {
    const page = await fetch(`${sandbox.url}/_control/ledger?limit=2&after=${entries.at(-1)?.paymentId ?? ''}`)
    const { checkouts } = (await page.json()) as { checkouts: Entry[] }
    entries.push(...checkouts)
    if (checkouts.length === 0) break
  }
  expect(new Set(entries.map((entry) => entry.paymentId)).size).toBe(entries.length)
  const entryOf = (id: string) => entries.find((entry) => entry.paymentId === id)
  expect(entryOf(open)).toMatchObject({ status: 'open', paymentStatus: 'unpaid', intentStatus: null, charges: [] })
  expect(entryOf(paid)).toMatchObject({ status: 'complete', paymentStatus: 'paid', intentStatus: 'succeeded' })
  expect(entryOf(paid)?.charges).toMatchObject([
    { status: 'failed', amountRefunded: 0 },
    { status: 'succeeded', amount: entryOf(paid)?.amount, amountRefunded: 1_000 },
  ])
})

const cross = { status: 403, code: 'forbidden' }

test.for<[string, Record<string, string>, object]>([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, cross],
  ['another port of this machine', { 'sec-fetch-site': 'same-site' }, cross],
  ['an old browser on another site', { origin: 'https://evil.example' }, cross],
  ['a page without an origin', { origin: 'null' }, cross],
  ['the pages themselves in an old browser', { origin: 'own' }, {}],
  ['the pages themselves', { 'sec-fetch-site': 'same-origin' }, {}],
  ['a terminal', {}, {}],
])('posts to the control API and the pages from %s', async ([, headers, problem]) => {
  const id = await newSession()
  for (const path of [`/_control/checkouts/${id}/decline`, `/e/${id}/decline`, '/_control/faults']) {
    const json = path.endsWith('faults') ? { 'content-type': 'application/json' } : {}
    const own = headers['origin'] === 'own' ? { origin: sandbox.url } : {}
    const answer = await request(sandbox.url + path, {
      method: 'POST',
      headers: { ...headers, ...own, ...json },
      ...(path.endsWith('faults') ? { body: '{}' } : {}),
    })
    const text = await answer.body.text()
    if ('status' in problem) expect(JSON.parse(text)).toMatchObject(problem)
    else expect(answer.statusCode).not.toBe(403)
  }
})

test.for<[string, string, number]>([
  ['evil.example', 'another name that was made to lead to this machine', 403],
  ['127.0.0.1.evil.example', 'such a name that looks like an address', 403],
  ['localhost', 'a name of this machine', 200],
  ['sandbox-provider', 'a name without a domain, as containers have', 200],
  ['127.0.0.1', 'an address', 200],
  ['[::1]', 'an address of IPv6', 200],
])('under the host %s, %s, pages and the control API answer %d', async ([hostname, , status]) => {
  const host = `${hostname}:${new URL(sandbox.url).port}`
  for (const path of ['/_control/ledger', '/_control/faults', '/inbox', '/inbox/x/webhooks'])
    expect([path, (await request(sandbox.url + path, { headers: { host } })).statusCode]).toEqual([path, status])
  // Its page has the same name, so for a browser this is no other site.
  const change = { method: 'POST', headers: { host, origin: `http://${host}` } } as const
  expect((await request(`${sandbox.url}/inbox/x/clear`, change)).statusCode).toBe(status === 200 ? 303 : 403)
})
