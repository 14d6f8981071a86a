import type Stripe from 'stripe'
import type { Charge, Dispute, Refund } from '../db.ts'
import { seconds } from '../accounts/wire.ts'

/** The patient who pays at the sandbox. */
export const billing: Stripe.Charge.BillingDetails = {
  address: { city: null, country: 'NZ', line1: null, line2: null, postal_code: '6011', state: null },
  email: 'pat.sandbox@patients.example',
  name: 'Pat Sandbox',
  phone: null,
  tax_id: null,
}

/** Returns a charge in the form of Stripe's API. It does not show its refunds and disputes, only that there are some. */
export function chargeToWire(charge: Charge, disputes: readonly Dispute[]): Stripe.Charge {
  const succeeded = charge.status === 'succeeded'
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: succeeded ? charge.amount : 0,
    amount_refunded: charge.amountRefunded,
    application: null,
    application_fee: null,
    application_fee_amount: charge.applicationFeeAmount,
    balance_transaction: null,
    billing_details: billing,
    calculated_statement_descriptor: charge.calculatedStatementDescriptor,
    captured: succeeded,
    created: seconds(charge.createdAt),
    currency: charge.currency,
    customer: charge.customer,
    description: charge.description,
    disputed: disputes.length > 0,
    failure_balance_transaction: null,
    failure_code: charge.failureCode,
    failure_message: charge.failureMessage,
    fraud_details: {},
    livemode: false,
    metadata: charge.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(charge),
    paid: charge.status !== 'failed',
    payment_intent: charge.paymentIntentId,
    payment_method: null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: charge.amountRefunded === charge.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charge.status,
    transfer_data: null,
    transfer_group: null,
  }
}

/** Returns a refund in the form of Stripe's API. */
export function refundToWire(refund: Refund): Stripe.Refund {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: null,
    charge: refund.chargeId,
    created: seconds(refund.createdAt),
    currency: refund.currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    ...(refund.failureReason !== null && { failure_reason: refund.failureReason }),
    metadata: refund.metadata,
    payment_intent: refund.paymentIntentId,
    payment_method: null,
    ...(refund.status === 'pending' && { pending_reason: 'processing' }),
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  }
}

/** Returns a dispute in the form of Stripe's API, without the members about evidence. */
export function disputeToWire(dispute: Dispute): object {
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: [],
    charge: dispute.chargeId,
    created: seconds(dispute.createdAt),
    currency: dispute.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: dispute.paymentIntentId,
    reason: dispute.reason,
    status: dispute.status,
  }
}

function outcomeOf(charge: Charge): Stripe.Charge.Outcome {
  const failed = charge.status === 'failed'
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: failed ? 'declined_by_network' : 'approved_by_network',
    reason: charge.declineCode,
    risk_level: 'normal',
    seller_message: failed ? (charge.failureMessage ?? 'The payment failed.') : 'Payment complete.',
    type: failed ? 'issuer_declined' : 'authorized',
  }
}
