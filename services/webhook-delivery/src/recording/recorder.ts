import { setTimeout as wait } from 'node:timers/promises'
import { transaction, type Pool } from '@frontdesk/database'
import type { EventOrigin, Relay } from '@frontdesk/events'
import type { Logger } from 'pino'
import type { LeasedDelivery } from '../leases/leased.ts'
import { releaseDeliveries } from '../leases/store.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { Signals } from '../signals.ts'
import type { SubscriptionHealth } from '../subscriptions/health.ts'
import { applyEffects, isSpecial, lockForEffects } from './effects.ts'
import { createPersistence } from './persistence.ts'
import { recordChanges, recordLateAttempts, type Change } from './store.ts'

// A group commit: enough rows to share a statement's cost, or a wait too short for a person to notice. A longer wait
// leaves more attempts unrecorded when the process is killed, and those are repeated.
const groupRows = 64
const groupMs = 8
const largestGroup = 512
const flushers = 2

export interface RecorderDeps {
  pool: Pool
  health: SubscriptionHealth
  origin: EventOrigin
  relay: Relay
  signals: Signals
  log: Logger
  metrics: DeliveryMetrics
}

/** Records the outcomes of deliveries. While Postgres is away they wait in memory. */
export interface Recorder {
  record(change: Change): void
  /** Gives a delivery back unsent. */
  release(delivery: LeasedDelivery): void
  /** Waits until everything is written, or `signal` aborts; what is not written then is given up. */
  drained(signal: AbortSignal): Promise<void>
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { pool, relay, signals, metrics } = deps
  const { persist, stop } = createPersistence({
    ...deps,
    onSettled: (count) => void (unwritten -= count),
    unsettled: () => unwritten,
  })
  const changes: Change[] = []
  const releases: LeasedDelivery[] = []
  let flushing = 0
  let unwritten = 0
  let timer: NodeJS.Timeout | undefined
  metrics.unrecorded.by(() => unwritten)

  function schedule(): void {
    if (flushing >= flushers || timer !== undefined) return
    const count = changes.length + releases.length
    if (count >= groupRows) void flush()
    else if (count > 0) {
      timer = setTimeout(() => {
        timer = undefined
        void flush()
      }, groupMs)
    }
  }

  async function flush(): Promise<void> {
    flushing++
    const group = changes.splice(0, largestGroup)
    const released = releases.splice(0, largestGroup)
    const special = group.filter(isSpecial)
    const plain = special.length === 0 ? group : group.filter((change) => !isSpecial(change))
    try {
      if (plain.length > 0) await persist(plain, recordPlain)
      if (special.length > 0) await persist(special, recordSpecial)
      if (released.length > 0) await persist(released, (deliveries) => releaseDeliveries(pool, deliveries))
    } finally {
      flushing--
      schedule()
    }
  }

  async function recordPlain(group: readonly Change[]): Promise<void> {
    const owned = await recordChanges(pool, group, performance.now())
    await finish(group, owned)
  }

  async function recordSpecial(group: readonly Change[]): Promise<void> {
    const owned = await transaction(pool, async (tx) => {
      await lockForEffects(tx, group)
      const places = await recordChanges(tx, group, performance.now())
      await applyEffects(tx, places === undefined ? group : group.filter((_, place) => places.has(place)), deps)
      return places
    })
    await finish(group, owned)
  }

  async function finish(group: readonly Change[], owned: ReadonlySet<number> | undefined): Promise<void> {
    if (owned === undefined) {
      for (const change of group) announce(change, true)
      return
    }
    const late = group.filter((change, place) => !owned.has(place) && change.attempt !== undefined)
    if (late.length > 0) {
      metrics.lateAttempts.inc(late.length)
      await recordLateAttempts(pool, late, performance.now())
    }
    group.forEach((change, place) => announce(change, owned.has(place)))
  }

  /** Tells of a change that is durable. `owned` is false if the lease had been lost: then only the attempt counts. */
  function announce(change: Change, owned: boolean): void {
    if (change.attempt !== undefined) metrics.attempts.inc({ outcome: change.attempt.outcome })
    if (!owned) return
    const { subscriptionId, rank, endpointId } = change.delivery
    if (change.state !== 'pending') metrics.ended.inc({ state: change.state })
    else signals.emit('waiting', { subscriptionId, rank, endpointId, waitMs: change.waitMs })
    if (isSpecial(change)) relay.wake()
    if (change.gone === true) signals.emit('subscriptionChanged', subscriptionId)
  }

  return {
    record(change) {
      changes.push(change)
      unwritten++
      schedule()
    },
    release(delivery) {
      releases.push(delivery)
      unwritten++
      metrics.released.inc()
      schedule()
    },
    async drained(signal) {
      while (unwritten > 0 && !signal.aborted) await wait(5)
      stop()
    },
  }
}
