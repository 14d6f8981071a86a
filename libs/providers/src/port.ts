import type {
  AccountStatus,
  PaymentLineItem,
  PaymentProvider as ProviderName,
  PaymentUiMode,
} from '@frontdesk/contracts'

/** What a payment asks of a provider. Amounts are ISO 4217 minor units, `currency` an upper-case ISO code. */
export interface CheckoutOrder {
  recordId: string
  siteSlug: string
  /** The provider's id of the account that takes the money. */
  providerAccountId: string
  currency: string
  lineItems: readonly PaymentLineItem[]
  /** Already capped at the total. */
  feeAmount: number
  uiMode: PaymentUiMode
  reference?: string | undefined
  customerId?: string | undefined
  statementDescriptor?: string | undefined
  /** The account's prefix on statements, where known. */
  statementDescriptorPrefix?: string | undefined
  successUrl?: string | undefined
  cancelUrl?: string | undefined
  /** Our own page for a customer who is done and has nowhere else to go. */
  landingUrl: string
}

/**
 * The exact request of a checkout: JSON, stored before it is sent and sent unchanged however often, so that one
 * idempotency key never stands for two requests. `params` is the provider's and nobody else's to read.
 */
export interface CheckoutRequest {
  providerAccountId: string
  idempotencyKey: string
  params: Readonly<Record<string, unknown>>
}

/** A checkout as the provider's own record has it now. Amounts are ISO 4217 minor units. */
export interface ProviderCheckout {
  /** Stable for life: our `PaymentId`. */
  id: string
  /** Of the page: `open` can still be paid, `complete` the customer is done, `expired` it can never be paid. */
  status: 'open' | 'complete' | 'expired'
  /** Of the money: `failed` and `cancelled` are final, `unpaid` is not. */
  paymentStatus: 'unpaid' | 'processing' | 'paid' | 'failed' | 'cancelled'
  /** ISO code, upper case. */
  currency: string
  amountTotal: number
  amountRefunded: number
  tipAmount: number
  /** Of the newest dispute. */
  dispute: 'none' | 'open' | 'won' | 'lost'
  /** Why the last attempt was refused, where it was. */
  lastError?: { code?: string | undefined; declineCode?: string | undefined; message?: string | undefined } | undefined
  paymentIntentId?: string | undefined
  chargeId?: string | undefined
  paidAt?: Date | undefined
  /** Hosted, and only while open. */
  url?: string | undefined
  /** Embedded, and only while open. */
  clientSecret?: string | undefined
  expiresAt: Date
}

export interface CheckoutKey {
  /** The provider's id of the checkout. */
  id: string
  providerAccountId: string
}

/** What a provider is told of a site that opens an account. */
export interface AccountOrder {
  /** Ours; also the idempotency key. */
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

/** A provider account as the provider's own record has it now. */
export interface ProviderAccount {
  externalAccountId: string
  status: AccountStatus
  /** What stands before the `*` on a customer's card statement. */
  statementDescriptorPrefix?: string | undefined
  /** Why the provider has disabled it, in the provider's words. */
  disabledReason?: string | undefined
}

/** A bearer secret for the provider's embedded onboarding: never logged, never stored in clear. */
export interface OnboardingSession {
  session: string
  expiresAt: Date
}

/** A single-use address of the provider's onboarding pages: a bearer secret too. */
export interface OnboardingLink {
  url: string
  expiresAt: Date
}

/** What a provider's webhook says: a hint that its object changed, never the new state itself. */
export interface ProviderEvent {
  /** Unique at the provider; repeated when it delivers again. */
  id: string
  type: string
  created: Date
  livemode: boolean
  /** The provider's id of the connected account it happened on. */
  account?: string | undefined
  /** The object it is about, and its kind (`checkout.session`, `payment_intent`, `charge`, `refund`, `dispute`, `account`, …). */
  objectId: string
  objectType: string
  /** Where the object names them: a way to the payment when its checkout is not the object. */
  paymentIntentId?: string | undefined
  recordId?: string | undefined
}

/**
 * A payment provider. Every call has one deadline for all its attempts and throws a `ProviderError`: ProviderRefused,
 * ProviderUnavailable, ProviderOutcomeUnknown (never from reads, sessions and links), ProviderMisconfigured.
 */
export interface Provider {
  readonly name: ProviderName
  /** For the browser, with a client secret. */
  readonly publishableKey: string
  /** Whether our key moves real money; events of the other mode are not ours to apply. */
  readonly livemode: boolean

  /** Builds the request of a payment, without IO. Throws ProviderRefused for what the provider is known to refuse. */
  checkoutRequest(order: CheckoutOrder): CheckoutRequest
  /** Sends a stored request; repeating it returns the same checkout. */
  createCheckout(request: CheckoutRequest): Promise<ProviderCheckout>
  /** Throws ProviderRefused `not_found` where there is none. */
  retrieveCheckout(key: CheckoutKey): Promise<ProviderCheckout>
  /**
   * Ends an open checkout. The answer is `expired` (it can never be paid, also where it was so before) or `complete`:
   * the customer was quicker, follow the payment.
   */
  expireCheckout(key: CheckoutKey): Promise<ProviderCheckout>

  /** Idempotent by `accountId`. */
  createAccount(order: AccountOrder): Promise<ProviderAccount>
  /** Throws ProviderRefused `account_invalid` where it is gone or has cut us off. */
  retrieveAccount(externalAccountId: string): Promise<ProviderAccount>
  /** Succeeds where it is gone already. Throws ProviderRefused `account_not_deletable`. */
  deleteAccount(externalAccountId: string): Promise<void>
  createAccountSession(externalAccountId: string): Promise<OnboardingSession>
  /** `refreshUrl`: where the provider sends a person whose link has run out; `returnUrl`: who is done or leaves. */
  createAccountLink(externalAccountId: string, urls: { refreshUrl: string; returnUrl: string }): Promise<OnboardingLink>

  /**
   * Checks the signature over the raw body with each of our secrets, and that it was made at most 300 s ago and not more
   * than 300 s ahead. Throws the problem `provider_signature_invalid` or `malformed_json`.
   */
  verifyWebhook(rawBody: Buffer, signature: string | undefined, now: Date): ProviderEvent
  /** Reads a payload that was verified when it was stored. Throws the problem `malformed_json`. */
  parseWebhook(payload: string): ProviderEvent
}

export interface Providers {
  /** The provider, or nothing where it is known but not configured (422 `provider_not_available`). */
  get(name: ProviderName): Provider | undefined
  /** Names of those that are configured. */
  readonly enabled: readonly ProviderName[]
  /** Closes the connections, after the calls under way. */
  [Symbol.asyncDispose](): Promise<void>
}
