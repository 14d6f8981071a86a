import type { PaymentProvider as ProviderName } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { breakerDefaults, createBreaker, type BreakerSettings } from '@frontdesk/service/calls'
import type { Registry } from 'prom-client'
import { createProviderMetrics, type ProviderLog, type ProviderMetrics } from './metrics.ts'
import type { Provider, Providers } from './port.ts'
import { createStripeProvider, type StripeSettings } from './stripe/adapter.ts'
import { createCall } from './stripe/calls.ts'
import { openTransport } from './stripe/transport.ts'

/** One configured provider. `Sandbox` is the Stripe adapter with the sandbox's `baseUrl`. */
export interface ProviderConfig extends StripeSettings {
  /** Deadline of each call with all its attempts, in milliseconds. Default 8000. */
  timeoutMs?: number | undefined
  breaker?: BreakerSettings | undefined
}

const defaultTimeoutMs = 8_000

/**
 * Opens the configured providers, each with its own connections and breaker. A provider missing from `configs` is known
 * but not available. The caller disposes the result. Throws if a name is configured twice.
 */
export function openProviders(
  configs: readonly ProviderConfig[],
  { log, registry }: { log?: ProviderLog; registry?: Registry } = {},
): Providers {
  const metrics = createProviderMetrics(log, registry)
  const opened = new Map<ProviderName, { provider: Provider; close(): Promise<void> }>()
  for (const config of configs) {
    if (opened.has(config.name)) throw new Error(`provider ${config.name} is configured twice`)
    opened.set(config.name, openProvider(config, metrics))
  }
  return {
    get: (name) => opened.get(name)?.provider,
    enabled: [...opened.keys()],
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened.values()].map(({ close }) => close()))
    },
  }
}

/** Returns the configured provider of that name. Throws `provider_not_available` (422), which lists the enabled ones. */
export function enabledProvider(providers: Providers, name: ProviderName): Provider {
  const provider = providers.get(name)
  if (provider === undefined) throw problem('provider_not_available', { extensions: { enabled: providers.enabled } })
  return provider
}

function openProvider(config: ProviderConfig, metrics: ProviderMetrics) {
  const transport = openTransport()
  const breaker = createBreaker(config.breaker ?? breakerDefaults, () => performance.now())
  metrics.watchBreaker(config.name, breaker)
  const call = createCall({
    deadlineMs: config.timeoutMs ?? defaultTimeoutMs,
    breaker,
    finished: (finished) => metrics.callFinished(config.name, finished),
  })
  return { provider: createStripeProvider(config, transport.client, call), close: transport.close }
}
