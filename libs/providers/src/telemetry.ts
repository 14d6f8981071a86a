import type { PaymentProvider as ProviderName } from '@frontdesk/contracts'
import type { Breaker } from '@frontdesk/service/calls'
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { FinishedCall } from './stripe/calls.ts'

/** What is used of a pino logger. */
export interface ProviderLog {
  debug(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const noLog: ProviderLog = { debug() {}, warn() {}, error() {} }

export interface ProviderTelemetry {
  /** The Private event `provider.call.finished`: a log line and a duration, never on a broker. */
  finished(provider: ProviderName, call: FinishedCall): void
  watch(provider: ProviderName, breaker: Breaker): void
}

/** Logs each call, and measures it where a registry is given. Bodies, keys and messages of the provider are left out. */
export function createTelemetry(log: ProviderLog = noLog, registry?: Registry): ProviderTelemetry {
  const breakers = new Map<ProviderName, Breaker>()
  const duration = registry && createMetrics(registry, breakers)
  return {
    finished(provider, { operation, outcome, durationMs, attempts, error }) {
      duration?.observe({ provider, operation, outcome }, durationMs / 1000)
      const fields = {
        event: 'provider.call.finished',
        provider,
        operation,
        outcome,
        attempts,
        durationMs: Math.round(durationMs),
      }
      if (error === undefined) log.debug(fields, 'provider call finished')
      else if (outcome === 'misconfigured')
        log.error({ ...fields, ...describe(error) }, 'provider call needs an operator')
      else log.warn({ ...fields, ...describe(error) }, 'provider call failed')
    },
    watch: (provider, breaker) => void breakers.set(provider, breaker),
  }
}

function createMetrics(registry: Registry, breakers: ReadonlyMap<ProviderName, Breaker>) {
  registry.registerMetric(
    new Gauge({
      name: 'provider_breaker_open',
      help: '1 while calls to the provider are held back',
      labelNames: ['provider'],
      registers: [],
      collect() {
        for (const [provider, breaker] of breakers) this.set({ provider }, breaker.state === 'closed' ? 0 : 1)
      },
    }),
  )
  const duration = new Histogram({
    name: 'provider_call_duration_seconds',
    help: 'Calls to payment providers, all attempts of a call together',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
    registers: [],
  })
  registry.registerMetric(duration)
  return duration
}

function describe(error: NonNullable<FinishedCall['error']>): object {
  if (error.name !== 'ProviderRefused' || !('reason' in error)) return { reason: error.message }
  const { code, declineCode, param, requestId } = error.details
  return { reason: error.reason, code, declineCode, param, requestId }
}
