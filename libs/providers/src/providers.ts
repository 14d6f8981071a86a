import type { EventData, PaymentProvider as ProviderName } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { breakerDefaults, createBreaker, type BreakerSettings } from '@frontdesk/service/calls'
import type { Registry } from 'prom-client'
import type { Provider, Providers } from './port.ts'
import { createStripeProvider, type StripeSettings } from './stripe/adapter.ts'
import { createCall } from './stripe/calls.ts'
import { openTransport } from './stripe/transport.ts'
import { createTelemetry, type ProviderLog, type ProviderTelemetry } from './telemetry.ts'

/** One configured provider. `Sandbox` is the Stripe adapter with the sandbox's `baseUrl`. */
export interface ProviderConfig extends StripeSettings {
  /** For each call with all its attempts, in milliseconds; 8000 by default. */
  timeoutMs?: number | undefined
  breaker?: BreakerSettings | undefined
}

const defaultTimeoutMs = 8_000

export interface ProvidersOptions {
  log?: ProviderLog | undefined
  registry?: Registry | undefined
  /** Told of each finished call: the data of the Private event that the service emits. */
  onCall?: ((call: EventData<'provider.call.finished'>) => void) | undefined
}

/**
 * Opens the configured providers, each with its own connections and breaker; one that is not in the list is known but
 * not configured. Dispose it. Throws where a name comes twice.
 */
export function openProviders(
  configs: readonly ProviderConfig[],
  { log, registry, onCall = () => {} }: ProvidersOptions = {},
): Providers {
  const telemetry = createTelemetry(log, registry)
  const opened = new Map<ProviderName, { provider: Provider; close(): Promise<void> }>()
  for (const config of configs) {
    if (opened.has(config.name)) throw new Error(`provider ${config.name} is configured twice`)
    opened.set(config.name, openProvider(config, telemetry, onCall))
  }
  return {
    get: (name) => opened.get(name)?.provider,
    enabled: [...opened.keys()],
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened.values()].map(({ close }) => close()))
    },
  }
}

/** The configured provider of that name. Throws `provider_not_available` (422) with the ones that are. */
export function enabledProvider(providers: Providers, name: ProviderName): Provider {
  const provider = providers.get(name)
  if (provider === undefined) throw problem('provider_not_available', { extensions: { enabled: providers.enabled } })
  return provider
}

function openProvider(
  config: ProviderConfig,
  telemetry: ProviderTelemetry,
  onCall: NonNullable<ProvidersOptions['onCall']>,
) {
  const transport = openTransport()
  const breaker = createBreaker(config.breaker ?? breakerDefaults, () => performance.now())
  telemetry.watch(config.name, breaker)
  const call = createCall({
    deadlineMs: config.timeoutMs ?? defaultTimeoutMs,
    breaker,
    finished: (call) => {
      telemetry.finished(config.name, call)
      onCall({ provider: config.name, operation: call.operation, outcome: call.outcome, durationMs: call.durationMs })
    },
  })
  return { provider: createStripeProvider(config, transport.client, call), close: transport.close }
}
