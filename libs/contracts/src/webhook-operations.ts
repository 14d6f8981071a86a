import { Type } from 'typebox'
import { BySite, errorCategories, type Operation } from './operation.ts'
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

const onWebhooks = {
  service: 'webhook-delivery',
  level: 'site',
  errors: errorCategories.onSite,
  deadlineMs: 5_000,
} as const
const webhooksPath = '/api/v1/sites/{SiteSlug}/webhooks/payments'

/** The operations of webhook-delivery (interface, endpoints 11 to 13, and additions). */
export const webhookOperations = {
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
