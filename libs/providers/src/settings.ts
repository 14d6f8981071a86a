import { Type, type Static } from 'typebox'
import type { ProviderConfig } from './providers.ts'

/**
 * The environment variables of the providers, for a service to spread into its configuration schema.
 * Webhook secrets are comma-separated lists: during a rotation there are two.
 */
export const providerSettings = {
  STRIPE_SECRET_KEY: Type.Optional(Type.String()),
  STRIPE_PUBLISHABLE_KEY: Type.String({ default: '' }),
  STRIPE_WEBHOOK_SECRETS: Type.String({ default: '' }),
  SANDBOX_PROVIDER_URL: Type.Optional(Type.String()),
  SANDBOX_SECRET_KEY: Type.String({ default: 'sk_test_sandbox' }),
  SANDBOX_PUBLISHABLE_KEY: Type.String({ default: 'pk_test_sandbox' }),
  SANDBOX_WEBHOOK_SECRETS: Type.String({ default: '' }),
}

const Settings = Type.Object(providerSettings)

/**
 * Returns the providers that these settings configure: Stripe if its secret key is set, Sandbox if its address is.
 * Throws if Stripe has no publishable key or no webhook secret: without a secret each of its webhooks would be refused.
 */
export function configuredProviders(settings: Readonly<Static<typeof Settings>>): ProviderConfig[] {
  const configs: ProviderConfig[] = []
  if (settings.STRIPE_SECRET_KEY !== undefined) {
    const publishableKey = settings.STRIPE_PUBLISHABLE_KEY
    const webhookSecrets = listed(settings.STRIPE_WEBHOOK_SECRETS)
    if (publishableKey === '' || webhookSecrets.length === 0) {
      throw new Error('STRIPE_SECRET_KEY also needs STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRETS')
    }
    configs.push({ name: 'Stripe', secretKey: settings.STRIPE_SECRET_KEY, publishableKey, webhookSecrets })
  }
  if (settings.SANDBOX_PROVIDER_URL !== undefined) {
    configs.push({
      name: 'Sandbox',
      secretKey: settings.SANDBOX_SECRET_KEY,
      publishableKey: settings.SANDBOX_PUBLISHABLE_KEY,
      webhookSecrets: listed(settings.SANDBOX_WEBHOOK_SECRETS),
      baseUrl: settings.SANDBOX_PROVIDER_URL,
    })
  }
  return configs
}

const listed = (secrets: string) =>
  secrets
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
