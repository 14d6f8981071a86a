import type { PaymentLineItem, PaymentUiMode } from '@frontdesk/contracts'

// An order tells a provider's adapter what is needed; a request is the exact JSON that is stored and sent.

/** The site of a payment. It is noted in the checkout, so that a lost payment can be made again from it. */
export interface CheckoutSite {
  slug: string
  owningOrganisation: string
  billingOrganisation: string
  practiceManagementSystem: string
  pmsSpecificId: string
}

/** The checkout that a payment needs. Amounts are ISO 4217 minor units, `currency` is an upper-case ISO code. */
export interface CheckoutOrder {
  recordId: string
  site: CheckoutSite
  /** The provider's id of the account that receives the money. */
  providerAccountId: string
  currency: string
  lineItems: readonly PaymentLineItem[]
  /** At most the total: the caller caps it. */
  feeAmount: number
  uiMode: PaymentUiMode
  reference?: string | undefined
  customerId?: string | undefined
  statementDescriptor?: string | undefined
  /** The account's prefix on card statements, if known. */
  statementDescriptorPrefix?: string | undefined
  successUrl?: string | undefined
  cancelUrl?: string | undefined
  /** Our own page, shown after the payment if there is no `successUrl`. */
  landingUrl: string
}

/**
 * The exact request of a checkout, as JSON. It is stored before it is sent and every retry sends it unchanged, so that an
 * idempotency key never stands for two requests. Only the adapter reads `params`.
 */
export interface CheckoutRequest {
  providerAccountId: string
  idempotencyKey: string
  params: Readonly<Record<string, unknown>>
  /** The text on the customer's card statement, if it can be told. It is not sent. */
  cardStatementText?: string | undefined
}

/** The refund that a payment's money needs. `amount` is in ISO 4217 minor units, `currency` an upper-case ISO code. */
export interface RefundOrder {
  refundId: string
  recordId: string
  providerAccountId: string
  paymentIntentId: string
  amount: number
  currency: string
  reason?: string | undefined
  reference?: string | undefined
  /** Whether the platform gives back its fee, in the proportion of the refund. Otherwise the practice bears it. */
  returnsFee: boolean
}

/** The exact request of a refund, as JSON: stored before it is sent, like a CheckoutRequest. */
export type RefundRequest = Omit<CheckoutRequest, 'cardStatementText'>

/** The facts about a site that the provider needs to open an account. */
export interface AccountOrder {
  /** Our own id of the account. The idempotency key derives from it. */
  accountId: string
  siteSlug: string
  siteName: string
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined
  emailAddress?: string | undefined
  phoneNumber?: string | undefined
  /** ISO 4217. */
  currency?: string | undefined
}

/** The exact request of an account, as JSON: stored before it is sent, like a CheckoutRequest. */
export type AccountRequest = Omit<RefundRequest, 'providerAccountId'>
