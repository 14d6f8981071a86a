import type { PaymentProvider as ProviderName } from '@frontdesk/contracts'
import Stripe from 'stripe'
import { ProviderRefused } from '../errors.ts'
import type { CheckoutKey, Provider, ProviderCheckout } from '../port.ts'
import { accountParams, sessionComponents, toProviderAccount } from './accounts.ts'
import type { Call } from './calls.ts'
import { checkoutRequest } from './checkout-request.ts'
import { disputedCharge, disputeOutcome, toProviderCheckout } from './checkout.ts'
import { parseWebhook, verifyWebhook } from './webhooks.ts'

export interface StripeSettings {
  name: ProviderName
  secretKey: string
  publishableKey: string
  webhookSecrets: readonly string[]
  /** Scheme, host and port of the API. Default: Stripe's own. */
  baseUrl?: string | undefined
}

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

/** Implements the port on Stripe's API. `call` runs each request within its deadline. */
export function createStripeProvider(settings: StripeSettings, httpClient: HttpClient, call: Call): Provider {
  const { name, secretKey, publishableKey, webhookSecrets } = settings
  // The SDK pins the API version; `call` owns attempts and time-outs.
  const stripe = new Stripe(secretKey, {
    ...address(settings.baseUrl),
    httpClient,
    telemetry: false,
    maxNetworkRetries: 0,
  })

  return {
    name,
    publishableKey,
    livemode: /^[sr]k_live_/.test(secretKey),
    ...checkouts(stripe, call),
    ...accounts(stripe, call),
    verifyWebhook: (rawBody, signature, now) => verifyWebhook(rawBody, signature, webhookSecrets, now),
    parseWebhook,
  }
}

function checkouts(
  stripe: Stripe,
  call: Call,
): Pick<Provider, 'checkoutRequest' | 'createCheckout' | 'retrieveCheckout' | 'expireCheckout'> {
  return {
    checkoutRequest,

    createCheckout: ({ providerAccountId, idempotencyKey, params }) =>
      call('createCheckout', { account: providerAccountId, idempotencyKey }, async (options) =>
        toProviderCheckout(
          await stripe.checkout.sessions.create(params as Stripe.Checkout.SessionCreateParams, options),
        ),
      ),

    retrieveCheckout: (key) => retrieveCheckout(stripe, call, key),

    async expireCheckout(key) {
      try {
        return await call('expireCheckout', { account: key.providerAccountId }, async (options) =>
          toProviderCheckout(await stripe.checkout.sessions.expire(key.id, {}, options)),
        )
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error
        // Mostly refused because the checkout is no longer open: read what became of it.
        const checkout = await retrieveCheckout(stripe, call, key)
        if (checkout.status === 'open') throw error
        return checkout
      }
    },
  }
}

function accounts(
  stripe: Stripe,
  call: Call,
): Pick<
  Provider,
  'createAccount' | 'retrieveAccount' | 'deleteAccount' | 'createAccountSession' | 'createAccountLink'
> {
  return {
    createAccount: (order) =>
      call('createAccount', { idempotencyKey: `acct_${order.accountId}` }, async (options) =>
        toProviderAccount(await stripe.accounts.create(accountParams(order), options)),
      ),

    retrieveAccount: (externalAccountId) =>
      call('retrieveAccount', { harmless: true }, async (options) =>
        toProviderAccount(await stripe.accounts.retrieve(externalAccountId, {}, options)),
      ).catch((error: unknown) => {
        if (isGone(error)) throw new ProviderRefused('account_invalid', error.message, error.details, error)
        throw error
      }),

    async deleteAccount(externalAccountId) {
      try {
        await call('deleteAccount', {}, (options) => stripe.accounts.del(externalAccountId, {}, options))
      } catch (error) {
        if (isGone(error)) return
        if (error instanceof ProviderRefused)
          throw new ProviderRefused('account_not_deletable', error.message, error.details, error)
        throw error
      }
    },

    createAccountSession: (account) =>
      call('createAccountSession', { harmless: true }, async (options) => {
        const session = await stripe.accountSessions.create({ account, components: sessionComponents }, options)
        return { session: session.client_secret, expiresAt: new Date(session.expires_at * 1000) }
      }),

    createAccountLink: (account, { refreshUrl, returnUrl }) =>
      call('createAccountLink', { harmless: true }, async (options) => {
        const link = await stripe.accountLinks.create(
          {
            account,
            type: 'account_onboarding',
            refresh_url: refreshUrl,
            return_url: returnUrl,
            collection_options: { fields: 'eventually_due' },
          },
          options,
        )
        return { url: link.url, expiresAt: new Date(link.expires_at * 1000) }
      }),
  }
}

async function retrieveCheckout(
  stripe: Stripe,
  call: Call,
  { id, providerAccountId }: CheckoutKey,
): Promise<ProviderCheckout> {
  const reads = { account: providerAccountId, harmless: true }
  const session = await call('retrieveCheckout', reads, (options) =>
    stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }, options),
  )
  const charge = disputedCharge(session)
  if (charge === undefined) return toProviderCheckout(session)
  // The list is newest first. The charge itself only says that there was a dispute.
  const disputes = await call('listDisputes', reads, (options) => stripe.disputes.list({ charge, limit: 1 }, options))
  return toProviderCheckout(session, disputeOutcome(disputes.data[0]))
}

/** Whether the account was deleted or has revoked our access; Stripe answers both alike. */
function isGone(error: unknown): error is ProviderRefused {
  return error instanceof ProviderRefused && (error.reason === 'not_found' || error.reason === 'account_invalid')
}

function address(baseUrl: string | undefined): { host?: string; port?: string; protocol?: 'http' | 'https' } {
  if (baseUrl === undefined) return {}
  const { hostname, port, protocol } = new URL(baseUrl)
  const plain = protocol === 'http:'
  return { host: hostname, port: port || (plain ? '80' : '443'), protocol: plain ? 'http' : 'https' }
}
