import type { OperationId } from '@frontdesk/contracts'

const site = 's7Kd92LmQx4A'
const organisation = 'o3Fh81PqZt6B'
const recordId = '019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55'
const refundId = '019aa5c4-5b1e-7f02-a4d3-90c1e7b25f18'
const accountId = '019aa5c1-19f4-7a02-8c11-6de2b0f4a733'
const deliveryId = '019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10'
const time = '2026-11-21T09:30:00.000Z'

const identity = {
  Name: 'Harbour Street Dental',
  PracticeManagementSoftware: 'Dentally',
  PmsSpecificSiteId: site,
  SiteSlug: site,
  OwningOrganisationSlug: organisation,
  BillingOrganisationSlug: organisation,
}
const address = {
  AddressLine1: '12 Harbour Street',
  Locality: 'Whitstable',
  PostalCode: 'CT5 1AH',
  Country: 'GB',
}
const keys = { PrimaryKey: 'fsk_REDACTED_PRIMARY', SecondaryKey: 'fsk_REDACTED_SECONDARY' }
const listItem = { ...identity, Address: address, Currency: 'GBP', SiteStatus: 'Operational' }
const pending = {
  PaymentProvider: 'Stripe',
  RecordId: recordId,
  Status: 'Pending',
  PaymentId: 'cs_test_a1b2c3',
  Reference: 'INV-1001',
  Amount: 4500,
  Currency: 'GBP',
  StatementDescriptor: 'HARBOUR ST DENTAL',
  CardStatementText: 'HARBOUR ST* HARBOUR ST',
  FeeAmount: 50,
  TipAmount: 0,
  RefundedAmount: 0,
  Refunds: [],
  History: [
    { Timestamp: time, Description: 'The payment was created.', Status: 'Created' },
    { Timestamp: time, Description: 'The provider accepted it; waiting for the customer.', Status: 'Pending' },
  ],
  CheckoutUrl: 'https://checkout.example/c/cs_test_a1b2c3',
  ExpiresAt: '2026-11-22T09:30:00.000Z',
}
const cancelled = {
  ...pending,
  Status: 'Cancelled',
  CheckoutUrl: undefined,
  ExpiresAt: undefined,
  History: [
    ...pending.History,
    { Timestamp: time, Description: 'Cancelled by request of the client.', Status: 'Cancelled' },
  ],
}
const refund = {
  RefundId: refundId,
  RecordId: recordId,
  PaymentProvider: 'Stripe',
  ProviderRefundId: 're_3Abc',
  Amount: 1500,
  Currency: 'GBP',
  Status: 'Succeeded',
  Reason: 'One treatment less',
  Reference: 'CREDIT-17',
  CreatedAt: time,
}
const refunded = {
  ...pending,
  Status: 'PartiallyRefunded',
  PaidAmount: 4500,
  PaidCurrency: 'GBP',
  RefundedAmount: 1500,
  Refunds: [refund],
  CheckoutUrl: undefined,
  ExpiresAt: undefined,
  History: [
    ...pending.History,
    { Timestamp: time, Description: 'Paid: pi_3Abc', Status: 'Completed' },
    { Timestamp: time, Description: 'Refunded 1500 GBP', Status: 'PartiallyRefunded' },
  ],
}
const account = {
  accountId,
  paymentProvider: 'Stripe',
  status: 'None',
  createdAt: time,
  externalAccountId: 'acct_1Abc',
}
const onboarding = {
  account,
  onboardingSession: { session: 'REDACTED_SESSION', expiresAt: time },
  onboardingLink: { url: 'https://api.example.com/onboarding/REDACTED', expiresAt: '2026-11-28T09:30:00.000Z' },
}
const subscription = {
  Headers: [{ Name: 'X-Api-Key', Value: 'REDACTED' }],
  EventTypes: ['payment.*', 'refund.*', 'dispute.*', 'account.*'],
  Url: 'https://pms.example/hooks/frontdesk',
}
const subscriptionSummary = {
  SubscriptionId: deliveryId,
  MadeBy: 'client:pms',
  Receiver: 'https://pms.example',
  Headers: ['X-Api-Key'],
  EventTypes: ['payment.*', 'refund.*', 'dispute.*', 'account.*'],
  Labels: ['payments', 'active'],
  CreatedAt: time,
  ChangedAt: time,
}
const delivery = {
  DeliveryId: deliveryId,
  EventId: deliveryId,
  EventType: 'payment.succeeded',
  State: 'delivered',
  Attempts: 1,
  CreatedAt: time,
  CompletedAt: time,
}
const recovery = { RecoveryId: deliveryId, Since: time, State: 'running', Deliveries: 2_000, CreatedAt: time }
const attempt = { Number: 1, StartedAt: time, DurationMs: 12, Outcome: 'delivered', StatusCode: 204 }

