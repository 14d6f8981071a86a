import type { DatabaseReadiness } from '@frontdesk/database'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { createDatabaseMetrics } from '../metrics/metrics.ts'
import { repeat } from './repeat.ts'

/** NTP keeps clocks within a fraction of a second; a larger difference than this needs somebody to look. */
const saidFromMs = 5_000

/** The time of this process, compared with that of Postgres, which all replicas share. */
export interface ServiceClock {
  /** The time by Postgres's clock, by which times from outside are judged; by our own until the two were compared. */
  now(): Date
  /** `ok`, or how far this process's clock is from Postgres's: for `/readyz`. */
  state(): string
  /** Settles after `signal` was aborted. Never rejects. */
  stopped: Promise<void>
}

/**
 * Compares this process's clock with Postgres's every `everyMs` (10 s) until `signal` aborts, every second while it has no answer, whether or
 * not anybody asks for readiness. The metric `clock_skew_seconds` has the difference, `postgres_up` whether there was an answer. Logs when it passes
 * 5 s, and when it is small again.
 */
export function watchClock({
  database,
  metrics,
  log,
  signal,
  everyMs = 10_000,
}: {
  database: Pick<DatabaseReadiness, 'check' | 'clockSkewMs'>
  metrics: Registry
  log: Logger
  signal: AbortSignal
  everyMs?: number
}): ServiceClock {
  const skewMs = () => database.clockSkewMs() ?? 0
  const isOff = () => Math.abs(skewMs()) >= saidFromMs
  const state = () => (isOff() ? described(skewMs()) : 'ok')
  let isUp = false
  createDatabaseMetrics(metrics, () => ({ isUp, skewMs: skewMs() }))
  let said = false

  async function compare(): Promise<void> {
    try {
      await database.check()
      isUp = true
    } catch (error) {
      isUp = false
      throw error
    }
    if (isOff() === said) return
    said = isOff()
    const skewSeconds = skewMs() / 1000
    if (said) log.error({ skewSeconds }, `the clock of this process is ${described(skewMs())}: set it, or Postgres's`)
    else log.info({ skewSeconds }, "the clock of this process agrees with Postgres's again")
  }

  // Readiness tells of the database's faults. After a start or an outage the first answer is seen soon.
  const retryMs = Math.min(1_000, everyMs)
  const { stopped } = repeat({ everyMs, retryMs, name: 'the comparison of clocks', signal, onError() {} }, compare)
  return { now: () => new Date(Date.now() - skewMs()), state, stopped }
}

function described(skewMs: number): string {
  return `${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} Postgres's`
}
