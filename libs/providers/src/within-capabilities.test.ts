import { expect, test } from 'vitest'
import type { CheckoutOrder, RefundOrder } from './orders.ts'
import type { Provider } from './port.ts'
import { stripeConfig } from './stripe/settings.ts'
import { withinCapabilities } from './within-capabilities.ts'

const provider = stripeConfig({
  name: 'Stripe',
  secretKey: 'sk_test_1',
  publishableKey: 'pk_test_1',
  webhookSecrets: [],
}).connect({
  http: { exchange: () => Promise.reject(new Error('not called')) },
  calls: () => () => Promise.reject(new Error('not called')),
})
const less = (capabilities: Partial<Provider['capabilities']>) =>
  withinCapabilities({ ...provider, capabilities: { ...provider.capabilities, ...capabilities } })

const site = {
  slug: 's1',
  owningOrganisation: 'o1',
  billingOrganisation: 'o1',
  practiceManagementSystem: 'X',
  pmsSpecificId: 'p',
}
const order = (uiMode: CheckoutOrder['uiMode']): CheckoutOrder => ({
  recordId: 'r-1',
  site,
  providerAccountId: 'acct_1',
  currency: 'GBP',
  lineItems: [{ Price: 4_500, ProductName: 'Check-up' }],
  feeAmount: 0,
  uiMode,
  landingUrl: 'https://pay.example/done',
})
const refund: RefundOrder = {
  refundId: 'f-1',
  recordId: 'r-1',
  providerAccountId: 'acct_1',
  paymentIntentId: 'pi_1',
  amount: 500,
  currency: 'GBP',
  returnsFee: true,
}

test('an order within the declared capabilities is the business of the provider', () => {
  const whole = withinCapabilities(provider)
  expect(whole.checkoutRequest(order('Embedded'))).toEqual(provider.checkoutRequest(order('Embedded')))
  expect(whole.refundRequest(refund)).toEqual(provider.refundRequest(refund))
})

test('a page that the provider does not offer is refused before it is asked, and the fault names the member', () => {
  const hosted = less({ uiModes: ['Hosted'] })
  expect(() => hosted.checkoutRequest(order('Hosted'))).not.toThrow()
  expect(() => hosted.checkoutRequest(order('Embedded'))).toThrow(
    expect.objectContaining({
      reason: 'provider_rejected',
      details: { faults: [{ pointer: '/UiMode', detail: expect.stringContaining('Hosted') }] },
    }),
  )
})

test('a refund that the provider cannot make is refused before it is asked', () => {
  expect(() => less({ refunds: false }).refundRequest(refund)).toThrow(
    expect.objectContaining({ reason: 'provider_rejected' }),
  )
})

test('a request may be sent again for an hour less than the provider keeps its key', () => {
  expect(provider.capabilities.idempotencyWindowMs).toBe(23 * 60 * 60 * 1000)
})