const auditEntry = {
  EntryId: deliveryId,
  RecordedAt: time,
  Service: 'registry',
  Operation: 'rotateSiteKey',
  Outcome: 'Succeeded',
  Principal: 'client:harbour-pms',
  ClientAddress: '192.0.2.17',
  SiteSlug: site,
  OrganisationSlug: organisation,
  Targets: [`site:${site}`, 'key:Primary'],
  RequestId: '4711',
  TraceId: '4bf92f3577b34da6a3ce929d0e0e4736',
}

/** One request and one response of each operation. A test checks them against the schemas. */
export const examples: Record<OperationId, { body?: object; response: object }> = {
  createSite: {
    body: { Name: 'Harbour Street Dental', Address: address, Currency: 'GBP' },
    response: { Identity: identity, PracticeSiteApiKeys: keys },
  },
  deleteSite: { response: { Identity: identity } },
  changeSite: { body: { PmsSpecificSiteId: '4711', PhoneNumber: '+441632960123' }, response: listItem },
  getSiteIdentity: { response: { Identity: identity, PracticeSiteApiKeys: keys } },
  rotateSiteKey: { response: { ...keys, PausedSubscriptions: 1 } },
  listSites: { response: { Items: [listItem] } },
  listPracticeManagementSystems: {
    response: {
      Items: [
        { PracticeManagementSoftware: 'Dentally', DisplayName: 'Dentally', Sector: 'Dental', IsAccessible: true },
      ],
    },
  },
  createPayment: {
    body: {
      PaymentProvider: 'Stripe',
      Currency: 'GBP',
      Reference: 'INV-1001',
      StatementDescriptor: 'HARBOUR ST DENTAL',
      FeeAmount: 50,
      LineItems: [{ ProductName: 'Check-up', Price: 4500 }],
      SuccessUrl: 'https://pms.example/paid',
    },
    response: pending,
  },
  listPayments: { response: { Items: [pending] } },
  listAllPayments: { response: { Items: [{ SiteSlug: site, ...pending }] } },
  getPayment: { response: refunded },
  cancelPayment: { response: cancelled },
  createRefund: {
    body: { Amount: 1500, Reason: 'One treatment less', Reference: 'CREDIT-17' },
    response: { ...refund, Status: 'Pending' },
  },
  listRefunds: { response: { Items: [refund] } },
  getRefund: { response: refund },
  createAccount: { body: { paymentProvider: 'Stripe' }, response: onboarding },
  listAccounts: { response: [account] },
  getAccount: { response: account },
  deleteAccount: { response: account },
  subscribe: { body: subscription, response: { ...subscription, SigningSecret: 'whsec_REDACTED' } },
  unsubscribe: { response: subscription },
  getSubscription: {
    response: {
      Headers: ['X-Api-Key'],
      EventTypes: ['payment.*', 'refund.*', 'dispute.*', 'account.*'],
      Labels: ['payments', 'active'],
      Url: subscription.Url,
    },
  },
  rotateSigningSecret: {
    response: { SigningSecret: 'whsec_REDACTED', PreviousSecretExpiresAt: '2026-11-22T09:30:00.000Z' },
  },
  listSubscriptions: { response: { Items: [subscriptionSummary] } },
  endSubscription: { response: subscriptionSummary },
  sendTestEvent: { response: { DeliveryId: deliveryId } },
  recoverDeliveries: { body: { Since: time }, response: recovery },
  getRecovery: { response: { ...recovery, State: 'completed', Deliveries: 200_000, CompletedAt: time } },
  listDeliveries: { response: { Items: [delivery] } },
  getDelivery: { response: { ...delivery, AttemptList: [attempt] } },
  publishEvents: {
    body: {
      specversion: '1.0',
      id: '4711',
      source: 'https://pms.example/appointments',
      type: 'com.example.appointment.booked',
      time,
      visibility: 1,
      data: { appointment: '4711' },
    },
    response: { Accepted: 1 },
  },
  redeliver: { response: { DeliveryId: deliveryId } },
  listAuditEntries: { response: { Items: [auditEntry] } },
}
