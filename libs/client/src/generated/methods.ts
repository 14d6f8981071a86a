// Printed by `npm run print-contracts`: do not edit.
import type { CallOptions, Pages, PostOptions, SoftwareOption } from '../calls.ts'
import type * as S from './schemas.ts'

export interface Sites {
  /**
   * Create a practice site.
   *
   * The site gets a slug, two API keys and, if you name none, an organisation of its own. Your client must have access to its practice management system.
   */
  create(input: { body: S.SiteCreation } & PostOptions & SoftwareOption): Promise<S.SiteWithKeys>
  /**
   * Delete a practice site.
   *
   * Its keys stop working, its open payments are cancelled, and no new ones can be made. If it is the last site of its owning organisation, the organisation is deleted as well.
   */
  delete(input: { SiteIdentifier: string } & CallOptions & SoftwareOption): Promise<S.DeletedSite>
  /**
   * Change a practice site.
   *
   * The body is a JSON merge patch: absent members stay as they are, and null removes one.
   */
  change(input: { SiteIdentifier: string; body: S.SiteChange } & CallOptions & SoftwareOption): Promise<S.SiteListItem>
  /**
   * Get the identity and the API keys of a practice site.
   *
   * For systems that must act for a site and no longer have its keys. Each call is recorded in the audit trail.
   */
  getIdentity(input: { SiteIdentifier: string } & CallOptions & SoftwareOption): Promise<S.SiteWithKeys>
  /**
   * Replace one of the API keys of a practice site.
   *
   * The replaced key stops working at once, and the subscription that it made is paused. The other key is not touched.
   */
  rotateKey(input: { SiteIdentifier: string; Key: 'Primary' | 'Secondary' } & PostOptions & SoftwareOption): Promise<S.RotatedSiteKeys>
  /**
   * List practice sites.
   *
   * The sites that you may see, in pages. All filters must hold; of the values of one filter any.
   */
  list(input?: { query?: Partial<S.SiteListQuery> } & CallOptions & SoftwareOption): Pages<S.SiteList>
}

export interface PracticeManagementSystems {
  /**
   * List the practice management systems, with their codes.
   *
   * All systems that Frontdesk knows, and which of them your client has access to.
   */
  list(input?: CallOptions): Promise<S.PracticeManagementSystemList>
}

export interface Payments {
  /**
   * Create a payment.
   *
   * Opens a checkout at the provider for the sum of the line items. Send the customer to `CheckoutUrl`, or embed the checkout, and wait for the event that tells the outcome. With an `Idempotency-Key`, the same request never makes a second payment.
   */
  create(input: { SiteSlug: string; body: S.PaymentCreation } & PostOptions): Promise<S.PaymentRecord>
  /**
   * List payments, newest first.
   *
   * The payments of the site, in pages. All filters must hold; of several statuses any.
   */
  list(input: { SiteSlug: string; query?: Partial<S.PaymentListQuery> } & CallOptions): Pages<S.PaymentList>
  /**
   * List the payments of all your sites, newest first, as JSON or CSV.
   *
   * The payments of every site that you may see, in pages. All filters must hold; of several sites or statuses any. With `Accept: text/csv` a page is a table, and `Link` has the address of the next one.
   */
  listAll(input?: { query?: Partial<S.AllPaymentsQuery> } & CallOptions): Pages<S.AllPaymentsList>
  /**
   * Get a payment.
   *
   * Returns its present status, history and refunds. A payment that is open is compared with the provider first, if that is quick.
   */
  get(input: { SiteSlug: string; PaymentIdentifier: string } & CallOptions): Promise<S.PaymentRecord>
  /**
   * Cancel a payment.
   *
   * Closes the checkout at the provider, so that nobody can pay any more. If the customer was quicker, the payment follows the money and is not cancelled.
   */
  cancel(input: { SiteSlug: string; PaymentIdentifier: string } & PostOptions): Promise<S.PaymentRecord>
}

export interface Refunds {
  /**
   * Refund a payment, in part or what is left of it.
   *
   * Gives money back to the customer. The refunds that have not failed never add up to more than was taken. With an `Idempotency-Key`, the same request never refunds twice.
   */
  create(input: { SiteSlug: string; PaymentIdentifier: string; body: S.RefundCreation } & PostOptions): Promise<S.RefundRecord>
  /**
   * List the refunds of a payment, newest first.
   *
   * All refunds of the payment in pages, also those made in the provider's dashboard.
   */
  list(input: { SiteSlug: string; PaymentIdentifier: string; query?: Partial<S.SubscriptionListQuery> } & CallOptions): Pages<S.RefundList>
  /**
   * Get a refund.
   *
   * Returns its present status.
   */
  get(input: { SiteSlug: string; PaymentIdentifier: string; RefundIdentifier: string } & CallOptions): Promise<S.RefundRecord>
}

