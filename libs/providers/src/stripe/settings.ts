import { Type, type Static } from 'typebox'
import type { ProviderConfig } from '../providers.ts'
import { createStripeProvider, type StripeSettings } from './adapter.ts'
import { isLiveKey } from './keys.ts'

// Webhook secrets are comma-separated lists: during a rotation there are two.

export const stripeSettings = {
  STRIPE_SECRET_KEY: Type.Optional(Type.String()),
  STRIPE_PUBLISHABLE_KEY: Type.String({ default: '' }),
  STRIPE_WEBHOOK_SECRETS: Type.String({ default: '' }),
  /** Calls a second that the platform may make. Default: what Stripe allows, 100 with a live key and 25 with a test key. */
  STRIPE_CALLS_PER_SECOND: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
}

export const sandboxSettings = {
  SANDBOX_PROVIDER_URL: Type.Optional(Type.String()),
  SANDBOX_SECRET_KEY: Type.String({ default: 'sk_test_sandbox' }),
  SANDBOX_PUBLISHABLE_KEY: Type.String({ default: 'pk_test_sandbox' }),
  SANDBOX_WEBHOOK_SECRETS: Type.String({ default: '' }),
  /** Default: no limit. */
  SANDBOX_CALLS_PER_SECOND: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
}

const OfStripe = Type.Object(stripeSettings)
const OfSandbox = Type.Object(sandboxSettings)

/**
 * Returns Stripe if its secret key is set. Throws if it has no publishable key or no webhook secret: without a secret each of
 * its webhooks would be refused.
 */
export function configuredStripe(settings: Readonly<Static<typeof OfStripe>>): ProviderConfig | undefined {
  const secretKey = settings.STRIPE_SECRET_KEY
  if (secretKey === undefined) return undefined
  const publishableKey = settings.STRIPE_PUBLISHABLE_KEY
  const webhookSecrets = listed(settings.STRIPE_WEBHOOK_SECRETS)
  if (publishableKey === '' || webhookSecrets.length === 0) {
    throw new Error('STRIPE_SECRET_KEY also needs STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRETS')
  }
  const callsPerSecond = settings.STRIPE_CALLS_PER_SECOND ?? (isLiveKey(secretKey) ? 100 : 25)
  return stripeConfig({ name: 'Stripe', secretKey, publishableKey, webhookSecrets }, { callsPerSecond })
}

/** Returns the sandbox if its address is set: it speaks Stripe's wire. */
export function configuredSandbox(settings: Readonly<Static<typeof OfSandbox>>): ProviderConfig | undefined {
  if (settings.SANDBOX_PROVIDER_URL === undefined) return undefined
  const sandbox: StripeSettings = {
    name: 'Sandbox',
    secretKey: settings.SANDBOX_SECRET_KEY,
    publishableKey: settings.SANDBOX_PUBLISHABLE_KEY,
    webhookSecrets: listed(settings.SANDBOX_WEBHOOK_SECRETS),
    baseUrl: settings.SANDBOX_PROVIDER_URL,
  }
  return stripeConfig(sandbox, { callsPerSecond: settings.SANDBOX_CALLS_PER_SECOND })
}

/** Returns the configuration of a provider that speaks Stripe's wire. */
export function stripeConfig(
  settings: StripeSettings,
  limits: Pick<ProviderConfig, 'timeoutMs' | 'breaker' | 'callsPerSecond'> = {},
): ProviderConfig {
  return { name: settings.name, connect: (connection) => createStripeProvider(settings, connection), ...limits }
}

const listed = (secrets: string) =>
  secrets
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
