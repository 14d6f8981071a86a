import { Type, type Static } from 'typebox'
import { AccountStatus, PaymentProvider, PracticeManagementSoftware, SiteStatus } from './enumerations.ts'
import { DateTime, Slug, Uuid } from './values.ts'

// Members that several events share.

export const outcome = { reference: Type.Optional(Type.String()), recordId: Uuid, paymentProvider: PaymentProvider }
export const version = { version: Type.Integer({ minimum: 1 }) }

export const SiteState = Type.Object({
  ...version,
  siteSlug: Slug,
  name: Type.String(),
  practiceManagementSoftware: PracticeManagementSoftware,
  pmsSpecificSiteId: Type.String(),
  owningOrganisationSlug: Slug,
  billingOrganisationSlug: Slug,
  siteStatus: SiteStatus,
  currency: Type.Optional(Type.String()),
  deletedAt: Type.Optional(DateTime),
  /** The id of the site key that this change replaced: what the key began ends. */
  replacedSiteKeyId: Type.Optional(Uuid),
})

export const AccountState = Type.Object({
  ...version,
  accountId: Uuid,
  siteSlug: Slug,
  paymentProvider: PaymentProvider,
  status: AccountStatus,
  externalAccountId: Type.Optional(Type.String()),
  statementDescriptorPrefix: Type.Optional(Type.String()),
  createdAt: DateTime,
  deletedAt: Type.Optional(DateTime),
})
export type AccountState = Static<typeof AccountState>

export const AccountStatusChange = Type.Object({
  accountId: Uuid,
  paymentProvider: PaymentProvider,
  status: AccountStatus,
  previousStatus: AccountStatus,
  externalAccountId: Type.String(),
})
export type AccountStatusChange = Static<typeof AccountStatusChange>

export const SubscriptionState = Type.Object({
  ...version,
  subscriptionId: Uuid,
  siteSlug: Slug,
  client: Type.String(),
  state: Type.Enum(['active', 'paused']),
  reason: Type.Optional(Type.String()),
})

export const refund = {
  ...outcome,
  refundId: Uuid,
  currency: Type.String(),
  amount: Type.Integer(),
  /** The sum of the payment's refunds that have succeeded, this one included. */
  refundedAmount: Type.Integer(),
  refundReference: Type.Optional(Type.String()),
}

export const dispute = {
  ...outcome,
  disputeId: Type.String(),
  currency: Type.String(),
  amount: Type.Integer(),
  disputeReason: Type.Optional(Type.String()),
}
