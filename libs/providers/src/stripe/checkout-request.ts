import type { PaymentLineItem, TaxBehaviour } from '@frontdesk/contracts'
import type Stripe from 'stripe'
import type { CheckoutOrder, CheckoutRequest } from '../orders.ts'
import { checkMinimum, stripeAmount } from './amounts.ts'
import { checkoutMetadata } from './checkout-metadata.ts'
import { cardStatementText, checkStatementDescriptor, statementDescriptorSuffix } from './statement-descriptor.ts'

type SessionParams = Stripe.Checkout.SessionCreateParams
type LineItemParams = NonNullable<SessionParams['line_items']>[number]

const taxBehaviours = {
  Inclusive: 'inclusive',
  Exclusive: 'exclusive',
  Unspecified: 'unspecified',
} as const satisfies Record<TaxBehaviour, string>

/**
 * Builds Stripe's checkout session request without IO. It has no `expires_at`, so that it is the same whenever it is sent.
 * Throws ProviderRefused for amounts, currencies and statement descriptors.
 */
export function checkoutRequest(order: CheckoutOrder): CheckoutRequest {
  const total = order.lineItems.reduce((sum, item) => sum + item.Price * (item.Quantity ?? 1), 0)
  stripeAmount(total, order.currency, '/LineItems')
  checkMinimum(total, order.currency)
  const params: SessionParams = {
    mode: 'payment',
    ...pageParams(order),
    line_items: order.lineItems.map((item, index) => lineItemParams(item, index, order.currency)),
    client_reference_id: order.recordId,
    metadata: checkoutMetadata(order),
    ...(isCustomerOfStripe(order.customerId) ? { customer: order.customerId } : {}),
    // Otherwise a dashboard setting could change the shopper's currency or add tax to the total.
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: false },
    payment_intent_data: intentParams(order),
  }
  // Through JSON, so that the request sent now equals the one that a later retry reads from the database.
  const stored = JSON.parse(JSON.stringify(params)) as Record<string, unknown>
  const text = cardStatementText(order.statementDescriptor, order.statementDescriptorPrefix)
  return {
    providerAccountId: order.providerAccountId,
    idempotencyKey: `pay_${order.recordId}`,
    params: stored,
    ...(text === undefined ? {} : { cardStatementText: text }),
  }
}

function pageParams(order: CheckoutOrder): SessionParams {
  if (order.uiMode === 'Hosted') {
    return {
      ui_mode: 'hosted_page',
      success_url: order.successUrl ?? order.landingUrl,
      ...(order.cancelUrl ? { cancel_url: order.cancelUrl } : {}),
    }
  }
  // Stripe refuses success_url and cancel_url here. Without a return_url it does not offer methods that redirect.
  return order.successUrl
    ? { ui_mode: 'embedded_page', return_url: order.successUrl, redirect_on_completion: 'if_required' }
    : { ui_mode: 'embedded_page', redirect_on_completion: 'never' }
}

function lineItemParams(item: PaymentLineItem, index: number, currency: string): LineItemParams {
  return {
    quantity: item.Quantity ?? 1,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: stripeAmount(item.Price, currency, `/LineItems/${index}/Price`),
      tax_behavior: taxBehaviours[item.TaxBehaviour ?? 'Inclusive'],
      product_data: {
        name: item.ProductName,
        ...(item.ProductDescription ? { description: item.ProductDescription } : {}),
      },
    },
  }
}

function intentParams(order: CheckoutOrder): NonNullable<SessionParams['payment_intent_data']> {
  const { reference, statementDescriptor, statementDescriptorPrefix } = order
  if (statementDescriptor) checkStatementDescriptor(statementDescriptor)
  const suffix = statementDescriptor
    ? statementDescriptorSuffix(statementDescriptor, statementDescriptorPrefix)
    : undefined
  const fee = order.feeAmount === 0 ? 0 : stripeAmount(order.feeAmount, order.currency, '/FeeAmount')
  return {
    ...(fee > 0 ? { application_fee_amount: fee } : {}),
    ...(suffix ? { statement_descriptor_suffix: suffix } : {}),
    ...(reference ? { description: reference } : {}),
    metadata: { recordId: order.recordId, siteSlug: order.site.slug },
  }
}

/** Whether the id is one of Stripe's. Any other is the client's own, and Stripe would refuse it. */
function isCustomerOfStripe(customerId: string | undefined): customerId is string {
  return customerId !== undefined && /^cus_[A-Za-z0-9]+$/.test(customerId)
}
