import type { AccountStatus, PaymentProvider as ProviderName, PaymentUiMode } from '@frontdesk/contracts'
import type {
  AccountOrder,
  AccountRequest,
  CheckoutOrder,
  CheckoutRequest,
  CheckoutSite,
  RefundOrder,
  RefundRequest,
} from './orders.ts'
import type { Priority } from './pacing/budget.ts'
import type { Pace } from './pacing/pace.ts'
import type { OwnSetup, SetupFinding } from './setup.ts'

/** The current state of a refund at the provider. `amount` is in ISO 4217 minor units. */
export interface ProviderRefund {
  /** The provider's own id. */
  id: string
  /** The refund of ours that it says it is; undefined if it was made elsewhere, such as in the provider's dashboard. */
  refundId?: string | undefined
  /** `failed` is final. A refund that succeeded may still fail at the bank, days later. */
  status: 'pending' | 'succeeded' | 'failed'
  amount: number
  currency: string
  reason?: string | undefined
  /** The client's own reference, if the refund was made by us. */
  reference?: string | undefined
  /** Why it failed, in the provider's words. */
  failureReason?: string | undefined
  createdAt: Date
}

/** The newest dispute about a charge. An inquiry counts as one. `amount` is in ISO 4217 minor units. */
export interface ProviderDispute {
  id: string
  status: 'open' | 'won' | 'lost'
  amount: number
  currency: string
  reason?: string | undefined
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
  /** The fee that the platform took. */
  feeAmount: number
  tipAmount: number
  /** All refunds of its charge, oldest first. */
  refunds: readonly ProviderRefund[]
  /** Absent if the charge was never disputed. */
  dispute?: ProviderDispute | undefined
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

/** A checkout in a provider's list, with what was noted in it when it was created. */
export interface ListedCheckout {
  checkout: ProviderCheckout
  createdAt: Date
  uiMode: PaymentUiMode
  /** The payment that the checkout says it is for. Whoever holds the account can write that. */
  recordId: string
  /** The payment's own facts; undefined if they are not all there. */
  origin: CheckoutOrigin | undefined
}

/** A checkout in a provider's list that a person must look at. */
export interface UnreadableCheckout {
  id: string
  recordId: string
  /** The part that we do not understand. */
  reason: string
}

/** The facts of a payment that only its checkout still knows if the payment is lost. Amounts are ISO 4217 minor units. */
export interface CheckoutOrigin {
  site: CheckoutSite
  feeAmount: number
  reference: string | undefined
  customerId: string | undefined
  statementDescriptor: string | undefined
}

/** A page of checkouts, newest first. */
export interface CheckoutPage {
  checkouts: ListedCheckout[]
  /** Those that name a payment, but whose state we do not understand. */
  unreadable: UnreadableCheckout[]
  /** Begins the next page; undefined on the last one. */
  after: string | undefined
}

export interface CheckoutKey {
  /** The provider's id of the checkout. */
  id: string
  providerAccountId: string
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

/** A webhook as it arrived. */
export interface WebhookRequest {
  /** The raw bytes: signatures are over them. */
  body: Buffer
  /** All headers, with names in lower case. Each provider knows its own. */
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The content of a provider's webhook. */
export interface WebhookReception {
  events: ProviderEvent[]
  /** The body of our acknowledgement, if the provider wants a certain one. */
  reply?: WebhookReply | undefined
}

export interface WebhookReply {
  contentType: string
  body: string
}

/** An event of a provider: a hint that an object changed. Ask the provider for the new state. */
export interface ProviderEvent {
  /** Unique at the provider, and the same for every delivery of the event; undefined if the provider gives none. */
  id?: string | undefined
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
  /** The provider's signed statement that a checkout is paid. It is proof enough if the provider tells nothing more. */
  paid?: PaidCheckout | undefined
  /** The stored part: the members that anybody needs, in the provider's form. No secret, no name of a person. */
  kept: string
}

/** Amounts are ISO 4217 minor units, `currency` is an upper-case ISO code. */
export interface PaidCheckout {
  /** The provider's id of the checkout. */
  id: string
  amountTotal: number
  currency: string
}

/** The abilities of a provider. An order that needs more is refused before the provider is called. */
export interface Capabilities {
  /**
   * For how long after its first attempt a request may be sent again under its key, in milliseconds. Later the provider may
   * act a second time. A margin for clocks and for the last attempt is taken off already.
   */
  idempotencyWindowMs: number
  /** Whether `listCheckouts` finds checkouts by what we noted in them: what reconciliation needs. */
  findsCheckouts: boolean
  /** Whether `listRefunds` finds a refund of ours by its `refundId`: only then may an unknown one be sent again or fail. */
  findsRefunds: boolean
  /** Whether `expireCheckout` can end an open checkout. If not, it ends by itself. */
  expiresCheckouts: boolean
  /** For how long after its creation a checkout can be paid at most, in milliseconds. */
  checkoutLifeMs: number
  uiModes: readonly PaymentUiMode[]
  refunds: boolean
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
  readonly capabilities: Capabilities

