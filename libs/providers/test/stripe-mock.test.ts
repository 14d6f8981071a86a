import type { PaymentUiMode } from '@frontdesk/contracts'
import { afterAll, describe, expect, test } from 'vitest'
import { isProviderError, isUnreadable } from '../src/errors.ts'
import type { CheckoutOrder } from '../src/orders.ts'
import type { Provider } from '../src/port.ts'
import { enabledProvider, openProviders, type Connection, type ProviderConfig } from '../src/providers.ts'
import { stripeConfig } from '../src/stripe/settings.ts'
import { startStripeMock, type StripeMock } from './stripe-mock-server.ts'

// stripe-mock checks each request against Stripe's own description: names, types, enumerations, required members. It keeps
// no state and answers with samples, of which some lack what every real answer has.

const mock = await startStripeMock()
if ('reason' in mock) process.stderr.write(`The tests against stripe-mock are skipped: ${mock.reason}.\n`)
afterAll(() => ('url' in mock ? mock[Symbol.asyncDispose]() : undefined))

const order: CheckoutOrder = {
  recordId: '0199b6a0-0000-7000-8000-000000000001',
  site: {
    slug: 's12345678901',
    owningOrganisation: 'o1234',
    billingOrganisation: 'o1234',
    practiceManagementSystem: 'OpenDental',
    pmsSpecificId: 'pms-1',
  },
  providerAccountId: 'acct_1032D82eZvKYlo2C',
  currency: 'GBP',
  lineItems: [
    { Price: 4_500, Quantity: 2, ProductName: 'Check-up', ProductDescription: 'Twice', TaxBehaviour: 'Exclusive' },
    { Price: 0, ProductName: 'Advice', TaxBehaviour: 'Unspecified' },
  ],
  feeAmount: 50,
  uiMode: 'Hosted',
  reference: 'INV-1',
  customerId: 'cus_9s6XKzkNRiz8i3',
  statementDescriptor: 'SMILE DENTAL',
  statementDescriptorPrefix: 'SMILE',
  successUrl: 'https://smile.example/paid?session={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://smile.example/back',
  landingUrl: 'https://pay.example/checkout/done',
}

/** Changes the members of sample sessions before the adapter sees them. */
type Filling = Record<string, unknown>

/** Opens the adapter on stripe-mock. */
function openAdapter(filling: Filling = {}): Provider & { [Symbol.asyncDispose](): Promise<void> } {
  const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecrets: [] }
  const config = stripeConfig({ name: 'Stripe', ...keys, baseUrl: (mock as StripeMock).url })
  const connect: ProviderConfig['connect'] = (connection) =>
    config.connect({ ...connection, http: filled(connection.http, filling) })
  const providers = openProviders([{ ...config, connect }])
  const provider = enabledProvider(providers, 'Stripe')
  return { ...provider, [Symbol.asyncDispose]: () => providers[Symbol.asyncDispose]() }
}

function filled({ exchange }: Connection['http'], filling: Filling): Connection['http'] {
  return {
    async exchange(url, request) {
      const answer = await exchange(url, request)
      return url.includes('/checkout/sessions') ? { ...answer, body: { ...answer.body, ...filling } } : answer
    },
  }
}

/** Returns what an accepted request was answered with: what the port has for it, or `unreadable`, as the port says it. */
async function accepted<T>(work: Promise<T>): Promise<T | 'unreadable'> {
  try {
    return await work
  } catch (error) {
    if (isProviderError(error) && isUnreadable(error)) return 'unreadable'
    throw error
  }
}

