import type { ErrorCategory, OperationId } from '@frontdesk/contracts'

// The interface document, copied by hand, so that checks do not depend on our own schemas. A name that ends with `?` may
// be absent. `ours` are the members that Frontdesk adds.

export type Kind =
  | 'string'
  | 'integer'
  | 'number'
  | 'slug'
  | 'uuid'
  | 'date-time'
  | 'uri'
  | readonly [Kind]
  | { resource: ResourceName }

interface Resource {
  fields: Readonly<Record<string, Kind>>
  ours?: Readonly<Record<string, Kind>>
}

export const resources = {
  StreetAddress: {
    fields: {
      'AddressLine1?': 'string',
      'AddressLine2?': 'string',
      'Locality?': 'string',
      'Region?': 'string',
      'PostalCode?': 'string',
      'Country?': 'string',
    },
  },
  Identity: {
    fields: {
      Name: 'string',
      PracticeManagementSoftware: 'string',
      PmsSpecificSiteId: 'string',
      SiteSlug: 'slug',
      OwningOrganisationSlug: 'slug',
      BillingOrganisationSlug: 'slug',
    },
  },
  PracticeSiteApiKeys: { fields: { PrimaryKey: 'string', SecondaryKey: 'string' } },
  DeletedOrganisation: {
    fields: {
      Name: 'string',
      PracticeManagementSoftware: 'string',
      PmsSpecificOrganisationId: 'string',
      OrganisationSlug: 'slug',
    },
  },
  SiteWithKeys: {
    fields: { Identity: { resource: 'Identity' }, PracticeSiteApiKeys: { resource: 'PracticeSiteApiKeys' } },
  },
  DeletedSite: {
    fields: { Identity: { resource: 'Identity' }, 'DeletedOrganisation?': { resource: 'DeletedOrganisation' } },
  },
  Coordinates: { fields: { Latitude: 'number', Longitude: 'number' } },
  SiteListItem: {
    fields: {
      PracticeManagementSoftware: 'string',
      PmsSpecificSiteId: 'string',
      SiteSlug: 'slug',
      OwningOrganisationSlug: 'slug',
      BillingOrganisationSlug: 'slug',
      Name: 'string',
      'Address?': { resource: 'StreetAddress' },
      'PostalAddress?': { resource: 'StreetAddress' },
      'Coordinates?': { resource: 'Coordinates' },
      'PhoneNumber?': 'string',
      'EmailAddress?': 'string',
      'ApplicationVersion?': 'string',
      'Currency?': 'string',
      'MapPlaceId?': 'string',
      SiteStatus: 'string',
    },
    ours: { 'WebhookUrl?': 'uri' },
  },
  SiteList: { fields: { Items: [{ resource: 'SiteListItem' }], 'NextPageToken?': 'string' } },
  PaymentRecord: {
    fields: {
      PaymentProvider: 'string',
      RecordId: 'uuid',
      'PaymentId?': 'string',
      'Reference?': 'string',
      Amount: 'integer',
      Currency: 'string',
      'CustomerId?': 'string',
      'StatementDescriptor?': 'string',
      FeeAmount: 'integer',
      TipAmount: 'integer',
      History: [{ resource: 'HistoryEntry' }],
    },
    ours: {
      Status: 'string',
      'CardStatementText?': 'string',
      'PaidAmount?': 'integer',
      'PaidCurrency?': 'string',
      RefundedAmount: 'integer',
      Refunds: [{ resource: 'Refund' }],
      'CheckoutUrl?': 'uri',
      'ClientSecret?': 'string',
      'PublishableKey?': 'string',
      'ProviderAccountId?': 'string',
      'ExpiresAt?': 'date-time',
    },
  },
  Refund: {
    fields: {},
    ours: {
      RefundId: 'uuid',
      RecordId: 'uuid',
      PaymentProvider: 'string',
      'ProviderRefundId?': 'string',
      Amount: 'integer',
      Currency: 'string',
      Status: 'string',
      'Reason?': 'string',
      'Reference?': 'string',
      'FailureReason?': 'string',
      CreatedAt: 'date-time',
    },
  },
  HistoryEntry: { fields: { Timestamp: 'date-time', Description: 'string', Status: 'string' } },
  PaymentProviderAccount: {
    fields: {
      accountId: 'uuid',
      paymentProvider: 'string',
      status: 'string',
      createdAt: 'date-time',
      'externalAccountId?': 'string',
    },
  },
  OnboardingSession: { fields: { session: 'string', expiresAt: 'date-time' } },
  OnboardingLink: { fields: { expiresAt: 'date-time' }, ours: { url: 'uri' } },
  AccountOnboarding: {
    fields: {
      account: { resource: 'PaymentProviderAccount' },
      onboardingSession: { resource: 'OnboardingSession' },
      onboardingLink: { resource: 'OnboardingLink' },
    },
  },
  WebhookHeader: { fields: { Name: 'string', Value: 'string' } },
  CreatedSubscription: {
    fields: { Headers: [{ resource: 'WebhookHeader' }], EventTypes: ['string'] },
    ours: { Url: 'uri', 'SigningSecret?': 'string', 'PublicKey?': 'string' },
  },
  Subscription: {
    fields: { Headers: ['string'], EventTypes: ['string'], Labels: ['string'] },
    ours: { Url: 'uri', 'PublicKey?': 'string' },
  },
  PaymentSucceeded: {
    fields: {
      currency: 'string',
      amount: 'integer',
      'reference?': 'string',
      recordId: 'uuid',
      paymentProvider: 'string',
    },
  },
  PaymentFailed: {
    fields: { failureReason: 'string', 'reference?': 'string', recordId: 'uuid', paymentProvider: 'string' },
  },
  PaymentCancelled: {
    fields: { cancellationReason: 'string', 'reference?': 'string', recordId: 'uuid', paymentProvider: 'string' },
  },
} as const satisfies Record<string, Resource>

