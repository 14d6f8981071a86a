import { Type, type Static } from 'typebox'
import type { ProviderConfig } from './providers.ts'

/**
 * The environment variables of the providers, to be spread into a service's configuration schema.
 * Webhook secrets are lists separated by commas: while one is rotated there are two.
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
 * The providers that these settings configure: Stripe by its secret key, Sandbox by its address.
 * Throws where Stripe is configured by half: without webhook secrets every webhook of it would be refused.
 */
export function configuredProviders(settings: Readonly<Static<typeof Settings>>): ProviderConfig[] {
  const configs: ProviderConfig[] = []
  if (settings.STRIPE_SECRET_KEY !== undefined) {
    const publishableKey = settings.STRIPE_PUBLISHABLE_KEY
    const webhookSecrets = listed(settings.STRIPE_WEBHOOK_SECRETS)
    if (publishableKey === '' || webhookSecrets.length === 0) {
      throw new Error('STRIPE_SECRET_KEY needs STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRETS beside it')
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
