import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { AccountCreation, AccountList, AccountOnboarding, PaymentProviderAccount } from './accounts.ts'
import type { Scope, ServiceName } from './enumerations.ts'
import { PaymentCreation, PaymentList, PaymentListQuery, PaymentRecord } from './payments.ts'
import {
  DeletedSite,
  PracticeSiteApiKeys,
  SiteChange,
  SiteCreation,
  SiteList,
  SiteListItem,
  SiteListQuery,
  SiteWithKeys,
} from './sites.ts'
import { closed, Slug, Uuid } from './values.ts'
import {
  AcceptedDelivery,
  CreatedSubscription,
  Delivery,
  DeliveryList,
  DeliveryListQuery,
  RecoverRequest,
  Recovered,
  RotatedSecret,
  Subscription,
  SubscriptionCreation,
} from './webhooks.ts'

/** The interface's error categories ("Errors"). */
export type ErrorCategory =
  | 'Malformed Request'
  | 'Unauthorized'
  | 'Forbidden'
  | 'Not Found'
  | 'Unprocessable'
  | 'Too many requests'
  | 'User Error'
  | 'Server Error'

export interface Operation {
  summary: string
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH'
  /** With `{Parameter}` segments, as in the interface. */
  path: string
  service: ServiceName
  scope: Scope
  /** `site`: the path names a site by slug, and its API keys are accepted instead of a token. */
  level: 'management' | 'site'
  params: TObject
  query?: TObject
  body?: TSchema
  /** By success status. */
  responses: Record<number, TSchema>
  errors: readonly ErrorCategory[]
  /** The whole request, in milliseconds (design section 5). */
  deadlineMs: number
  /** Whether `X-Practice-Management-Software` is read. */
  practiceManagementSoftware?: boolean
  /** Whether the body must be there. Absent: yes, where `body` is. */
  bodyOptional?: boolean
  /** `Cache-Control: no-store`, and an idempotent reply is stored encrypted. */
  secret?: boolean
}

const always = [
  'Malformed Request',
  'Unauthorized',
  'Forbidden',
  'Too many requests',
  'User Error',
  'Server Error',
] as const
const onEntity = [...always, 'Not Found'] as const
const onSite = [...onEntity, 'Unprocessable'] as const

const NoParams = Type.Object({}, closed)
const SiteIdentifier = Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })
const BySite = Type.Object({ SiteSlug: Slug }, closed)
const seconds = (count: number) => count * 1000

const management = { service: 'registry', level: 'management', deadlineMs: seconds(5) } as const
const onAccounts = { service: 'accounts', level: 'site', errors: onSite } as const
const onPayments = { service: 'payments', level: 'site', errors: onSite } as const
const onWebhooks = { service: 'webhook-delivery', level: 'site', errors: onSite, deadlineMs: seconds(5) } as const
const webhooksPath = '/api/v1/sites/{SiteSlug}/webhooks/payments'

