import type { EventData, PaymentProvider as ProviderName } from '@frontdesk/contracts'
import type { Breaker } from '@frontdesk/service/calls'
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { FinishedCall } from './calls.ts'
import { priorities } from './pacing/budget.ts'
import type { Pace } from './pacing/pace.ts'

/** The methods of a pino logger that are used here. */
export interface ProviderLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const noLog: ProviderLog = { info() {}, warn() {}, error() {} }

export type ProviderMetrics = ReturnType<typeof createProviderMetrics>

/**
 * Logs each finished call as one line (the Private event `provider.call.finished`) and measures it if a registry is given.
 * Bodies, keys and the provider's messages are not logged.
 */
export function createProviderMetrics(log: ProviderLog = noLog, registry?: Registry) {
  const breakers = new Map<ProviderName, Breaker>()
  const paces = new Map<ProviderName, Pace>()
  const duration = registry && registerMetrics(registry, breakers)
  if (registry) registerPaceMetrics(registry, paces)
  return {
    callFinished(provider: ProviderName, { operation, outcome, durationMs, attempts, error }: FinishedCall): void {
      duration?.observe({ provider, operation, outcome }, durationMs / 1000)
      const data: EventData<'provider.call.finished'> = {
        provider,
        operation,
        outcome,
        durationMs: Math.round(durationMs),
      }
      const fields = { event: 'provider.call.finished', ...data, attempts, ...(error && describe(error)) }
      if (error === undefined) log.info(fields, 'provider call finished')
      else if (outcome === 'misconfigured' || outcome === 'unreadable')
        log.error(fields, 'provider call needs an operator')
      else log.warn(fields, 'provider call failed')
    },
    /** Shows the breaker's state in the gauge `provider_breaker_open`. */
    watchBreaker: (provider: ProviderName, breaker: Breaker): void => void breakers.set(provider, breaker),
    /** Shows who waits for a turn, and for how long the provider has us wait. */
    watchPace: (provider: ProviderName, pace: Pace): void => void paces.set(provider, pace),
  }
}

function registerMetrics(registry: Registry, breakers: ReadonlyMap<ProviderName, Breaker>) {
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

function registerPaceMetrics(registry: Registry, paces: ReadonlyMap<ProviderName, Pace>): void {
  registry.registerMetric(
    new Gauge({
      name: 'provider_calls_waiting',
      help: 'Calls that wait for their turn within the rate limit of the provider, by priority',
      labelNames: ['provider', 'priority'],
      registers: [],
      collect() {
        for (const [provider, pace] of paces) {
          for (const priority of priorities) this.set({ provider, priority }, pace.waiting(priority))
        }
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'provider_calls_per_second_allowed',
      help: 'Calls a second that this replica may make to the provider: its budget, less after the provider has called us too fast; +Inf without a limit',
      labelNames: ['provider'],
      registers: [],
      collect() {
        for (const [provider, pace] of paces) this.set({ provider }, pace.perSecond())
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'provider_slowed_seconds',
      help: 'For how long no call goes to the provider, because it has answered that we are too fast',
      labelNames: ['provider'],
      registers: [],
      collect() {
        for (const [provider, pace] of paces) this.set({ provider }, pace.slowedMs() / 1_000)
      },
    }),
  )
}

function describe(error: NonNullable<FinishedCall['error']>): object {
  if (error.name !== 'ProviderRefused' || !('reason' in error)) return { reason: error.message }
  const { code, declineCode, param, requestId } = error.details
  return { reason: error.reason, code, declineCode, param, requestId }
}
