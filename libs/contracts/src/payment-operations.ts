import { Type } from 'typebox'
import { BySite, errorCategories, type Operation } from './operation.ts'
import { PaymentCreation, PaymentList, PaymentListQuery, PaymentRecord } from './payments.ts'
import { RefundCreation, RefundList, RefundListQuery, RefundRecord } from './refunds.ts'
import { closed, Slug, Uuid } from './values.ts'

const onPayments = { service: 'payments', level: 'site', errors: errorCategories.onSite } as const

const ByPayment = Type.Object({ SiteSlug: Slug, PaymentIdentifier: Uuid }, closed)

/** The public operations of payments (interface, endpoints 5 and 10, and additions). */
export const paymentOperations = {
  createPayment: {
    ...onPayments,
    summary: 'Create a payment',
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payments',
    clientMethod: 'payments.create',
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
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payments',
    clientMethod: 'payments.list',
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
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}',
    clientMethod: 'payments.get',
    scope: 'payments:read',
    params: ByPayment,
    responses: { 200: PaymentRecord },
    deadlineMs: 5_000,
    secret: true,
  },
  cancelPayment: {
    ...onPayments,
    summary: 'Cancel a payment',
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/cancel',
    clientMethod: 'payments.cancel',
    scope: 'payments:write',
    params: ByPayment,
    responses: { 200: PaymentRecord },
    deadlineMs: 30_000,
    audited: true,
  },
  createRefund: {
    ...onPayments,
    summary: 'Refund a payment, in part or what is left of it',
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds',
    clientMethod: 'refunds.create',
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
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds',
    clientMethod: 'refunds.list',
    scope: 'payments:read',
    params: ByPayment,
    query: RefundListQuery,
    responses: { 200: RefundList },
    deadlineMs: 5_000,
  },
  getRefund: {
    ...onPayments,
    summary: 'Get a refund',
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds/{RefundIdentifier}',
    clientMethod: 'refunds.get',
    scope: 'payments:read',
    params: Type.Object({ ...ByPayment.properties, RefundIdentifier: Uuid }, closed),
    responses: { 200: RefundRecord },
    deadlineMs: 5_000,
  },
} as const satisfies Record<string, Operation>
