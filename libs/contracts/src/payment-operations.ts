import { Type } from 'typebox'
import { asksProvider, BySite, errorCategories, SiteParam, type Operation } from './operation.ts'
import { PaymentCreation, PaymentList, PaymentListQuery, PaymentRecord } from './payments.ts'
import { RefundCreation, RefundList, RefundListQuery, RefundRecord } from './refunds.ts'
import { described } from './members.ts'
import { closed, Uuid } from './values.ts'

const onPayments = { service: 'payments', level: 'site', errors: errorCategories.onSite } as const

const ByPayment = Type.Object(
  { SiteSlug: SiteParam, PaymentIdentifier: described(Uuid, 'The `RecordId` of the payment.') },
  closed,
)

/** The public operations of payments (interface, endpoints 5 and 10, and additions). */
export const paymentOperations = {
  createPayment: {
    ...onPayments,
    summary: 'Create a payment',
    description:
      'Opens a checkout at the provider for the sum of the line items. Send the customer to `CheckoutUrl`, or embed the checkout, and wait for the event that tells the outcome. With an `Idempotency-Key`, the same request never makes a second payment.',
    refusals: [
      'site_suspended',
      'line_items_required',
      'amount_too_small',
      'amount_too_large',
      'amount_not_representable',
      'currency_unsupported',
      'statement_descriptor_refused',
      'ui_mode_unsupported',
      'declined',
      'provider_account_not_ready',
      ...asksProvider,
      'provider_outcome_unknown',
      'provider_rejected',
    ],
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payments',
    scope: 'payments:write',
    params: BySite,
    body: PaymentCreation,
    responses: { 201: PaymentRecord },
    deadlineMs: 30_000,
    secret: true,
    audited: true,
  },
  listPayments: {
    ...onPayments,
    summary: 'List payments, newest first',
    description: 'The payments of the site, in pages. All filters must hold; of several statuses any.',
    refusals: [],
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payments',
    scope: 'payments:read',
    params: BySite,
    query: PaymentListQuery,
    responses: { 200: PaymentList },
    deadlineMs: 5_000,
    secret: true,
  },
  getPayment: {
    ...onPayments,
    summary: 'Get a payment',
    description:
      'Returns its present status, history and refunds. A payment that is open is compared with the provider first, if that is quick.',
    refusals: ['payment_not_found'],
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}',
    scope: 'payments:read',
    params: ByPayment,
    responses: { 200: PaymentRecord },
    deadlineMs: 5_000,
    secret: true,
  },
  cancelPayment: {
    ...onPayments,
    summary: 'Cancel a payment',
    description:
      'Closes the checkout at the provider, so that nobody can pay any more. If the customer was quicker, the payment follows the money and is not cancelled.',
    refusals: [
      'payment_not_found',
      'payment_not_cancellable',
      'provider_account_not_ready',
      ...asksProvider,
      'provider_outcome_unknown',
      'provider_rejected',
    ],
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/cancel',
    scope: 'payments:write',
    params: ByPayment,
    responses: { 200: PaymentRecord },
    deadlineMs: 30_000,
    audited: true,
  },
  createRefund: {
    ...onPayments,
    summary: 'Refund a payment, in part or what is left of it',
    description:
      'Gives money back to the customer. The refunds that have not failed never add up to more than was taken. With an `Idempotency-Key`, the same request never refunds twice.',
    refusals: [
      'payment_not_found',
      'payment_not_refundable',
      'refund_too_large',
      'refund_not_found',
      'amount_too_small',
      'amount_too_large',
      'currency_unsupported',
      'declined',
      'provider_account_not_ready',
      ...asksProvider,
      'provider_outcome_unknown',
      'provider_rejected',
    ],
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds',
    scope: 'payments:write',
    params: ByPayment,
    body: RefundCreation,
    responses: { 201: RefundRecord },
    deadlineMs: 30_000,
    audited: true,
  },
  listRefunds: {
    ...onPayments,
    summary: 'List the refunds of a payment, newest first',
    description: "All refunds of the payment in pages, also those made in the provider's dashboard.",
    refusals: ['payment_not_found'],
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds',
    scope: 'payments:read',
    params: ByPayment,
    query: RefundListQuery,
    responses: { 200: RefundList },
    deadlineMs: 5_000,
  },
  getRefund: {
    ...onPayments,
    summary: 'Get a refund',
    description: 'Returns its present status.',
    refusals: ['payment_not_found', 'refund_not_found'],
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds/{RefundIdentifier}',
    scope: 'payments:read',
    params: Type.Object(
      { ...ByPayment.properties, RefundIdentifier: described(Uuid, 'The `RefundId` of the refund.') },
      closed,
    ),
    responses: { 200: RefundRecord },
    deadlineMs: 5_000,
  },
} as const satisfies Record<string, Operation>
