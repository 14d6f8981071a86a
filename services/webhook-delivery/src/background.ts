import { transaction } from '@frontdesk/database'
import type { EventOrigin, Relay } from '@frontdesk/events'
import { startSealing } from '@frontdesk/service/audit'
import { repeat, startCleanUp } from '@frontdesk/service/background'
import type { Logger } from 'pino'
import { deleteUnneeded } from './clean-up.ts'
import type { DatabaseClock } from './database-clock.ts'
import type { Database } from './db.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import type { LeasedDeliveries } from './dispatch/traffic.ts'
import { lowestIdAt } from './event-ids.ts'
import { renewLeases } from './leases/renewal.ts'
import type { Partitions } from './partitions/partitions.ts'
import { appendExhausted } from './recording/effects.ts'
import { exhaustOverdue } from './recording/store.ts'
import { advance } from './recoveries/recovery.ts'
import { longestLifeMs } from './replies/outcome.ts'
import { retentions } from './retention.ts'
import type { Signals } from './signals.ts'
import type { SubscriptionHealth } from './subscriptions/health.ts'
import { probePaused } from './subscriptions/health-store.ts'

const minute = 60_000
const mostOverdue = 500

export interface BackgroundDeps {
  db: Database
  origin: EventOrigin
  relay: Relay
  partitions: Partitions
  clock: DatabaseClock
  leased: LeasedDeliveries
  dispatcher: Dispatcher
  health: SubscriptionHealth
  signals: Signals
  leaseMs: number
  probeMs: number
  retentionDays: number
  log: Logger
}

/** Runs the repeated work of the service until `signal` aborts. */
export async function runBackground(deps: BackgroundDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, dispatcher, signals, leaseMs, probeMs, log } = deps
  const every = (everyMs: number, failure: string, work: () => Promise<boolean | void>, retryMs = everyMs) =>
    repeat({ everyMs, retryMs, signal, onError: (error) => log.warn({ err: error }, failure) }, work).stopped

  await Promise.all([
    // At least three times in a lease, with the 20 % by which `repeat` spreads its runs.
    every(leaseMs / 3.6, 'leases could not be extended', async () => {
      for (const lost of await renewLeases(db.engine, deps.leased.all(), leaseMs)) dispatcher.forget(lost)
    }),
    every(1_000, 'the health of subscriptions could not be recorded', async () => {
      for (const id of await deps.health.flush()) signals.emit('subscriptionChanged', id)
    }),
    every(Math.min(minute / 2, probeMs / 4), 'paused subscriptions could not be probed', async () => {
      if (await probePaused(db.pool, probeMs)) signals.emit('manyDue')
    }),
    every(minute, 'overdue deliveries could not be ended', () => endOverdue(deps, clock.now())),
    every(1_000, 'a recovery could not go on', async () => {
      const advanced = await advance(db.engine)
      if (advanced === undefined) return false
      if (advanced.deliveries > 0) signals.emit('manyDue')
      return true
    }),
    every(10 * minute, 'partitions could not be maintained', () => deps.partitions.maintain(new Date()), 2_000),
    startCleanUp({ pool: db.pool, retentions, log, signal }).stopped,
    startSealing({ pool: db.pool, log, signal }).stopped,
    every(60 * minute, 'what is not needed could not be deleted', () =>
      deleteUnneeded(db.pool, { retentionDays: deps.retentionDays, now: new Date(), signal }),
    ),
  ])
}

/**
 * Ends deliveries that are still pending 14 days after their event. Most of them are of paused subscriptions: others end
 * when they are due. Returns whether there may be more.
 */
export async function endOverdue(
  { db, origin, relay }: { db: Pick<Database, 'pool'>; origin: EventOrigin; relay: Pick<Relay, 'wake'> },
  now: number,
): Promise<boolean> {
  const ended = await transaction(db.pool, async (tx) => {
    const exhausted = await exhaustOverdue(tx, lowestIdAt(now - longestLifeMs), mostOverdue)
    await appendExhausted(tx, origin, exhausted)
    return exhausted.length
  })
  if (ended > 0) relay.wake()
  return ended >= mostOverdue
}
