import type { PaymentUiMode } from '@frontdesk/contracts'
import { describe, expect, test } from 'vitest'
import type { ProviderError } from '../src/errors.ts'
import type { CheckoutOrder, Provider } from '../src/port.ts'
import { createStripeProvider } from '../src/stripe/adapter.ts'
import { attemptFailure } from '../src/stripe/failures.ts'
import { openTransport } from '../src/stripe/transport.ts'

// stripe-mock checks each request against Stripe's own specification: names, types, enumerations, required members. It
// keeps no state and answers with samples, so these tests do not look at the answers.

const mock = await answering(process.env['STRIPE_MOCK_URL'])

async function answering(url: string | undefined): Promise<{ url: string } | { reason: string }> {
  if (url === undefined) return { reason: 'STRIPE_MOCK_URL is not set' }
  const answer = await fetch(`${url}/v1/balance`, { headers: { authorization: 'Bearer sk_test_1' } }).catch(
    () => undefined,
  )
  return answer?.ok === true ? { url: url.replace(/\/$/, '') } : { reason: `nothing answers at STRIPE_MOCK_URL=${url}` }
}

const order: CheckoutOrder = {
  recordId: '0199b6a0-0000-7000-8000-000000000001',
  siteSlug: 's12345678901',
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

/** Opens the adapter on stripe-mock, without retries. It adds a currency and an amount, which the sample sessions lack. */
function openAdapter(url: string): Provider & { [Symbol.asyncDispose](): Promise<void> } {
  const { client, close } = openTransport()
  const makeRequest: typeof client.makeRequest = async (...request) => {
    const answer = await client.makeRequest(...request)
    const sample = (await answer.toJSON()) as object
    return { ...answer, toJSON: async () => ({ ...sample, currency: 'gbp', amount_total: 9_000 }) }
  }
  const provider = createStripeProvider(
    { name: 'Stripe', secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecrets: [], baseUrl: url },
    { ...client, makeRequest },
    async (_operation, { account, idempotencyKey }, attempt) => {
      const options = { ...(account && { stripeAccount: account }), ...(idempotencyKey && { idempotencyKey }) }
      return attempt({ timeout: 5_000, ...options }).catch((error: unknown): never => {
        throw attemptFailure(error).error
      })
    },
  )
  return { ...provider, [Symbol.asyncDispose]: close }
}

if ('reason' in mock) process.stderr.write(`The tests against stripe-mock are skipped: ${mock.reason}.\n`)

describe.skipIf('reason' in mock)('stripe-mock accepts', () => {
  const adapter = () => openAdapter('url' in mock ? mock.url : '')
  const account = order.providerAccountId

  test.each<PaymentUiMode>(['Hosted', 'Embedded'])('a %s checkout with every optional member', async (uiMode) => {
    await using provider = adapter()
    expect(await provider.createCheckout(provider.checkoutRequest({ ...order, uiMode }))).toHaveProperty('id')
  })

  test('a checkout with required members only', async () => {
    await using provider = adapter()
    const { recordId, siteSlug, providerAccountId, currency, lineItems, landingUrl } = order
    const least = { recordId, siteSlug, providerAccountId, currency, lineItems, landingUrl, feeAmount: 0 }
    for (const uiMode of ['Hosted', 'Embedded'] as const) {
      expect(await provider.createCheckout(provider.checkoutRequest({ ...least, uiMode }))).toHaveProperty('id')
    }
  })

  test('reading and expiring a checkout', async () => {
    await using provider = adapter()
    const key = { id: 'cs_test_1', providerAccountId: account }
    expect(await provider.retrieveCheckout(key)).toHaveProperty('status')
    expect(await provider.expireCheckout(key)).toHaveProperty('status')
  })

  test('creating, onboarding and deleting an account', async () => {
    await using provider = adapter()
    const made = await provider.createAccount({
      accountId: '0199b6a0-0000-7000-8000-000000000009',
      siteSlug: order.siteSlug,
      siteName: 'Smile Dental',
      country: 'GB',
      emailAddress: 'desk@smile.example',
      phoneNumber: '+441234567890',
      currency: 'GBP',
    })
    expect(made).toHaveProperty('externalAccountId')
    expect(await provider.retrieveAccount(account)).toHaveProperty('status')
    expect(await provider.createAccountSession(account)).toHaveProperty('session')
    const urls = { refreshUrl: 'https://pay.example/onboarding/t', returnUrl: 'https://pay.example/onboarding/done' }
    expect(await provider.createAccountLink(account, urls)).toHaveProperty('url')
    await provider.deleteAccount(account)
  })

  test('no request with an unknown or wrong parameter', async () => {
    await using provider = adapter()
    const { params, ...request } = provider.checkoutRequest(order)
    for (const wrong of [{ tip: 1 }, { ui_mode: 'hosted' }, { line_items: 'none' }]) {
      const refused = provider.createCheckout({ ...request, params: { ...params, ...wrong } })
      await expect(refused).rejects.toMatchObject({ name: 'ProviderRefused' } satisfies Partial<ProviderError>)
    }
  })
})
