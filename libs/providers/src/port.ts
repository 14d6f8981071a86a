import type {
  AccountStatus,
  PaymentLineItem,
  PaymentProvider as ProviderName,
  PaymentUiMode,
} from '@frontdesk/contracts'

/** The checkout that a payment needs. Amounts are ISO 4217 minor units, `currency` is an upper-case ISO code. */
export interface CheckoutOrder {
  recordId: string
  siteSlug: string
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
}

/** The current state of a checkout at the provider. Amounts are ISO 4217 minor units. */
export interface ProviderCheckout {
  /** Never changes. It is our `PaymentId`. */
  id: string
  /** State of the page. `open`: can still be paid. `complete`: the customer is done. `expired`: can never be paid. */
  status: 'open' | 'complete' | 'expired'
  /** State of the money. `failed` and `cancelled` are final, `unpaid` is not. */
  paymentStatus: 'unpaid' | 'processing' | 'paid' | 'failed' | 'cancelled'
  /** Upper-case ISO code. */
  currency: string
  amountTotal: number
  amountRefunded: number
  tipAmount: number
  /** State of the newest dispute. */
  dispute: 'none' | 'open' | 'won' | 'lost'
  /** Why the last attempt to pay was refused, if it was. */
  lastError?: { code?: string | undefined; declineCode?: string | undefined; message?: string | undefined } | undefined
  paymentIntentId?: string | undefined
  chargeId?: string | undefined
  paidAt?: Date | undefined
  /** Present on a hosted checkout while it is open. */
  url?: string | undefined
  /** Present on an embedded checkout while it is open. */
  clientSecret?: string | undefined
  expiresAt: Date
}

export interface CheckoutKey {
  /** The provider's id of the checkout. */
  id: string
  providerAccountId: string
}

/** The facts about a site that the provider needs to open an account. */
export interface AccountOrder {
  /** Our own id of the account; also the idempotency key. */
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

/** The current state of an account at the provider. */
export interface ProviderAccount {
  externalAccountId: string
  status: AccountStatus
  /** The part before the `*` on a customer's card statement. */
  statementDescriptorPrefix?: string | undefined
  /** Why the provider has disabled it, in the provider's words. */
  disabledReason?: string | undefined
}

/** A bearer secret for the provider's embedded onboarding. Never log it, never store it unencrypted. */
export interface OnboardingSession {
  session: string
  expiresAt: Date
}

/** A single-use address of the provider's onboarding pages. It is a bearer secret too. */
export interface OnboardingLink {
  url: string
  expiresAt: Date
}

/** A webhook of a provider: a hint that an object changed. Ask the provider for the new state. */
export interface ProviderEvent {
  /** Unique at the provider, and the same for every delivery of the event. */
  id: string
  type: string
  created: Date
  livemode: boolean
  /** The provider's id of the connected account, if the event is about one. */
  account?: string | undefined
  /** The id of the object that changed. */
  objectId: string
  /** Its kind: `checkout.session`, `payment_intent`, `charge`, `refund`, `dispute`, `account` and others. */
  objectType: string
  /** Set if the object names it. It or `recordId` identifies the payment if the object is not its checkout. */
  paymentIntentId?: string | undefined
  recordId?: string | undefined
}

/**
 * A payment provider. Every call has one deadline for all its attempts. Calls throw ProviderRefused, ProviderUnavailable,
 * ProviderMisconfigured, or ProviderOutcomeUnknown (never from reads, onboarding sessions and links).
 */
export interface Provider {
  readonly name: ProviderName
  /** The key that a browser uses together with a client secret. */
  readonly publishableKey: string
  /** Whether our key moves real money. Events of the other mode are stored and not applied. */
  readonly livemode: boolean

  /** Builds the request of a checkout without IO. Throws ProviderRefused if the provider is known to refuse the order. */
  checkoutRequest(order: CheckoutOrder): CheckoutRequest
  /** Sends a stored request. Repeating it returns the same checkout. */
  createCheckout(request: CheckoutRequest): Promise<ProviderCheckout>
  /** Reads a checkout. Throws ProviderRefused `not_found` if there is none. */
  retrieveCheckout(key: CheckoutKey): Promise<ProviderCheckout>
  /**
   * Ends an open checkout. Returns it as `expired` (also if it had expired before), or as `complete` if the customer
   * finished first; the payment then goes on.
   */
  expireCheckout(key: CheckoutKey): Promise<ProviderCheckout>

  /** Creates an account. Idempotent by `accountId`. */
  createAccount(order: AccountOrder): Promise<ProviderAccount>
  /** Reads an account. Throws ProviderRefused `account_invalid` if it is deleted or has revoked our access. */
  retrieveAccount(externalAccountId: string): Promise<ProviderAccount>
  /** Deletes an account; succeeds if it is gone already. Throws ProviderRefused `account_not_deletable`. */
  deleteAccount(externalAccountId: string): Promise<void>
  createAccountSession(externalAccountId: string): Promise<OnboardingSession>
  /** The provider sends a person to `refreshUrl` if the link has expired, to `returnUrl` after finishing or leaving. */
  createAccountLink(externalAccountId: string, urls: { refreshUrl: string; returnUrl: string }): Promise<OnboardingLink>

  /**
   * Checks the signature over the raw body with each of our secrets, and that its time is within 300 s of `now`.
   * Throws the problem `provider_signature_invalid` or `malformed_json`.
   */
  verifyWebhook(rawBody: Buffer, signature: string | undefined, now: Date): ProviderEvent
  /** Parses a stored payload, whose signature was checked on arrival. Throws the problem `malformed_json`. */
  parseWebhook(payload: string): ProviderEvent
}

export interface Providers {
  /** Returns the provider, or undefined if it is not configured. */
  get(name: ProviderName): Provider | undefined
  /** The names of the configured providers. */
  readonly enabled: readonly ProviderName[]
  /** Closes the connections once the running calls have ended. */
  [Symbol.asyncDispose](): Promise<void>
}
