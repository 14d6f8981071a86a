import { Type, type Static } from 'typebox'

// Clients must accept values that are added later. In requests, only the listed values are valid.

export const PaymentProvider = Type.Enum(['Stripe', 'Sandbox'])
export type PaymentProvider = Static<typeof PaymentProvider>

export const PaymentUiMode = Type.Enum(['Hosted', 'Embedded'])
export type PaymentUiMode = Static<typeof PaymentUiMode>

export const TaxBehaviour = Type.Enum(['Inclusive', 'Exclusive', 'Unspecified'], {
  description:
    'Whether Price contains the tax. It is noted at the provider for your books and changes no amount: we never compute or add tax. The sum of the line items is what the customer pays, so include tax in Price, or add it as a line item. Defaults to Inclusive.',
})
export type TaxBehaviour = Static<typeof TaxBehaviour>

export const SiteStatus = Type.Enum(['Operational', 'Suspended', 'Closed'])
export type SiteStatus = Static<typeof SiteStatus>

export const PaymentStatus = Type.Enum([
  'Created',
  'Pending',
  'Declined',
  'Processing',
  'Completed',
  'Failed',
  'Cancelled',
  'PartiallyRefunded',
  'Refunded',
  'Disputed',
  'ChargedBack',
])
export type PaymentStatus = Static<typeof PaymentStatus>

export const RefundStatus = Type.Enum(['Created', 'Pending', 'Succeeded', 'Failed'])
export type RefundStatus = Static<typeof RefundStatus>

export const AccountStatus = Type.Enum([
  'None',
  'Pending',
  'ActionRequired',
  'Active',
  'Restricted',
  'Disabled',
  'Rejected',
])
export type AccountStatus = Static<typeof AccountStatus>

/** A code of the practice management system catalogue. A pattern and not a list, because operators extend the catalogue. */
export const PracticeManagementSoftware = Type.String({ pattern: '^[A-Z][A-Za-z0-9]{1,63}$' })
export type PracticeManagementSoftware = Static<typeof PracticeManagementSoftware>

export const scopes = [
  'sites:read',
  'sites:manage',
  'payments:read',
  'payments:write',
  'accounts:read',
  'accounts:write',
  'webhooks:read',
  'webhooks:write',
  'events:publish',
  'audit:read',
] as const
export type Scope = (typeof scopes)[number]

export const services = ['gateway', 'registry', 'accounts', 'payments', 'webhook-delivery'] as const
export type ServiceName = (typeof services)[number]
