import type { PaymentProvider as ProviderName } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { breakerDefaults, createBreaker, type BreakerSettings } from '@frontdesk/service/calls'
import type { Registry } from 'prom-client'
import { createCall, type AttemptFailure, type Call } from './calls.ts'
import { openHttp, type Http } from './http.ts'
import { createKeys } from './keys.ts'
import { createProviderMetrics, type ProviderLog, type ProviderMetrics } from './metrics.ts'
import type { Priority } from './pacing/budget.ts'
import { openPace, type Pace } from './pacing/pace.ts'
import type { Provider, Providers } from './port.ts'
import { withinCapabilities } from './within-capabilities.ts'

/** The means by which a provider reaches its API. */
export interface Connection {
  http: Pick<Http, 'exchange'>
  /** Returns the Call whose failed attempts the provider types: what it throws is what to do next. */
  calls(failure: (error: unknown) => AttemptFailure): Call
}

/** One configured provider. */
export interface ProviderConfig {
  name: ProviderName
  connect(connection: Connection): Provider
  /** Deadline of each call with all its attempts, in milliseconds. Default 8000. */
  timeoutMs?: number | undefined
  breaker?: BreakerSettings | undefined
  /** Calls a second that all our processes together may make. Default: no limit. */
  callsPerSecond?: number | undefined
}

const defaultTimeoutMs = 8_000

/**
 * Opens the configured providers, each with its own connections and breaker. A provider missing from `configs` is known
 * but not available. `share` is the part of each provider's rate limit that this service may use; services share the key.
 * The caller disposes the result. Throws if a name is configured twice.
 */
export function openProviders(
  configs: readonly ProviderConfig[],
  { log, registry, share = 1 }: { log?: ProviderLog; registry?: Registry; share?: number } = {},
): Providers {
  const metrics = createProviderMetrics(log, registry)
  const opened = new Map<ProviderName, Opened>()
  for (const config of configs) {
    if (opened.has(config.name)) throw new Error(`provider ${config.name} is configured twice`)
    opened.set(config.name, openProvider(config, metrics, share))
  }
  return {
    get: (name, priority = 'orders') => opened.get(name)?.views[priority],
    paces: new Map([...opened].map(([name, { pace }]) => [name, pace])),
    enabled: [...opened.keys()],
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened.values()].map(({ close }) => close()))
    },
  }
}

/** Returns the configured provider of that name. Throws `provider_not_available` (422), which lists the enabled ones. */
export function enabledProvider(providers: Providers, name: ProviderName, priority?: Priority): Provider {
  const provider = providers.get(name, priority)
  if (provider === undefined) throw problem('provider_not_available', { extensions: { enabled: providers.enabled } })
  return provider
}

interface Opened {
  /** The same provider for each priority of its calls. */
  views: Record<Priority, Provider>
  pace: Pace
  close(): Promise<void>
}

function openProvider(config: ProviderConfig, metrics: ProviderMetrics, share: number): Opened {
  const http = openHttp()
  const breaker = createBreaker(config.breaker ?? breakerDefaults, () => performance.now())
  metrics.watchBreaker(config.name, breaker)
  const pace = openPace({ callsPerSecond: (config.callsPerSecond ?? Infinity) * share })
  metrics.watchPace(config.name, pace)
  const keys = createKeys()
  const view = (priority: Priority): Provider => {
    const calls: Connection['calls'] = (failure) =>
      createCall({
        deadlineMs: config.timeoutMs ?? defaultTimeoutMs,
        breaker,
        pace,
        priority,
        keys,
        failure,
        finished: (finished) => metrics.callFinished(config.name, finished),
      })
    return withinCapabilities(config.connect({ http, calls }))
  }
  return { views: { orders: view('orders'), reads: view('reads'), checks: view('checks') }, pace, close: http.close }
}