export interface Accounts {
  /**
   * Create a payment provider account, or onboard it again.
   *
   * A site has one account at each provider. If it has one, you get it with a new session and a new link of onboarding. The account can take payments once its status is `Active`.
   */
  create(input: { SiteSlug: string; body: S.AccountCreation } & PostOptions): Promise<S.AccountOnboarding>
  /**
   * List the payment provider accounts of a site.
   *
   * The accounts that were not deleted. There are no pages: a site has at most one for each provider.
   */
  list(input: { SiteSlug: string } & CallOptions): Promise<S.AccountList>
  /**
   * Get a payment provider account.
   *
   * Returns its present status, which follows the provider.
   */
  get(input: { SiteSlug: string; AccountId: string } & CallOptions): Promise<S.PaymentProviderAccount>
  /**
   * Delete a payment provider account.
   *
   * The site takes no more payments at this provider. Payments that are open must be cancelled first, or end.
   */
  delete(input: { SiteSlug: string; AccountId: string } & CallOptions): Promise<S.PaymentProviderAccount>
}

export interface Webhooks {
  /**
   * Subscribe to payment events.
   *
   * Makes your subscription to events of the site, or replaces it: you have one for each site. The answer to a new one has the key with which you verify deliveries.
   */
  subscribe(input: { SiteSlug: string; body: S.SubscriptionCreation } & PostOptions): Promise<S.CreatedSubscription>
  /**
   * Unsubscribe from payment events.
   *
   * Ends your subscription. What waits to be delivered is dropped.
   */
  unsubscribe(input: { SiteSlug: string } & CallOptions): Promise<S.CreatedSubscription>
  /**
   * Get the subscription.
   *
   * Returns your subscription to the site, without the values of its headers and without its secret.
   */
  getSubscription(input: { SiteSlug: string } & CallOptions): Promise<S.Subscription>
  /**
   * Replace the signing secret.
   *
   * The new secret signs at once, and the one before beside it for 24 hours.
   */
  rotateSecret(input: { SiteSlug: string } & PostOptions): Promise<S.RotatedSecret>
  /**
   * List all subscriptions of the site, whoever made them.
   *
   * For the owner of a site: who receives its events, in pages. Nothing is told that may be a secret of its maker.
   */
  listSubscriptions(input: { SiteSlug: string; query?: Partial<S.SubscriptionListQuery> } & CallOptions): Pages<S.SubscriptionList>
  /**
   * End a subscription of the site, whoever made it.
   *
   * For the owner of a site: ends a subscription that somebody else has made as well.
   */
  endSubscription(input: { SiteSlug: string; SubscriptionId: string } & CallOptions): Promise<S.SubscriptionSummary>
  /**
   * Send a test event to your subscription.
   *
   * Delivers an event of the type `subscription.test` to your receiver, signed like all others.
   */
  sendTest(input: { SiteSlug: string } & PostOptions): Promise<S.AcceptedDelivery>
}

export interface Deliveries {
  /**
   * Deliver again all events since a time that were not delivered.
   *
   * Makes all deliveries due again whose events came since then and were not delivered, at most 14 days back. It goes on after the answer.
   */
  recover(input: { SiteSlug: string; body: S.RecoverRequest } & PostOptions): Promise<S.Recovery>
  /**
   * Get how far your latest recovery has come.
   *
   * Tells how many deliveries your latest recovery has made due so far.
   */
  getRecovery(input: { SiteSlug: string } & CallOptions): Promise<S.Recovery>
  /**
   * List deliveries, newest first.
   *
   * The deliveries of your subscription, in pages.
   */
  list(input: { SiteSlug: string; query?: Partial<S.DeliveryListQuery> } & CallOptions): Pages<S.DeliveryList>
  /**
   * Get a delivery and its attempts.
   *
   * Returns each attempt with the reply of your receiver.
   */
  get(input: { SiteSlug: string; DeliveryId: string } & CallOptions): Promise<S.Delivery>
  /**
   * Send a delivery again.
   *
   * Makes a delivery due that has ended, at most 14 days after its event.
   */
  sendAgain(input: { SiteSlug: string; DeliveryId: string } & PostOptions): Promise<S.AcceptedDelivery>
}

export interface Events {
  /**
   * Publish events of an external system.
   *
   * Publishes one CloudEvent or a batch of up to 100: all of a batch, or none. Your client needs a registered source, which `source` must be under. An event with the same `source` and `id` as an earlier one is the same event.
   */
  publish(input: { SiteSlug: string; body: S.PublishedEvents } & PostOptions): Promise<S.AcceptedEvents>
}

export interface Audit {
  /**
   * List who did what to a site, newest first.
   *
   * What clients, site API keys and visitors of onboarding links did to the site, also what was refused or failed. Entries are kept for 400 days. Needs a token; site API keys are refused.
   */
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