export type ResourceName =
  | 'StreetAddress'
  | 'Identity'
  | 'PracticeSiteApiKeys'
  | 'DeletedOrganisation'
  | 'SiteWithKeys'
  | 'DeletedSite'
  | 'Coordinates'
  | 'SiteListItem'
  | 'SiteList'
  | 'PaymentRecord'
  | 'Refund'
  | 'HistoryEntry'
  | 'PaymentProviderAccount'
  | 'OnboardingSession'
  | 'OnboardingLink'
  | 'AccountOnboarding'
  | 'WebhookHeader'
  | 'CreatedSubscription'
  | 'Subscription'
  | 'PaymentSucceeded'
  | 'PaymentFailed'
  | 'PaymentCancelled'

/** The attributes of the event envelope that payment events set (interface "Envelope fields"). */
export const paymentEventAttributes: Readonly<Record<string, Kind>> = {
  type: 'string',
  specversion: 'string',
  id: 'string',
  source: 'uri',
  subject: 'string',
  time: 'date-time',
  datacontenttype: 'string',
  dataschema: 'uri',
  siteslug: 'slug',
  organisationslug: 'slug',
  billingorganisationslug: 'slug',
  product: 'string',
  pmsspecificid: 'string',
  visibility: 'integer',
  traceparent: 'string',
}

const always: readonly ErrorCategory[] = [
  'Malformed Request',
  'Unauthorized',
  'Forbidden',
  'Too many requests',
  'User Error',
  'Server Error',
]
const onSite: readonly ErrorCategory[] = [...always, 'Not Found', 'Unprocessable']

interface Endpoint {
  /** Its number in the interface. */
  number: number
  errors: readonly ErrorCategory[]
  reply: Kind
}

/** The 13 endpoints of the interface with their error categories. */
export const endpoints = {
  createSite: { number: 1, errors: [...always, 'Unprocessable'], reply: { resource: 'SiteWithKeys' } },
  deleteSite: { number: 2, errors: [...always, 'Not Found'], reply: { resource: 'DeletedSite' } },
  getSiteIdentity: { number: 3, errors: [...always, 'Not Found'], reply: { resource: 'SiteWithKeys' } },
  listSites: { number: 4, errors: always, reply: { resource: 'SiteList' } },
  createPayment: { number: 5, errors: onSite, reply: { resource: 'PaymentRecord' } },
  createAccount: { number: 6, errors: onSite, reply: { resource: 'AccountOnboarding' } },
  listAccounts: { number: 7, errors: onSite, reply: [{ resource: 'PaymentProviderAccount' }] },
  getAccount: { number: 8, errors: onSite, reply: { resource: 'PaymentProviderAccount' } },
  deleteAccount: { number: 9, errors: onSite, reply: { resource: 'PaymentProviderAccount' } },
  getPayment: { number: 10, errors: onSite, reply: { resource: 'PaymentRecord' } },
  subscribe: { number: 11, errors: onSite, reply: { resource: 'CreatedSubscription' } },
  unsubscribe: { number: 12, errors: onSite, reply: { resource: 'CreatedSubscription' } },
  getSubscription: { number: 13, errors: onSite, reply: { resource: 'Subscription' } },
} as const satisfies Partial<Record<OperationId, Endpoint>>

export type EndpointId = keyof typeof endpoints