  /** Builds the request of a checkout without IO. Throws ProviderRefused if the provider is known to refuse the order. */
  checkoutRequest(order: CheckoutOrder): CheckoutRequest
  /** Sends a stored request. Repeating it returns the same checkout. */
  createCheckout(request: CheckoutRequest): Promise<ProviderCheckout>
  /**
   * Reads a checkout. Of a payment that `hasRefunds` they are read even if the charge shows none: they may all have failed.
   * Throws ProviderRefused `not_found` if there is none.
   */
  retrieveCheckout(key: CheckoutKey, facts?: { hasRefunds: boolean }): Promise<ProviderCheckout>
  /** Lists the checkouts of an account that name a payment and were created since a time. Throws ProviderRefused if the account is gone. */
  listCheckouts(
    providerAccountId: string,
    from: { createdFrom: Date; after?: string | undefined },
  ): Promise<CheckoutPage>
  /**
   * Ends an open checkout. Returns it as `expired` (also if it had expired before), or as `complete` if the customer
   * finished first; the payment then goes on.
   */
  expireCheckout(key: CheckoutKey): Promise<ProviderCheckout>

  /** Builds the request of a refund without IO. Throws ProviderRefused if the provider cannot refund that amount. */
  refundRequest(order: RefundOrder): RefundRequest
  /** Sends a stored request. Repeating it returns the same refund. */
  createRefund(request: RefundRequest): Promise<ProviderRefund>
  /** Reads all refunds of a payment, oldest first. */
  listRefunds(payment: { providerAccountId: string; paymentIntentId: string }): Promise<ProviderRefund[]>

  /** Builds the request of an account without IO. */
  accountRequest(order: AccountOrder): AccountRequest
  /** Sends a stored request. Repeating it returns the same account. */
  createAccount(request: AccountRequest): Promise<ProviderAccount>
  /** Reads an account. Throws ProviderRefused `account_invalid` if it is deleted or has revoked our access. */
  retrieveAccount(externalAccountId: string): Promise<ProviderAccount>
  /** Deletes an account; succeeds if it is gone already. Throws ProviderRefused `account_not_deletable`. */
  deleteAccount(externalAccountId: string): Promise<void>
  createAccountSession(externalAccountId: string): Promise<OnboardingSession>
  /** The provider sends a person to `refreshUrl` if the link has expired, to `returnUrl` after finishing or leaving. */
  createAccountLink(externalAccountId: string, urls: { refreshUrl: string; returnUrl: string }): Promise<OnboardingLink>

  /**
   * Checks a webhook, by a signature over its raw bytes or however the provider does, and returns its events. Throws the
   * problem `provider_signature_invalid` or `malformed_json`.
   */
  receiveWebhook(request: WebhookRequest, now: Date): WebhookReception

  /**
   * Compares the provider's settings (keys, webhooks, permissions) with what we need, as far as they can be read. Changes
   * nothing at the provider. What cannot be asked is a finding too, never an error.
   */
  checkSetup(own: OwnSetup): Promise<SetupFinding[]>
}

export interface Providers {
  /**
   * Returns the provider, or undefined if it is not configured. Its calls wait for their turn within the rate limit by their
   * priority: `orders` (the default) first, then `reads` for clients, then `checks`.
   */
  get(name: ProviderName, priority?: Priority): Provider | undefined
  /** How fast this process may call each of them. */
  readonly paces: ReadonlyMap<ProviderName, Pace>
  /** The names of the configured providers. */
  readonly enabled: readonly ProviderName[]
  /** Closes the connections once the running calls have ended. */
  [Symbol.asyncDispose](): Promise<void>
}
