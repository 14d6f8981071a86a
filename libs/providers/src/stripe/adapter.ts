import type { PaymentProvider as ProviderName } from '@frontdesk/contracts'
import type Stripe from 'stripe'
import { ProviderRefused } from '../errors.ts'
import type { Capabilities, Provider } from '../port.ts'
import type { Connection } from '../providers.ts'
import {
  accountRequest,
  sessionComponents,
  toOnboardingLink,
  toOnboardingSession,
  toProviderAccount,
} from './accounts.ts'
import { checkoutRequest } from './checkout-request.ts'
import { toProviderCheckout } from './checkout.ts'
import { attemptFailure } from './failures.ts'
import { isLiveKey } from './keys.ts'
import { listCheckouts, listRefunds, refundMadeBefore, retrieveCheckout } from './reads.ts'
import { refundRequest, toProviderRefund } from './refunds.ts'
import { openSdk, sdkCall, type SdkCall } from './sdk.ts'
import { checkSetup } from './setup.ts'
import { receiveWebhook } from './webhooks.ts'

export interface StripeSettings {
  name: ProviderName
  secretKey: string
  publishableKey: string
  webhookSecrets: readonly string[]
  /** Scheme, host and port of the API. Default: Stripe's own. */
  baseUrl?: string | undefined
}

/** Implements the port on Stripe's API. */
export function createStripeProvider(settings: StripeSettings, { http, calls }: Connection): Provider {
  const { name, secretKey, publishableKey, webhookSecrets } = settings
  const stripe = openSdk(secretKey, settings.baseUrl, http)
  const call = sdkCall(calls(attemptFailure))

  return {
    name,
    publishableKey,
    livemode: isLiveKey(secretKey),
    capabilities,
    ...checkouts(stripe, call),
    ...refunds(stripe, call),
    ...accounts(stripe, call),
    receiveWebhook: ({ body, headers }, now) => receiveWebhook(body, headers, webhookSecrets, now),
    checkSetup: (own) => checkSetup(stripe, call, settings, own),
  }
}

const hour = 60 * 60 * 1000

/** Stripe's abilities. It forgets an idempotency key after 24 h; an hour is left for the last repetition. */
const capabilities: Capabilities = {
  idempotencyWindowMs: 23 * hour,
  findsCheckouts: true,
  findsRefunds: true,
  expiresCheckouts: true,
  checkoutLifeMs: 24 * hour,
  uiModes: ['Hosted', 'Embedded'],
  refunds: true,
}

function checkouts(
  stripe: Stripe,
  call: SdkCall,
): Pick<Provider, 'checkoutRequest' | 'createCheckout' | 'retrieveCheckout' | 'listCheckouts' | 'expireCheckout'> {
  return {
    checkoutRequest,

    createCheckout: ({ providerAccountId, idempotencyKey, params }) =>
      call('createCheckout', { account: providerAccountId, idempotencyKey }, async (options) =>
        toProviderCheckout(
          await stripe.checkout.sessions.create(params as Stripe.Checkout.SessionCreateParams, options),
        ),
      ),

    retrieveCheckout: (key, facts) => retrieveCheckout(stripe, call, key, facts),

    listCheckouts: (account, from) => listCheckouts(stripe, call, account, from),

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

function refunds(stripe: Stripe, call: SdkCall): Pick<Provider, 'refundRequest' | 'createRefund' | 'listRefunds'> {
  return {
    refundRequest,

    createRefund: ({ providerAccountId, idempotencyKey, params }) =>
      call(
        'createRefund',
        { account: providerAccountId, idempotencyKey },
        async (options) => toProviderRefund(await stripe.refunds.create(params as Stripe.RefundCreateParams, options)),
        (options) => refundMadeBefore(stripe, params as Stripe.RefundCreateParams, options),
      ),

    listRefunds: (payment) => listRefunds(stripe, call, payment),
  }
}

function accounts(
  stripe: Stripe,
  call: SdkCall,
): Pick<
  Provider,
  | 'accountRequest'
  | 'createAccount'
  | 'retrieveAccount'
  | 'deleteAccount'
  | 'createAccountSession'
  | 'createAccountLink'
> {
  return {
    accountRequest,

    createAccount: ({ idempotencyKey, params }) =>
      call('createAccount', { idempotencyKey }, async (options) =>
        toProviderAccount(await stripe.accounts.create(params as Stripe.AccountCreateParams, options)),
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
        return toOnboardingSession(session)
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
        return toOnboardingLink(link)
      }),
  }
}

/** Whether the account was deleted or has revoked our access; Stripe answers both alike. */
function isGone(error: unknown): error is ProviderRefused {
  return error instanceof ProviderRefused && (error.reason === 'not_found' || error.reason === 'account_invalid')
}
