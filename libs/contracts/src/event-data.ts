import { Type, type Static } from 'typebox'
import {
  AccountStatus,
  PaymentProvider,
  PaymentStatus,
  PracticeManagementSoftware,
  SiteStatus,
} from './enumerations.ts'
import { amount, count, currencyCode, described, enumeration, told } from './members.ts'
import { DateTime, Slug, Uuid } from './values.ts'

// Members that several events share.

const outcome = {
  reference: Type.Optional(told('Your reference of the payment.')),
  recordId: described(Uuid, 'Our id of the payment.'),
  paymentProvider: described(PaymentProvider, 'The payment provider of the payment.'),
}
const version = {
  version: Type.Integer({ minimum: 1, format: 'int32', description: 'It grows with each event of the same thing.' }),
}
const siteSlug = described(Slug, 'The slug of the site.')
const paid = {
  currency: currencyCode('The currency that the provider took.'),
  amount: amount('The money that the provider took, in minor units.'),
}
const failureReason = told("Why it failed: `declined`, or the provider's code.")

export const PaymentSucceeded = Type.Object(
  { ...paid, ...outcome },
  { description: 'The data of `payment.succeeded`.' },
)
export const PaymentFailed = Type.Object(
  { failureReason, ...outcome },
  { description: 'The data of `payment.failed`.' },
)
export const PaymentCancelled = Type.Object(
  {
    cancellationReason: told('Why it was cancelled: by request, because its checkout expired, or with its site.'),
    ...outcome,
  },
  { description: 'The data of `payment.cancelled`.' },
)

const refund = {
  ...outcome,
  refundId: described(Uuid, 'Our id of the refund.'),
  currency: currencyCode('The currency of the refund.'),
  amount: amount('The money of the refund, in minor units.'),
  refundedAmount: amount("The sum of the payment's refunds that have succeeded, this one included."),
  refundReference: Type.Optional(told('Your reference of the refund.')),
}
export const RefundSucceeded = Type.Object(refund, { description: 'The data of `refund.succeeded`.' })
export const RefundFailed = Type.Object({ ...refund, failureReason }, { description: 'The data of `refund.failed`.' })

const dispute = {
  ...outcome,
  disputeId: told("The provider's id of the dispute."),
  currency: currencyCode('The currency of the dispute.'),
  amount: amount('The disputed money, in minor units.'),
  disputeReason: Type.Optional(told("The customer's reason, by the provider's code.")),
}
export const DisputeOpened = Type.Object(dispute, { description: 'The data of `dispute.opened`.' })
export const DisputeClosed = Type.Object(
  {
    ...dispute,
    disputeOutcome: enumeration('How the dispute ended.', {
      won: 'The practice keeps the money.',
      lost: 'The bank took the money from the practice.',
    }),
  },
  { description: 'The data of `dispute.closed`.' },
)

export const PaymentSettled = Type.Object(
  {
    ...version,
    ...outcome,
    ...paid,
    feeAmount: amount('The fee that the platform took, in minor units.'),
    providerAccountId: told("The provider's id of the account that took the money."),
    paymentId: told("The provider's id of the checkout."),
    chargeId: Type.Optional(told("The provider's id of the charge.")),
  },
  { description: 'The data of `payment.settled`.' },
)

export const PaymentCreated = Type.Object(
  {
    ...version,
    ...outcome,
    status: PaymentStatus,
    amount: amount('The sum of the line items, in minor units.'),
    currency: currencyCode('The currency of the payment.'),
  },
  { description: 'The data of `payment.created`.' },
)

export const SiteState = Type.Object(
  {
    ...version,
    siteSlug,
    name: told('The name of the practice.'),
    practiceManagementSoftware: described(PracticeManagementSoftware, 'The practice management system of the site.'),
    pmsSpecificSiteId: told('The id of the site in its practice management system.'),
    owningOrganisationSlug: described(Slug, 'The organisation that owns the site.'),
    billingOrganisationSlug: described(Slug, 'The organisation that is billed for the site.'),
    siteStatus: SiteStatus,
    currency: Type.Optional(currencyCode('The currency of the practice.')),
    deletedAt: Type.Optional(described(DateTime, 'When the site was deleted.')),
    replacedSiteKeyId: Type.Optional(
      described(Uuid, 'The id of the site key that this change replaced: what the key began ends.'),
    ),
  },
  { description: 'A practice site after a change.' },
)

export const OrganisationDeleted = Type.Object(
  {
    ...version,
    organisationSlug: described(Slug, 'The identifier that the organisation had.'),
    name: told('The name of the organisation.'),
    practiceManagementSoftware: described(
      PracticeManagementSoftware,
      'The practice management system of the organisation.',
    ),
    pmsSpecificOrganisationId: told('The id of the organisation in its practice management system.'),
    deletedAt: described(DateTime, 'When the organisation was deleted.'),
  },
  { description: 'The data of `organisation.deleted`.' },
)

export const AccountState = Type.Object(
  {
    ...version,
    accountId: described(Uuid, 'Our id of the account.'),
    siteSlug,
    paymentProvider: described(PaymentProvider, 'The payment provider of the account.'),
    status: AccountStatus,
    externalAccountId: Type.Optional(told("The provider's id of the account.")),
    statementDescriptorPrefix: Type.Optional(told('What card statements begin with.')),
    createdAt: described(DateTime, 'When the account was created.'),
    deletedAt: Type.Optional(described(DateTime, 'When the account was deleted.')),
  },
  { description: 'A payment provider account after a change.' },
)
export type AccountState = Static<typeof AccountState>

export const AccountStatusChange = Type.Object(
  {
    accountId: described(Uuid, 'Our id of the account.'),
    paymentProvider: described(PaymentProvider, 'The payment provider of the account.'),
    status: described(AccountStatus, 'The status from now on.'),
    previousStatus: described(AccountStatus, 'The status before.'),
    externalAccountId: told("The provider's id of the account."),
  },
  { description: 'The data of `account.status_changed`.' },
)
export type AccountStatusChange = Static<typeof AccountStatusChange>

export const SubscriptionState = Type.Object(
  {
    ...version,
    subscriptionId: described(Uuid, 'The id of the subscription.'),
    siteSlug,
    client: told('The principal that made it: `client:<id>` or `site:<slug>`.'),
    state: enumeration('Whether deliveries go out.', { active: 'They go out.', paused: 'They wait.' }),
    reason: Type.Optional(told('Why it is paused.')),
  },
  { description: 'A subscription after its deliveries were paused or resumed.' },
)

export const DeliveryExhausted = Type.Object(
  {
    ...version,
    deliveryId: described(Uuid, 'The id of the delivery.'),
    eventId: described(Uuid, 'The id of the event.'),
    eventType: told('The type of the event.'),
    subscriptionId: described(Uuid, 'The id of the subscription.'),
    siteSlug,
    attempts: count('How often it was attempted.'),
  },
  { description: 'The data of `delivery.exhausted`.' },
)

export const ProviderEventReceived = Type.Object(
  {
    provider: described(PaymentProvider, 'The payment provider that sent it.'),
    providerEventId: told("The provider's id of its event."),
    providerEventType: told("The provider's type of its event."),
    objectId: told("The provider's id of the thing that it is about."),
    externalAccountId: Type.Optional(told("The provider's id of the account that it is about.")),
  },
  { description: 'The data of `provider.event.received`.' },
)
