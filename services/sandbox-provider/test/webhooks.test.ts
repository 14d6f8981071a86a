import { openPool } from '@frontdesk/database'
import { eventually, openReceiver, type Receiver } from '@frontdesk/testing'
import Stripe from 'stripe'
import { expect, onTestFinished, test } from 'vitest'
import { hostedSession, makeAccount, runSandbox, type RunningSandbox, webhookSecret } from './running-sandbox.ts'

interface WebhooksFixture extends AsyncDisposable {
  sandbox: RunningSandbox
  receiver: Receiver
  account: string
  newSession: () => Promise<string>
  /** the received events in the order of their arrival; each signature was checked */
  events: () => Stripe.Event[]
  types: () => string[]
}

/** Starts a sandbox whose webhooks go to a receiver, with an account that can charge. */
async function openFixture(env: Record<string, string> = {}): Promise<WebhooksFixture> {
  const receiver = await openReceiver()
  const sandbox = await runSandbox({
    SANDBOX_WEBHOOK_URL_PAYMENTS: `${receiver.url}/payments`,
    SANDBOX_WEBHOOK_URL_ACCOUNTS: `${receiver.url}/accounts`,
    ...env,
  })
  const account = await makeAccount(sandbox)
  await eventually(() => expect(receiver.requests).toHaveLength(1)) // its account.updated
  receiver.requests.length = 0
  const events = () =>
    receiver.requests.map((request) =>
      Stripe.webhooks.constructEvent(request.body, String(request.headers['stripe-signature']), webhookSecret),
    )
  return {
    sandbox,
    receiver,
    account,
    newSession: async () =>
      (await sandbox.stripe.checkout.sessions.create(hostedSession(), { stripeAccount: account })).id,
    events,
    types: () =>
      events()
        .map((event) => event.type)
        .toSorted(),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

test('a payment sends a signed event of the connected account, with the session as of the payment', async () => {
  await using fixture = await openFixture()
  const { sandbox, receiver, account, newSession, events } = fixture
  const id = await newSession()
  expect((await sandbox.control(`checkouts/${id}/pay`)).status).toBe(204)
  const completed = await eventually(() => {
    const event = events().find(({ type }) => type === 'checkout.session.completed')
    if (event === undefined) throw new Error('not yet')
    return event
  })
  expect(completed).toMatchObject({ object: 'event', account, livemode: false, api_version: '2026-10-28.endive' })
  expect(completed.id).toMatch(/^evt_/)
  expect(completed.data.object).toMatchObject({
    id,
    object: 'checkout.session',
    status: 'complete',
    payment_status: 'paid',
    metadata: { recordId: '01938f0e-0000-7000-8000-000000000001' },
  })
  expect(receiver.requests.every((request) => request.path === '/payments')).toBe(true)
})

test('a signature is valid for its own body only', async () => {
  await using fixture = await openFixture()
  const { sandbox, receiver, newSession } = fixture
  await sandbox.control(`checkouts/${await newSession()}/pay`)
  const request = await eventually(() => receiver.requests[0] ?? Promise.reject(new Error('not yet')))
  const header = String(request.headers['stripe-signature'])
  const changed = request.body.replace('25000', '25001')
  expect(() => Stripe.webhooks.constructEvent(changed, header, webhookSecret)).toThrow(/signature/)
  expect(() => Stripe.webhooks.constructEvent(request.body, header, 'whsec_other')).toThrow(/signature/)
})

test('every course of a checkout has its events', async () => {
  await using fixture = await openFixture()
  const { sandbox, receiver, newSession, types } = fixture
  const play = async (actions: string[], expected: string[]) => {
    receiver.requests.length = 0
    const id = await newSession()
    for (const action of actions) expect((await sandbox.control(`checkouts/${id}/${action}`)).status).toBe(204)
    await eventually(() => expect(types()).toEqual(expected))
  }
  await play(['pay'], ['checkout.session.completed', 'payment_intent.succeeded'])
  await play(['decline'], ['payment_intent.payment_failed'])
  await play(['back'], [])
  await play(['expire'], ['checkout.session.expired'])
  await play(['delay'], ['checkout.session.completed', 'payment_intent.processing'])
  await play(
    ['delay', 'settle'],
    [
      'checkout.session.async_payment_succeeded',
      'checkout.session.completed',
      'payment_intent.processing',
      'payment_intent.succeeded',
    ],
  )
  const failed = [
    'checkout.session.async_payment_failed',
    'checkout.session.completed',
    'payment_intent.payment_failed',
    'payment_intent.processing',
  ]
  await play(['delay', 'fail'], failed)
  await play(['fail'], failed)
  const paid = ['checkout.session.completed', 'payment_intent.succeeded']
  await play(['pay', 'refund'], ['charge.refunded', ...paid, 'refund.created'])
  await play(['pay', 'dispute', 'lose-dispute'], ['charge.dispute.closed', 'charge.dispute.created', ...paid])
  await play(
    ['decline', 'expire'],
    ['checkout.session.expired', 'payment_intent.canceled', 'payment_intent.payment_failed'],
  )
})

test('events of accounts go to the other destination', async () => {
  await using fixture = await openFixture()
  const { sandbox, receiver, account, events, types } = fixture
  await sandbox.control(`accounts/${account}/restrict`)
  await sandbox.control(`accounts/${account}/deauthorize`)
  await eventually(() => expect(types()).toEqual(['account.application.deauthorized', 'account.updated']))
  expect(receiver.requests.map((request) => request.path)).toEqual(['/accounts', '/accounts'])
  expect(events().every((event) => event.account === account)).toBe(true)
})

test('a platform hears nothing more of an account that has disconnected or was deleted', async () => {
  await using fixture = await openFixture()
  const { sandbox, account, types } = fixture
  const pool = openPool({ url: sandbox.databaseUrl, name: 'test', size: 1 })
  onTestFinished(() => pool.end())
  const deleted = await makeAccount(sandbox)
  for (const stripeAccount of [account, deleted]) {
    const { id } = await sandbox.stripe.checkout.sessions.create(hostedSession(), { stripeAccount })
    if (stripeAccount === deleted) await sandbox.stripe.accounts.del(deleted)
    else await sandbox.control(`accounts/${account}/deauthorize`)
    expect((await sandbox.control(`checkouts/${id}/pay`)).status).toBe(204)
    expect(await sandbox.ledgerOf(id)).toMatchObject({ paymentStatus: 'paid' })
  }
  const stored = await pool.query(`select 1 from webhook_events where type ~ 'checkout|payment'`)
  expect(stored.rows).toEqual([])
  await eventually(() => expect(types()).toContain('account.application.deauthorized'))
})

test('only the enabled types are sent', async () => {
  await using fixture = await openFixture({
    SANDBOX_WEBHOOK_EVENTS: 'account.updated, checkout.session.completed',
  })
  const { sandbox, newSession, events, types } = fixture
  await sandbox.control(`checkouts/${await newSession()}/pay`)
  await eventually(() => expect(events()).not.toHaveLength(0))
  expect(types()).toEqual(['checkout.session.completed'])
})

test('an event is sent again, with a new signature, until it is accepted', async () => {
  await using fixture = await openFixture({
    SANDBOX_WEBHOOK_EVENTS: 'account.updated,checkout.session.completed',
  })
  const { sandbox, receiver, newSession, events } = fixture
  const answers = [{ status: 503 } as const, 'drop' as const, { status: 204 } as const]
  receiver.reply(() => answers.shift() ?? { status: 204 })
  await sandbox.control(`checkouts/${await newSession()}/pay`)
  await eventually(() => expect(receiver.requests).toHaveLength(3), { within: 10_000 })
  expect(new Set(events().map((event) => event.id)).size).toBe(1)
  const pool = openPool({ url: sandbox.databaseUrl, name: 'test', size: 1 })
  onTestFinished(() => pool.end())
  const open = 'select 1 from webhook_events where next_attempt_at is not null'
  await eventually(async () => expect((await pool.query(open)).rows).toEqual([]))
})

test('a restart keeps all state and sends the unacknowledged events', async () => {
  await using fixture = await openFixture()
  const { sandbox, receiver, account, newSession, types } = fixture
  receiver.reply(() => 'hang')
  const [paid, open] = [await newSession(), await newSession()]
  await sandbox.control(`checkouts/${paid}/pay`)
  await eventually(() => expect(receiver.requests.length).toBeGreaterThan(0))
  receiver.requests.length = 0
  receiver.reply(() => ({ status: 200 }))

  await sandbox.restart()
  await eventually(() => expect(types()).toEqual(['checkout.session.completed', 'payment_intent.succeeded']))
  const options = { stripeAccount: account }
  expect(await sandbox.stripe.checkout.sessions.retrieve(paid, {}, options)).toMatchObject({ payment_status: 'paid' })
  // The address has the new port.
  expect(await sandbox.stripe.checkout.sessions.retrieve(open, {}, options)).toMatchObject({
    status: 'open',
    url: `${sandbox.url}/c/${open}`,
  })
  expect((await sandbox.control(`checkouts/${open}/pay`)).status).toBe(204)
})

test('an overdue session expires by itself and can no longer be paid', async () => {
  await using fixture = await openFixture()
  const { sandbox, account, newSession, types } = fixture
  const id = await newSession()
  const pool = openPool({ url: sandbox.databaseUrl, name: 'test', size: 1 })
  onTestFinished(() => pool.end())
  await pool.query(`update checkout_sessions set expires_at = now() - interval '1 second' where id = $1`, [id])
  expect((await sandbox.control(`checkouts/${id}/pay`)).status).toBe(409)
  await eventually(() => expect(types()).toEqual(['checkout.session.expired']))
  const session = await sandbox.stripe.checkout.sessions.retrieve(id, {}, { stripeAccount: account })
  expect(session.status).toBe('expired')
})