describe.skipIf('reason' in mock)('stripe-mock accepts', () => {
  const account = order.providerAccountId

  test.each<PaymentUiMode>(['Hosted', 'Embedded'])('a %s checkout with every optional member', async (uiMode) => {
    await using provider = openAdapter()
    // Its sample has no currency.
    expect(await accepted(provider.createCheckout(provider.checkoutRequest({ ...order, uiMode })))).toBe('unreadable')
  })

  test('a checkout with required members only', async () => {
    await using provider = openAdapter()
    const { recordId, site, providerAccountId, currency, lineItems, landingUrl } = order
    const least = { recordId, site, providerAccountId, currency, lineItems, landingUrl, feeAmount: 0 }
    for (const uiMode of ['Hosted', 'Embedded'] as const) {
      const request = provider.checkoutRequest({ ...least, uiMode })
      expect(await accepted(provider.createCheckout(request))).toBe('unreadable')
    }
  })

  test('reading, listing and expiring a checkout', async () => {
    await using provider = openAdapter()
    const key = { id: 'cs_test_1', providerAccountId: account }
    expect(await accepted(provider.retrieveCheckout(key))).toBe('unreadable')
    expect(await provider.listCheckouts(account, { createdFrom: new Date() })).toHaveProperty('checkouts')
    expect(await accepted(provider.expireCheckout(key))).toBe('unreadable')
  })

  test('reading the refunds and the dispute of a paid checkout', async () => {
    const latest_charge = { id: 'ch_1', amount_refunded: 500, disputed: true, created: 1_794_990_000 }
    const payment_intent = { id: 'pi_1', status: 'succeeded', latest_charge }
    await using provider = openAdapter({ currency: 'gbp', amount_total: 9_000, payment_intent })
    const checkout = await provider.retrieveCheckout({ id: 'cs_test_1', providerAccountId: account })
    expect(checkout).toMatchObject({ refunds: [{ status: 'succeeded' }], dispute: { id: expect.any(String) } })
  })

  test.each([{}, { reason: 'duplicate', reference: 'CN-7' }])(
    'a refund with %j, and the list of refunds',
    async (more) => {
      await using provider = openAdapter()
      const request = provider.refundRequest({
        refundId: '0199b6a0-0000-7000-8000-000000000002',
        recordId: order.recordId,
        providerAccountId: account,
        paymentIntentId: 'pi_1',
        amount: 4_500,
        currency: 'GBP',
        returnsFee: true,
        ...more,
      })
      expect(await provider.createRefund(request)).toMatchObject({ status: 'succeeded', currency: 'USD' })
      const refunds = await provider.listRefunds({ providerAccountId: account, paymentIntentId: 'pi_1' })
      expect(refunds).toMatchObject([{ status: 'succeeded', amount: expect.any(Number) }])
    },
  )

  test('creating, onboarding and deleting an account', async () => {
    await using provider = openAdapter()
    const practice = { accountId: '0199b6a0-0000-7000-8000-000000000009', siteSlug: 's1', siteName: 'Smile Dental' }
    const contact = { country: 'GB', emailAddress: 'desk@smile.example', phoneNumber: '+441234567890' }
    for (const order of [practice, { ...practice, ...contact }, { ...practice, currency: 'GBP' }]) {
      const made = await provider.createAccount(provider.accountRequest(order))
      expect(made).toHaveProperty('externalAccountId')
    }
    expect(await provider.retrieveAccount(account)).toHaveProperty('status')
    expect(await provider.createAccountSession(account)).toHaveProperty('session')
    const urls = { refreshUrl: 'https://pay.example/onboarding/t', returnUrl: 'https://pay.example/onboarding/done' }
    expect(await provider.createAccountLink(account, urls)).toHaveProperty('url')
    await provider.deleteAccount(account)
  })

  test('what a check of the settings asks; no sample endpoint is ours', async () => {
    await using provider = openAdapter()
    const findings = await provider.checkSetup({ publicUrl: 'https://pay.example', accounts: [account] })
    const levels = Object.fromEntries(findings.map(({ about, level }) => [about, level]))
    expect(levels).toMatchObject({ account: 'ok', permissions: 'ok' })
    expect(levels).toMatchObject({ 'webhooks of payments': 'fault', 'webhooks of accounts': 'fault' })
  })

  test('no request with an unknown or wrong parameter', async () => {
    await using provider = openAdapter()
    const { params, ...request } = provider.checkoutRequest(order)
    for (const wrong of [{ tip: 1 }, { ui_mode: 'hosted' }, { line_items: 'none' }]) {
      const refused = provider.createCheckout({ ...request, params: { ...params, ...wrong } })
      await expect(refused).rejects.toMatchObject({ name: 'ProviderRefused' })
    }
  })
})
