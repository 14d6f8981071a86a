import { Type, type Static } from 'typebox'
import { enumeration } from './members.ts'

// Clients must accept values that are added later: the documents say so wherever we tell one. In requests, only the listed
// values are valid.

export const PaymentProvider = enumeration('A payment provider.', {
  Stripe: 'Stripe, with Connect accounts.',
  Sandbox: 'A simulation of Stripe without money. Not available in production.',
})
export type PaymentProvider = Static<typeof PaymentProvider>

export const PaymentUiMode = enumeration('Where the customer pays.', {
  Hosted: 'On a page of the provider: send the customer to `CheckoutUrl`. The default.',
  Embedded: "In your own page, with the provider's front end and `ClientSecret`.",
})
export type PaymentUiMode = Static<typeof PaymentUiMode>

export const TaxBehaviour = enumeration(
  'Whether `Price` contains the tax. It is noted at the provider for your books and changes no amount: we never compute or add tax. The sum of the line items is what the customer pays, so include tax in `Price`, or add it as a line item.',
  {
    Inclusive: '`Price` contains the tax. The default.',
    Exclusive: '`Price` does not contain the tax.',
    Unspecified: 'Nothing is said about tax.',
  },
)
export type TaxBehaviour = Static<typeof TaxBehaviour>

export const SiteStatus = enumeration('The status of a site.', {
  Operational: 'It can take payments.',
  Suspended: 'It takes no new payments. Refunds and events go on.',
  Closed: 'The practice is closed: it takes no new payments.',
})
export type SiteStatus = Static<typeof SiteStatus>

export const PaymentStatus = enumeration('The status of a payment.', {
  Created: 'It is stored; the provider has not confirmed it yet.',
  Pending: 'The provider has opened its checkout, and the customer may pay.',
  Declined: 'An attempt was declined. The customer may try again.',
  Processing: 'The customer has paid, and the bank has not confirmed it yet.',
  Completed: 'The money is confirmed.',
  Failed: 'It is over, and nothing was taken.',
  Cancelled: 'It was cancelled, or its checkout expired.',
  PartiallyRefunded: 'A part of the money was refunded.',
  Refunded: 'All of the money was refunded.',
  Disputed: 'The customer disputes it at the bank, which holds the money back until it decides.',
  ChargedBack: 'The dispute was lost: the bank took the money from the practice.',
})
export type PaymentStatus = Static<typeof PaymentStatus>

export const RefundStatus = enumeration('The status of a refund.', {
  Created: 'It is stored; the provider has not answered yet.',
  Pending: 'The bank works on it.',
  Succeeded: 'The money is on its way to the customer.',
  Failed: 'The money is with the practice. A refund that has succeeded may still fail days later.',
})
export type RefundStatus = Static<typeof RefundStatus>

export const AccountStatus = enumeration('The status of a payment provider account.', {
  None: 'Onboarding is not finished: open the onboarding link.',
  Pending: 'The provider checks what it was told.',
  ActionRequired: 'The provider needs something more of the practice: open the onboarding link.',
  Active: 'It can take payments.',
  Restricted: 'It can take payments, but the provider wants something more before it pays out.',
  Disabled: 'It can take no payments: the provider has paused it, or it has revoked our access.',
  Rejected: 'The provider has rejected the practice.',
})
export type AccountStatus = Static<typeof AccountStatus>

/** A code of the practice management system catalogue. A pattern and not a list, because operators extend the catalogue. */
export const PracticeManagementSoftware = Type.String({
  pattern: '^[A-Z][A-Za-z0-9]{1,63}$',
  description: 'The code of a practice management system, such as `Dentally`.',
})
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