/** Every public operation: the spine from which routing, authorisation, validation, OpenAPI and the client come (design section 4). */
export const operations = {
  createSite: {
    ...management,
    summary: 'Create a practice site',
    method: 'POST',
    path: '/api/v1/management/sites',
    scope: 'sites:manage',
    params: NoParams,
    body: SiteCreation,
    responses: { 201: SiteWithKeys },
    errors: [...always, 'Unprocessable'],
    practiceManagementSoftware: true,
    secret: true,
  },
  deleteSite: {
    ...management,
    summary: 'Delete a practice site',
    method: 'DELETE',
    path: '/api/v1/management/sites/{SiteIdentifier}',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier }, closed),
    responses: { 200: DeletedSite },
    errors: onEntity,
    practiceManagementSoftware: true,
  },
  changeSite: {
    ...management,
    summary: 'Change a practice site',
    method: 'PATCH',
    path: '/api/v1/management/sites/{SiteIdentifier}',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier }, closed),
    body: SiteChange,
    responses: { 200: SiteListItem },
    errors: [...onEntity, 'Unprocessable'],
    practiceManagementSoftware: true,
  },
  getSiteIdentity: {
    ...management,
    summary: 'Get the identity and the API keys of a practice site',
    method: 'GET',
    path: '/api/v1/management/sites/{SiteIdentifier}/identity',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier }, closed),
    responses: { 200: SiteWithKeys },
    errors: onEntity,
    practiceManagementSoftware: true,
    secret: true,
  },
  rotateSiteKey: {
    ...management,
    summary: 'Replace one of the API keys of a practice site',
    method: 'POST',
    path: '/api/v1/management/sites/{SiteIdentifier}/keys/{Key}/rotate',
    scope: 'sites:manage',
    params: Type.Object({ SiteIdentifier, Key: Type.Enum(['Primary', 'Secondary']) }, closed),
    responses: { 200: PracticeSiteApiKeys },
    errors: onEntity,
    practiceManagementSoftware: true,
    secret: true,
  },
  listSites: {
    ...management,
    summary: 'List practice sites',
    method: 'GET',
    path: '/api/v1/sites',
    scope: 'sites:read',
    params: NoParams,
    query: SiteListQuery,
    responses: { 200: SiteList },
    errors: always,
    practiceManagementSoftware: true,
  },
  createPayment: {
    ...onPayments,
    summary: 'Create a payment',
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payments',
    scope: 'payments:write',
    params: BySite,
    body: PaymentCreation,
    responses: { 201: PaymentRecord },
    deadlineMs: seconds(30),
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
    deadlineMs: seconds(5),
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
    deadlineMs: seconds(5),
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
    deadlineMs: seconds(30),
  },
  createAccount: {
    ...onAccounts,
    summary: 'Create a payment provider account, or onboard it afresh',
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts',
    scope: 'accounts:write',
    params: BySite,
    body: AccountCreation,
    responses: { 200: AccountOnboarding, 201: AccountOnboarding },
    deadlineMs: seconds(30),
    secret: true,
  },
  listAccounts: {
    ...onAccounts,
    summary: 'List the payment provider accounts of a site',
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts',
    scope: 'accounts:read',
    params: BySite,
    responses: { 200: AccountList },
    deadlineMs: seconds(5),
  },
  getAccount: {
    ...onAccounts,
    summary: 'Get a payment provider account',
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}',
    scope: 'accounts:read',
    params: Type.Object({ SiteSlug: Slug, AccountId: Uuid }, closed),
    responses: { 200: PaymentProviderAccount },
    deadlineMs: seconds(5),
  },
  deleteAccount: {
    ...onAccounts,
    summary: 'Delete a payment provider account',
    method: 'DELETE',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}',
    scope: 'accounts:write',
    params: Type.Object({ SiteSlug: Slug, AccountId: Uuid }, closed),
    responses: { 200: PaymentProviderAccount },
    deadlineMs: seconds(30),
  },
  subscribe: {
    ...onWebhooks,
    summary: 'Subscribe to payment events',
    method: 'POST',
    path: webhooksPath,
    scope: 'webhooks:write',
    params: BySite,
    body: SubscriptionCreation,
    responses: { 200: CreatedSubscription, 201: CreatedSubscription },
    secret: true,
  },
  unsubscribe: {
    ...onWebhooks,
    summary: 'Unsubscribe from payment events',
    method: 'DELETE',
    path: webhooksPath,
    scope: 'webhooks:write',
    params: BySite,
    responses: { 200: CreatedSubscription },
    secret: true,
  },
  getSubscription: {
    ...onWebhooks,
    summary: 'Get the subscription',
    method: 'GET',
    path: webhooksPath,
    scope: 'webhooks:read',
    params: BySite,
    responses: { 200: Subscription },
  },
  rotateSigningSecret: {
    ...onWebhooks,
    summary: 'Replace the signing secret',
    method: 'POST',
    path: `${webhooksPath}/rotate-secret`,
    scope: 'webhooks:write',
    params: BySite,
    responses: { 200: RotatedSecret },
    secret: true,
  },
  sendTestEvent: {
    ...onWebhooks,
    summary: 'Send a test event to the own subscription',
    method: 'POST',
    path: `${webhooksPath}/test`,
    scope: 'webhooks:write',
    params: BySite,
    responses: { 202: AcceptedDelivery },
  },
  recoverDeliveries: {
    ...onWebhooks,
    summary: 'Deliver again everything that was not delivered since a time',
    method: 'POST',
    path: `${webhooksPath}/recover`,
    scope: 'webhooks:write',
    params: BySite,
    body: RecoverRequest,
    responses: { 202: Recovered },
  },
  listDeliveries: {
    ...onWebhooks,
    summary: 'List deliveries, newest first',
    method: 'GET',
    path: `${webhooksPath}/deliveries`,
    scope: 'webhooks:read',
    params: BySite,
    query: DeliveryListQuery,
    responses: { 200: DeliveryList },
  },
  getDelivery: {
    ...onWebhooks,
    summary: 'Get a delivery and its attempts',
    method: 'GET',
    path: `${webhooksPath}/deliveries/{DeliveryId}`,
    scope: 'webhooks:read',
    params: Type.Object({ SiteSlug: Slug, DeliveryId: Uuid }, closed),
    responses: { 200: Delivery },
  },
  redeliver: {
    ...onWebhooks,
    summary: 'Send a delivery again',
    method: 'POST',
    path: `${webhooksPath}/deliveries/{DeliveryId}/redeliver`,
    scope: 'webhooks:write',
    params: Type.Object({ SiteSlug: Slug, DeliveryId: Uuid }, closed),
    responses: { 202: AcceptedDelivery },
  },
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationId = keyof Operations
export type OperationsOf<S extends ServiceName> = {
  [Id in OperationId]: Operations[Id]['service'] extends S ? Id : never
}[OperationId]

export type Params<Id extends OperationId> = Static<Operations[Id]['params']>
export type Query<Id extends OperationId> = Operations[Id] extends { query: infer Q extends TSchema }
  ? Static<Q>
  : undefined
export type Body<Id extends OperationId> = Operations[Id] extends { body: infer B extends TSchema }
  ? Static<B>
  : undefined
/** A success of an operation: one of its statuses, with the body of that status. */
export type Reply<Id extends OperationId> = {
  [S in keyof Operations[Id]['responses']]: {
    status: S
    body: Operations[Id]['responses'][S] extends TSchema ? Static<Operations[Id]['responses'][S]> : never
    headers?: Record<string, string>
  }
}[keyof Operations[Id]['responses']]
