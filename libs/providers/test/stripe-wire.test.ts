import { Registry } from 'prom-client'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { openProviders, ProviderRefused } from '../src/index.ts'
import { stripeConfig } from '../src/stripe/settings.ts'
import { json, openProviderServer, refund, refundPage, refusal, session } from './provider-server.ts'

const key = { id: 'cs_1', providerAccountId: 'acct_1' }
const notOpen = refusal(400, {
  type: 'invalid_request_error',
  message: 'Only Checkout Sessions with a status in ["open"] can be expired.',
})
const missing = refusal(404, { type: 'invalid_request_error', code: 'resource_missing' })

const paidSession = (charge: object = {}) => {
  const whole = { id: 'ch_1', amount_refunded: 0, disputed: false, application_fee_amount: 120, created: 1_794_990_000 }
  const payment_intent = { id: 'pi_1', status: 'succeeded', latest_charge: { ...whole, ...charge } }
  return session({ status: 'complete', payment_status: 'paid', payment_intent })
}

describe('a checkout', () => {
  test('is created on the connected account with the stored parameters, its idempotency key and the pinned version', async () => {
    await using server = await openProviderServer()
    server.replies(session())
    await using provider = server.open()
    const params = {
      mode: 'payment',
      line_items: [{ quantity: 1, price_data: { currency: 'gbp', unit_amount: 4_500 } }],
    }
    const checkout = await provider.createCheckout({ providerAccountId: 'acct_1', idempotencyKey: 'pay_1', params })

    expect(checkout).toMatchObject({
      id: 'cs_1',
      status: 'open',
      amountTotal: 4_500,
      url: 'https://checkout.example/cs_1',
    })
    const [sent] = server.requests
    expect(sent).toMatchObject({
      method: 'POST',
      path: '/v1/checkout/sessions',
      headers: {
        authorization: 'Bearer sk_test_1',
        'stripe-account': 'acct_1',
        'idempotency-key': 'pay_1',
        'stripe-version': Stripe.API_VERSION,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    expect(Object.fromEntries(sent?.params ?? [])).toEqual({
      mode: 'payment',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'gbp',
      'line_items[0][price_data][unit_amount]': '4500',
    })
  })

  test('is read together with its payment intent and charge in one request', async () => {
    await using server = await openProviderServer()
    server.replies(paidSession())
    await using provider = server.open()
    expect(await provider.retrieveCheckout(key)).toMatchObject({
      paymentStatus: 'paid',
      feeAmount: 120,
      refunds: [],
      dispute: undefined,
      chargeId: 'ch_1',
    })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      path: '/v1/checkout/sessions/cs_1',
      headers: { 'stripe-account': 'acct_1' },
    })
    expect(server.requests[0]?.params.get('expand[0]')).toBe('payment_intent.latest_charge')
  })

  test('with a dispute is read with the newest dispute', async () => {
    await using server = await openProviderServer()
    const dispute = { id: 'du_1', status: 'lost', amount: 4_500, currency: 'gbp', reason: 'fraudulent' }
    server.replies(paidSession({ disputed: true }), json(200, { object: 'list', data: [dispute] }))
    await using provider = server.open()
    expect(await provider.retrieveCheckout(key)).toMatchObject({
      dispute: { id: 'du_1', status: 'lost', amount: 4_500, currency: 'GBP', reason: 'fraudulent' },
    })
    expect(server.requests[1]).toMatchObject({ path: '/v1/disputes', headers: { 'stripe-account': 'acct_1' } })
    expect(Object.fromEntries(server.requests[1]?.params ?? [])).toEqual({ charge: 'ch_1', limit: '1' })
  })

  test('with refunds is read with all of them, oldest first', async () => {
    await using server = await openProviderServer()
    server.replies(paidSession({ amount_refunded: 700 }), refundPage([refund('re_2', 500), refund('re_1', 200)]))
    await using provider = server.open()
    expect(await provider.retrieveCheckout(key)).toMatchObject({
      refunds: [
        { id: 're_1', amount: 200 },
        { id: 're_2', amount: 500 },
      ],
    })
    expect(server.requests[1]).toMatchObject({ path: '/v1/refunds', headers: { 'stripe-account': 'acct_1' } })
  })

  test('whose refunds have all failed is read with them, because the payment knows of them', async () => {
    await using server = await openProviderServer()
    server.replies(paidSession(), refundPage([refund('re_1', 200, { status: 'failed' })]))
    await using provider = server.open()
    expect(await provider.retrieveCheckout(key, { hasRefunds: true })).toMatchObject({
      refunds: [{ id: 're_1', status: 'failed' }],
    })
  })

  test('that does not exist is refused as not_found', async () => {
    await using server = await openProviderServer()
    server.replies(missing)
    await using provider = server.open()
    await expect(provider.retrieveCheckout(key)).rejects.toMatchObject({ reason: 'not_found' })
  })

  test('is ended by expiring it', async () => {
    await using server = await openProviderServer()
    server.replies(session({ status: 'expired', url: null }))
    await using provider = server.open()
    expect(await provider.expireCheckout(key)).toMatchObject({ status: 'expired', url: undefined })
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/checkout/sessions/cs_1/expire' })
  })

  test('that the customer finished before it expired is complete', async () => {
    await using server = await openProviderServer()
    server.replies(notOpen, session({ status: 'complete', payment_status: 'paid' }))
    await using provider = server.open()
    expect(await provider.expireCheckout(key)).toMatchObject({ status: 'complete', paymentStatus: 'paid' })
  })

  test('that stays open after a refused expiry is not reported as expired', async () => {
    await using server = await openProviderServer()
    server.replies(notOpen, session())
    await using provider = server.open()
    await expect(provider.expireCheckout(key)).rejects.toBeInstanceOf(ProviderRefused)
  })
})

describe('an account', () => {
  const account = { id: 'acct_9', charges_enabled: false, payouts_enabled: false, details_submitted: false }
  const order = {
    accountId: '0199b6a0-0000-7000-8000-000000000009',
    siteSlug: 's12345678901',
    siteName: 'Smile Dental',
    country: 'GB',
    emailAddress: 'desk@smile.example',
    phoneNumber: '+441234567890',
    currency: 'GBP',
  }

  test('is created once for each accountId, as an express account', async () => {
    await using server = await openProviderServer()
    server.replies(json(200, account))
    await using provider = server.open()
    expect(await provider.createAccount(provider.accountRequest(order))).toMatchObject({
      externalAccountId: 'acct_9',
      status: 'None',
    })
    const [sent] = server.requests
    expect(sent).toMatchObject({ path: '/v1/accounts', headers: { 'idempotency-key': `acct_${order.accountId}` } })
    expect(Object.fromEntries(sent?.params ?? [])).toEqual({
      'controller[fees][payer]': 'application',
      'controller[losses][payments]': 'application',
      'controller[stripe_dashboard][type]': 'express',
      'controller[requirement_collection]': 'stripe',
      country: 'GB',
      email: 'desk@smile.example',
      'business_profile[name]': 'Smile Dental',
      'business_profile[support_phone]': '+441234567890',
      'capabilities[card_payments][requested]': 'true',
      'capabilities[transfers][requested]': 'true',
      'settings[payments][statement_descriptor]': 'Smile Dental',
      'settings[card_payments][statement_descriptor_prefix]': 'Smile Dent',
      'metadata[siteSlug]': order.siteSlug,
      'metadata[accountId]': order.accountId,
    })
  })

  test('is read with its status and its statement descriptor prefix', async () => {
    await using server = await openProviderServer()
    const settings = { card_payments: { statement_descriptor_prefix: 'SMILE' } }
    server.replies(
      json(200, { ...account, charges_enabled: true, payouts_enabled: true, details_submitted: true, settings }),
    )
    await using provider = server.open()
    expect(await provider.retrieveAccount('acct_9')).toMatchObject({
      status: 'Active',
      statementDescriptorPrefix: 'SMILE',
    })
  })

  test('that has revoked our access or is deleted is account_invalid', async () => {
    await using server = await openProviderServer()
    server.replies(refusal(403, { type: 'invalid_request_error', code: 'account_invalid' }), missing)
    await using provider = server.open()
    await expect(provider.retrieveAccount('acct_9')).rejects.toMatchObject({ reason: 'account_invalid' })
    await expect(provider.retrieveAccount('acct_9')).rejects.toMatchObject({ reason: 'account_invalid' })
  })

  test('is deleted, also if it was gone already', async () => {
    await using server = await openProviderServer()
    server.replies(json(200, { id: 'acct_9', object: 'account', deleted: true }), missing)
    await using provider = server.open()
    await provider.deleteAccount('acct_9')
    await provider.deleteAccount('acct_9')
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /v1/accounts/acct_9',
      'DELETE /v1/accounts/acct_9',
    ])
  })

  test('that the provider does not delete is account_not_deletable', async () => {
    await using server = await openProviderServer()
    server.replies(refusal(400, { type: 'invalid_request_error', message: 'non-zero balance' }))
    await using provider = server.open()
    await expect(provider.deleteAccount('acct_9')).rejects.toMatchObject({ reason: 'account_not_deletable' })
  })

  test('is onboarded by a session, or by a link with our return addresses', async () => {
    await using server = await openProviderServer()
    server.replies(
      json(200, { client_secret: 'accs_secret_1', expires_at: 1_795_000_000 }),
      json(200, { url: 'https://connect.example/s/1', expires_at: 1_795_000_300 }),
    )
    await using provider = server.open()
    expect(await provider.createAccountSession('acct_9')).toEqual({
      session: 'accs_secret_1',
      expiresAt: new Date(1_795_000_000_000),
    })
    const urls = { refreshUrl: 'https://pay.example/onboarding/t', returnUrl: 'https://pay.example/onboarding/done' }
    expect(await provider.createAccountLink('acct_9', urls)).toEqual({
      url: 'https://connect.example/s/1',
      expiresAt: new Date(1_795_000_300_000),
    })
    expect(Object.fromEntries(server.requests[0]?.params ?? [])).toEqual({
      account: 'acct_9',
      'components[account_onboarding][enabled]': 'true',
      'components[payments][enabled]': 'true',
      'components[notification_banner][enabled]': 'true',
    })
    expect(Object.fromEntries(server.requests[1]?.params ?? [])).toEqual({
      account: 'acct_9',
      type: 'account_onboarding',
      refresh_url: urls.refreshUrl,
      return_url: urls.returnUrl,
      'collection_options[fields]': 'eventually_due',
    })
  })
})

