import { join } from 'node:path'
import { FrontdeskProblem, type FrontdeskClient } from '#client'
import { openPractice, type Practice } from '../system/practice.ts'
import { skewedClock } from '../system/skewed-clock.ts'
import { startSystem, type StartedSystem, type StartOptions } from '../system/start-system.ts'
import { readEvents, receivedBy, type AuditedSystem } from './records.ts'

/** A system of our own with practices, each with a subscriber. Its `frontdesk` tries again until the system answers. */
export interface Environment extends StartedSystem, AuditedSystem {
  /** Tries each call once. */
  once: FrontdeskClient
  practices: readonly Practice[]
  /** Practices that disconnect. */
  departing: readonly Practice[]
  /** How long a step waits for our record, in milliseconds. */
  patienceMs: number
}

export interface EnvironmentOptions extends Pick<StartOptions, 'onLine' | 'signal'> {
  home: string
  practices: number
  departing: number
  /** By how much the clock of payments is ahead, and that of accounts behind. */
  skewMs: number
  patienceMs: number
}

/** As many calls as the provider lets through. */
export const callsPerSecond = 100
const limited = { SANDBOX_CALLS_PER_SECOND: String(callsPerSecond) }

/** Schedules that make healing a matter of seconds, and clocks that differ; everything else is as in production. */
const envOf = (skewMs: number) => ({
  payments: { PAYMENTS_CHECK_SCHEDULE: '5s,10s,20s,40s,80s,160s,5m,10m,20m', ...limited, ...skewedClock(skewMs) },
  accounts: { ...limited, ...skewedClock(-skewMs) },
  'webhook-delivery': { DELIVERY_RETRY_SCHEDULE: '500ms,1s,2s,4s,8s,15s,30s' },
})

/** Starts the system, without faults, and opens its practices. */
export async function openEnvironment({
  home,
  practices: count,
  departing: departingCount,
  skewMs,
  patienceMs,
  ...options
}: EnvironmentOptions): Promise<Environment> {
  await using opened = new AsyncDisposableStack()
  const system = opened.use(await startSystem({ ...options, home: join(home, 'state'), env: envOf(skewMs) }))
  const client = (attempts: number) => system.client('bench', { attempts, longestWaitMs: 65_000 })
  const frontdesk = client(200)
  const practices: Practice[] = []
  for (let number = 1; number <= count + departingCount; number++) {
    const types = ['payment.*', 'refund.*', 'dispute.*']
    const practice = opened.use(await openPractice({ ...system, frontdesk }, `Soak ${number}`, types))
    // Subscribers have faults too: one answer in 30 reports an error although the webhook was taken.
    practice.subscriber.reply(() => ({ status: Math.random() < 1 / 30 ? 500 : 204 }))
    practices.push(practice)
  }
  const owned = opened.move()
  return {
    ...system,
    frontdesk,
    once: client(1),
    practices: practices.slice(0, count),
    departing: practices.slice(count),
    patienceMs,
    publicEvents: () => readEvents(system),
    received: () => receivedBy(practices),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Returns whether asking again is right: nothing is known yet, or nothing could be done. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof FrontdeskProblem) || error.status >= 500 || error.code === 'idempotency_key_in_use'
}
