import type Stripe from 'stripe'
import { billing, chargeToWire } from '../charges/wire.ts'
import type { CheckoutSession, LineItem, PaymentIntent } from '../db.ts'
import { seconds } from '../accounts/wire.ts'
import type { Checkout } from './checkout.ts'

/** Returns a session in the form of Stripe's API, with the paths in `expand` expanded. */
export function sessionToWire(checkout: Checkout, baseUrl: string, expand: string[] = []): Stripe.Checkout.Session {
  const { session, intent } = checkout
  const open = session.status === 'open'
  const subtotal = session.lineItems.reduce((sum, item) => sum + item.unitAmount * item.quantity, 0)
  const shownIntent = expand.some((path) => path.startsWith('payment_intent')) ? intent : undefined
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: session.adaptivePricing },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: subtotal,
    amount_total: session.amountTotal,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    client_secret: open ? session.clientSecret : null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: seconds(session.createdAt),
    currency: session.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: session.customer,
    customer_account: null,
    customer_creation: session.customer === null ? 'if_required' : null,
    customer_details: open ? null : customerDetails(session),
    customer_email: session.customerEmail,
    discounts: [],
    expires_at: seconds(session.expiresAt),
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    ...(expand.includes('line_items') && { line_items: lineItemsToWire(session) }),
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: session.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent:
      shownIntent === undefined
        ? session.paymentIntentId
        : intentToWire(shownIntent, expand.includes('payment_intent.latest_charge') ? checkout : undefined),
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: session.paymentStatus,
    permissions: null,
    recovered_from: null,
    ...(session.redirectOnCompletion !== null && { redirect_on_completion: session.redirectOnCompletion }),
    ...(session.returnUrl !== null && { return_url: session.returnUrl }),
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: session.status,
    submit_type: null,
    subscription: null,
    success_url: session.successUrl,
    total_details: {
      amount_discount: Math.max(0, subtotal - session.amountTotal),
      amount_shipping: Math.max(0, session.amountTotal - subtotal),
      amount_tax: 0,
    },
    ui_mode: session.uiMode,
    url: open && session.uiMode === 'hosted_page' ? `${baseUrl}/c/${session.id}` : null,
    wallet_options: null,
  }
}

/** Returns a payment intent in the form of Stripe's API, expanded with its latest charge if the checkout is given. */
export function intentToWire(
  intent: PaymentIntent,
  { charge, disputes }: Pick<Checkout, 'charge' | 'disputes'> = { charge: undefined, disputes: [] },
): Stripe.PaymentIntent {
  const canceled = intent.status === 'canceled'
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: intent.status === 'succeeded' ? intent.amount : 0,
    application: null,
    application_fee_amount: intent.applicationFeeAmount,
    automatic_payment_methods: null,
    canceled_at: intent.canceledAt === null ? null : seconds(intent.canceledAt),
    cancellation_reason: canceled ? intent.cancellationReason : null,
    capture_method: 'automatic_async',
    client_secret: intent.clientSecret,
    confirmation_method: 'automatic',
    created: seconds(intent.createdAt),
    currency: intent.currency,
    customer: intent.customer,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: intent.lastPaymentError,
    latest_charge: charge === undefined ? intent.latestChargeId : chargeToWire(charge, disputes),
    livemode: false,
    managed_payments: null,
    metadata: intent.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statementDescriptorSuffix,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  }
}

/** Returns what the customer entered on the page: Stripe tells a platform the names of its patients. */
function customerDetails(session: CheckoutSession): Stripe.Checkout.Session.CustomerDetails | null {
  if (session.status !== 'complete') return null
  return {
    address: billing.address,
    business_name: null,
    email: session.customerEmail ?? billing.email,
    individual_name: null,
    name: billing.name,
    phone: billing.phone,
    tax_exempt: 'none',
    tax_ids: [],
  }
}

function lineItemsToWire(session: CheckoutSession): Stripe.ApiList<Stripe.LineItem> {
  return {
    object: 'list',
    data: session.lineItems.map((item) => lineItemToWire(item, session.currency)),
    has_more: false,
    url: `/v1/checkout/sessions/${session.id}/line_items`,
  }
}

function lineItemToWire(item: LineItem, currency: string): Stripe.LineItem {
  const total = item.unitAmount * item.quantity
  return {
    id: item.id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency,
    description: item.name,
    metadata: {},
    price: null,
    quantity: item.quantity,
  }
}