describe('the providers', () => {
  const settings = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecrets: ['whsec_1'] }

  test('are looked up by name; one without settings is absent', async () => {
    await using providers = openProviders([stripeConfig({ name: 'Sandbox', ...settings })])
    expect(providers.enabled).toEqual(['Sandbox'])
    expect(providers.get('Sandbox')).toMatchObject({ name: 'Sandbox', publishableKey: 'pk_test_1', livemode: false })
    expect(providers.get('Stripe')).toBeUndefined()
  })

  test.each([
    ['sk_live_1', true],
    ['rk_live_1', true],
    ['sk_org_live_1', true],
    ['sk_test_1', false],
    ['rk_test_1', false],
    ['sk_org_test_1', false],
  ])('with the key %s are live: %s', async (secretKey, livemode) => {
    await using providers = openProviders([stripeConfig({ name: 'Stripe', ...settings, secretKey })])
    expect(providers.get('Stripe')?.livemode).toBe(livemode)
  })

  test.each(['pk_live_1', 'whsec_1', 'live_sk', 'sk_1_live'])(
    'do not open with %s, which is no secret key',
    (secretKey) => {
      expect(() => openProviders([stripeConfig({ name: 'Stripe', ...settings, secretKey })])).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(secretKey) }),
      )
    },
  )

  test('log each call in one line and measure it, without secrets', async () => {
    await using server = await openProviderServer()
    server.replies(session(), refusal(402, { type: 'card_error', code: 'card_declined', message: 'secret words' }))
    const lines: string[] = []
    const write = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }))
    const registry = new Registry()
    await using providers = openProviders([stripeConfig({ name: 'Sandbox', ...settings, baseUrl: server.url })], {
      registry,
      log: { info: write, warn: write, error: write },
    })
    const provider = providers.get('Sandbox')
    const request = { providerAccountId: 'acct_1', idempotencyKey: 'pay_1', params: {} }
    await provider?.createCheckout(request)
    await expect(provider?.createCheckout(request)).rejects.toMatchObject({ reason: 'declined' })

    const metrics = await registry.metrics()
    expect(metrics).toContain(
      'provider_call_duration_seconds_count{provider="Sandbox",operation="createCheckout",outcome="ok"} 1',
    )
    expect(metrics).toContain(
      'provider_call_duration_seconds_count{provider="Sandbox",operation="createCheckout",outcome="refused"} 1',
    )
    expect(metrics).toContain('provider_breaker_open{provider="Sandbox"} 0')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('card_declined')
    expect(lines.join()).not.toMatch(/secret words|sk_test|client_secret/)
  })
})
