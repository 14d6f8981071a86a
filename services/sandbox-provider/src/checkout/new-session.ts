import { invalidRequest } from '../api/errors.ts'
import { memberPath } from '../api/form.ts'
import type { Account, CheckoutSession, LineItem } from '../db.ts'
import { canCharge } from '../accounts/domain.ts'
import { checkCurrency, checkGranularity, checkTotal } from './amounts.ts'
import { checkDescriptorSuffix, checkSessionParameters, type SessionParameters } from './parameters.ts'

const day = 24 * 60 * 60 * 1000

export interface NewSessionIds {
  session: string
  clientSecret: string
  lineItem: () => string
}

/**
 * Returns the new session of a request.
 *
 * @param account the connected account; undefined for the platform's own session
 * @throws ApiError if Stripe would refuse the request
 */
export function newSession(
  params: SessionParameters,
  account: Account | undefined,
  now: Date,
  ids: NewSessionIds,
): CheckoutSession {
  checkSessionParameters(params, now)
  const { currency, lineItems, total } = priced(params, ids.lineItem)
  const payment = params.payment_intent_data
  checkFee(payment?.application_fee_amount, total, account)
  checkDescriptorSuffix(payment?.statement_descriptor_suffix, account?.statementDescriptorPrefix ?? null)
  if (account !== undefined && !canCharge(account)) {
    throw invalidRequest(
      'No valid payment method types for this Checkout Session. Please ensure that you have activated payment methods ' +
        'compatible with your chosen currency: the account cannot currently make charges.',
    )
  }
  const embedded = params.ui_mode === 'embedded_page'
  return {
    id: ids.session,
    accountId: account?.id ?? null,
    uiMode: params.ui_mode ?? 'hosted_page',
    status: 'open',
    paymentStatus: 'unpaid',
    currency,
    amountTotal: total,
    lineItems,
    clientReferenceId: params.client_reference_id ?? null,
    customer: params.customer ?? null,
    customerEmail: params.customer_email ?? null,
    metadata: params.metadata ?? {},
    successUrl: params.success_url ?? null,
    cancelUrl: params.cancel_url ?? null,
    returnUrl: params.return_url ?? null,
    redirectOnCompletion: embedded ? (params.redirect_on_completion ?? 'always') : null,
    clientSecret: embedded ? ids.clientSecret : null,
    adaptivePricing: params.adaptive_pricing?.enabled ?? false,
    applicationFeeAmount: payment?.application_fee_amount ?? null,
    paymentDescription: payment?.description ?? null,
    statementDescriptorSuffix: payment?.statement_descriptor_suffix ?? null,
    paymentMetadata: payment?.metadata ?? {},
    paymentIntentId: null,
    createdAt: now,
    expiresAt: params.expires_at === undefined ? new Date(now.getTime() + day) : new Date(params.expires_at * 1000),
  }
}

function priced(
  params: SessionParameters,
  newItemId: () => string,
): { currency: string; lineItems: LineItem[]; total: number } {
  if (params.line_items.length === 0)
    throw invalidRequest('Missing required param: line_items.', 'line_items', 'parameter_missing')
  const currency = params.line_items[0]?.price_data.currency.toLowerCase() ?? ''
  const lineItems = params.line_items.map((item, index) => {
    const at = memberPath('line_items', index)
    const price = item.price_data
    const param = `${at}[price_data][currency]`
    if (item.quantity === undefined) throw invalidRequest(`Quantity is required. Add \`quantity\` to \`${at}\``, at)
    if (price.currency.toLowerCase() !== currency) {
      throw invalidRequest('All line items must have the same currency.', param)
    }
    checkCurrency(currency, param)
    checkGranularity(price.unit_amount, currency, `${at}[price_data][unit_amount]`)
    return {
      id: newItemId(),
      name: price.product_data.name,
      description: price.product_data.description ?? null,
      unitAmount: price.unit_amount,
      quantity: item.quantity,
      taxBehavior: price.tax_behavior ?? 'unspecified',
    }
  })
  const total = lineItems.reduce((sum, item) => sum + item.unitAmount * item.quantity, 0)
  checkTotal(total, currency)
  return { currency, lineItems, total }
}

function checkFee(fee: number | undefined, total: number, account: Account | undefined): void {
  if (fee === undefined) return
  const param = 'payment_intent_data[application_fee_amount]'
  if (account === undefined) {
    throw invalidRequest(
      'Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment (using an OAuth ' +
        'key or Stripe-Account header) or destination payment.',
      param,
    )
  }
  if (fee > total)
    throw invalidRequest(`Your application fee (${fee}) cannot be more than the total (${total}).`, param)
}
