import { Type } from 'typebox'
import { BySite, errorCategories, type Operation } from './operation.ts'
import { PaymentCreation, PaymentList, PaymentListQuery, PaymentRecord } from './payments.ts'
import { closed, Slug, Uuid } from './values.ts'

const onPayments = { service: 'payments', level: 'site', errors: errorCategories.onSite } as const

/** The public operations of payments (interface, endpoints 5 and 10, and additions). */
export const paymentOperations = {
  createPayment: {
    ...onPayments,
    summary: 'Create a payment',
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payments',
    scope: 'payments:write',
    params: BySite,
    body: PaymentCreation,
    responses: { 201: PaymentRecord },
    deadlineMs: 30_000,
    secret: true,
  },
  listPayments: {
    ...onPayments,
    summary: 'List payments, newest first',
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
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}',
    scope: 'payments:read',
    params: Type.Object({ SiteSlug: Slug, PaymentIdentifier: Uuid }, closed),
    responses: { 200: PaymentRecord },
    deadlineMs: 5_000,
    secret: true,
  },
  cancelPayment: {
    ...onPayments,
    summary: 'Cancel a payment',
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/cancel',
    scope: 'payments:write',
    params: Type.Object({ SiteSlug: Slug, PaymentIdentifier: Uuid }, closed),
    responses: { 200: PaymentRecord },
    deadlineMs: 30_000,
  },
} as const satisfies Record<string, Operation>
