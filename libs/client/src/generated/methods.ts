// Printed by `npm run print-contracts`: do not edit.
import type { CallOptions, Pages, PostOptions, SoftwareOption } from '../calls.ts'
import type * as S from './schemas.ts'

export interface Sites {
  /** Create a practice site. */
  create(input: { body: S.SiteCreation } & PostOptions & SoftwareOption): Promise<S.SiteWithKeys>
  /** Delete a practice site. */
  delete(input: { SiteIdentifier: string } & CallOptions & SoftwareOption): Promise<S.DeletedSite>
  /** Change a practice site. */
  change(input: { SiteIdentifier: string; body: S.SiteChange } & CallOptions & SoftwareOption): Promise<S.SiteListItem>
  /** Get the identity and the API keys of a practice site. */
  getIdentity(input: { SiteIdentifier: string } & CallOptions & SoftwareOption): Promise<S.SiteWithKeys>
  /** Replace one of the API keys of a practice site. */
  rotateKey(input: { SiteIdentifier: string; Key: 'Primary' | 'Secondary' } & PostOptions & SoftwareOption): Promise<S.RotatedSiteKeys>
  /** List practice sites. */
  list(input?: { query?: Partial<S.SiteListQuery> } & CallOptions & SoftwareOption): Pages<S.SiteList>
}

export interface PracticeManagementSystems {
  /** List the practice management systems, with their codes. */
  list(input?: CallOptions): Promise<S.PracticeManagementSystemList>
}

export interface Payments {
  /** Create a payment. */
  create(input: { SiteSlug: string; body: S.PaymentCreation } & PostOptions): Promise<S.PaymentRecord>
  /** List payments, newest first. */
  list(input: { SiteSlug: string; query?: Partial<S.PaymentListQuery> } & CallOptions): Pages<S.PaymentList>
  /** List the payments of all your sites, newest first, as JSON or CSV. */
  listAll(input?: { query?: Partial<S.AllPaymentsQuery> } & CallOptions): Pages<S.AllPaymentsList>
  /** Get a payment. */
  get(input: { SiteSlug: string; PaymentIdentifier: string } & CallOptions): Promise<S.PaymentRecord>
  /** Cancel a payment. */
  cancel(input: { SiteSlug: string; PaymentIdentifier: string } & PostOptions): Promise<S.PaymentRecord>
}

export interface Refunds {
  /** Refund a payment, in part or what is left of it. */
  create(input: { SiteSlug: string; PaymentIdentifier: string; body: S.RefundCreation } & PostOptions): Promise<S.RefundRecord>
  /** List the refunds of a payment, newest first. */
  list(input: { SiteSlug: string; PaymentIdentifier: string; query?: Partial<S.SubscriptionListQuery> } & CallOptions): Pages<S.RefundList>
  /** Get a refund. */
  get(input: { SiteSlug: string; PaymentIdentifier: string; RefundIdentifier: string } & CallOptions): Promise<S.RefundRecord>
}

export interface Accounts {
  /** Create a payment provider account, or onboard it again. */
  create(input: { SiteSlug: string; body: S.AccountCreation } & PostOptions): Promise<S.AccountOnboarding>
  /** List the payment provider accounts of a site. */
  list(input: { SiteSlug: string } & CallOptions): Promise<S.AccountList>
  /** Get a payment provider account. */
  get(input: { SiteSlug: string; AccountId: string } & CallOptions): Promise<S.PaymentProviderAccount>
  /** Delete a payment provider account. */
  delete(input: { SiteSlug: string; AccountId: string } & CallOptions): Promise<S.PaymentProviderAccount>
}

export interface Webhooks {
  /** Subscribe to payment events. */
  subscribe(input: { SiteSlug: string; body: S.SubscriptionCreation } & PostOptions): Promise<S.CreatedSubscription>
  /** Unsubscribe from payment events. */
  unsubscribe(input: { SiteSlug: string } & CallOptions): Promise<S.CreatedSubscription>
  /** Get the subscription. */
  getSubscription(input: { SiteSlug: string } & CallOptions): Promise<S.Subscription>
  /** Replace the signing secret. */
  rotateSecret(input: { SiteSlug: string } & PostOptions): Promise<S.RotatedSecret>
  /** List all subscriptions of the site, whoever made them. */
  listSubscriptions(input: { SiteSlug: string; query?: Partial<S.SubscriptionListQuery> } & CallOptions): Pages<S.SubscriptionList>
  /** End a subscription of the site, whoever made it. */
  endSubscription(input: { SiteSlug: string; SubscriptionId: string } & CallOptions): Promise<S.SubscriptionSummary>
  /** Send a test event to your subscription. */
  sendTest(input: { SiteSlug: string } & PostOptions): Promise<S.AcceptedDelivery>
}

export interface Deliveries {
  /** Deliver again all events since a time that were not delivered. */
  recover(input: { SiteSlug: string; body: S.RecoverRequest } & PostOptions): Promise<S.Recovery>
  /** Get how far your latest recovery has come. */
  getRecovery(input: { SiteSlug: string } & CallOptions): Promise<S.Recovery>
  /** List deliveries, newest first. */
  list(input: { SiteSlug: string; query?: Partial<S.DeliveryListQuery> } & CallOptions): Pages<S.DeliveryList>
  /** Get a delivery and its attempts. */
  get(input: { SiteSlug: string; DeliveryId: string } & CallOptions): Promise<S.Delivery>
  /** Send a delivery again. */
  sendAgain(input: { SiteSlug: string; DeliveryId: string } & PostOptions): Promise<S.AcceptedDelivery>
}

export interface Events {
  /** Publish events of an external system. */
  publish(input: { SiteSlug: string; body: S.PublishedEvents } & PostOptions): Promise<S.AcceptedEvents>
}

export interface Audit {
  /** List who did what to a site, newest first. */
  list(input: { SiteSlug: string; query?: Partial<S.AuditQuery> } & CallOptions): Pages<S.AuditList>
}

/** The methods of a client, in groups. */
export interface Methods {
  sites: Sites
  practiceManagementSystems: PracticeManagementSystems
  payments: Payments
  refunds: Refunds
  accounts: Accounts
  webhooks: Webhooks
  deliveries: Deliveries
  events: Events
  audit: Audit
}
