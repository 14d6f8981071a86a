// Printed by `npm run print-contracts`: do not edit.
import type { Route } from '../request.ts'
import type { Methods } from './methods.ts'

export const routes: Record<keyof Methods, Record<string, Route>> = {
  sites: {
    create: {"method":"POST","path":"/api/v1/management/sites","deadlineMs":5000},
    delete: {"method":"DELETE","path":"/api/v1/management/sites/{SiteIdentifier}","deadlineMs":5000},
    change: {"method":"PATCH","path":"/api/v1/management/sites/{SiteIdentifier}","deadlineMs":5000,"contentTypes":["application/json","application/merge-patch+json"]},
    getIdentity: {"method":"GET","path":"/api/v1/management/sites/{SiteIdentifier}/identity","deadlineMs":5000},
    rotateKey: {"method":"POST","path":"/api/v1/management/sites/{SiteIdentifier}/keys/{Key}/rotate","deadlineMs":5000},
    list: {"method":"GET","path":"/api/v1/sites","deadlineMs":5000,"pages":true},
  },
  practiceManagementSystems: {
    list: {"method":"GET","path":"/api/v1/practice-management-systems","deadlineMs":5000},
  },
  payments: {
    create: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/payments","deadlineMs":30000},
    list: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/payments","deadlineMs":5000,"pages":true},
    listAll: {"method":"GET","path":"/api/v1/payments","deadlineMs":5000,"pages":true},
    get: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}","deadlineMs":5000},
    cancel: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/cancel","deadlineMs":30000},
  },
  refunds: {
    create: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds","deadlineMs":30000},
    list: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds","deadlineMs":5000,"pages":true},
    get: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds/{RefundIdentifier}","deadlineMs":5000},
  },
  accounts: {
    create: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/payment-provider-accounts","deadlineMs":30000},
    list: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/payment-provider-accounts","deadlineMs":5000},
    get: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}","deadlineMs":5000},
    delete: {"method":"DELETE","path":"/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}","deadlineMs":30000},
  },
  webhooks: {
    subscribe: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/webhooks/payments","deadlineMs":5000},
    unsubscribe: {"method":"DELETE","path":"/api/v1/sites/{SiteSlug}/webhooks/payments","deadlineMs":5000},
    getSubscription: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/webhooks/payments","deadlineMs":5000},
    rotateSecret: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/webhooks/payments/rotate-secret","deadlineMs":5000},
    listSubscriptions: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/webhooks/subscriptions","deadlineMs":5000,"pages":true},
    endSubscription: {"method":"DELETE","path":"/api/v1/sites/{SiteSlug}/webhooks/subscriptions/{SubscriptionId}","deadlineMs":5000},
    sendTest: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/webhooks/payments/test","deadlineMs":5000},
  },
  deliveries: {
    recover: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/webhooks/payments/recover","deadlineMs":5000},
    getRecovery: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/webhooks/payments/recover","deadlineMs":5000},
    list: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/webhooks/payments/deliveries","deadlineMs":5000,"pages":true},
    get: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/webhooks/payments/deliveries/{DeliveryId}","deadlineMs":5000},
    sendAgain: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/webhooks/payments/deliveries/{DeliveryId}/redeliver","deadlineMs":5000},
  },
  events: {
    publish: {"method":"POST","path":"/api/v1/sites/{SiteSlug}/events","deadlineMs":5000,"contentTypes":["application/cloudevents+json","application/cloudevents-batch+json"]},
  },
  audit: {
    list: {"method":"GET","path":"/api/v1/sites/{SiteSlug}/audit","deadlineMs":5000,"pages":true},
  },
}
