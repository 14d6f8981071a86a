import type { PaymentProvider as ProviderName } from '@frontdesk/contracts'
import { Type, type Static } from 'typebox'
import type { ProviderConfig } from './providers.ts'
import { configuredSandbox, configuredStripe, sandboxSettings, stripeSettings } from './stripe/settings.ts'

/** The environment variables of all providers, for a service to spread into its configuration schema. */
export const providerSettings = { ...stripeSettings, ...sandboxSettings }

const Settings = Type.Object(providerSettings)
type Settings = Readonly<Static<typeof Settings>>

/** Reads each provider from the settings; undefined if they do not configure it. A new provider gets an entry. */
const registry = {
  Stripe: configuredStripe,
  Sandbox: configuredSandbox,
} satisfies Record<ProviderName, (settings: Settings) => ProviderConfig | undefined>

/** Returns the providers that these settings configure. Throws if the settings of one are incomplete. */
export function configuredProviders(settings: Settings): ProviderConfig[] {
  return Object.values(registry)
    .map((configured) => configured(settings))
    .filter((config) => config !== undefined)
}
