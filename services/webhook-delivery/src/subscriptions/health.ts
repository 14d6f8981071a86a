import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable, transaction, type Pool, type Transaction } from '@frontdesk/database'
import type { EventOrigin } from '@frontdesk/events'
import type { Logger } from 'pino'
import { isFailingForGood, type PauseReason, type PauseRule } from './domain.ts'
import * as store from './store.ts'

const flushMs = 1_000

export interface HealthOptions {
  pool: Pool
  origin: EventOrigin
  rule: PauseRule
  probeMs: number
  log: Logger
  /** A subscription was paused or resumed. */
  onChange: (subscriptionId: string) => void
}

/** Remembers, in Postgres and for all copies, which subscriptions fail: pauses those that do for good, resumes those that answer. */
export interface SubscriptionHealth {
  note(subscriptionId: string, answered: boolean): void
  /** Pauses a subscription, in the transaction of the reply that was the reason; its row is locked. */
  pause(tx: Transaction, subscriptionId: string, reason: PauseReason): Promise<void>
  /** Writes what was noted every second until `signal` aborts, and a last time then. */
  run(signal: AbortSignal): Promise<void>
}

export function createSubscriptionHealth(options: HealthOptions): SubscriptionHealth {
  const { pool, origin, rule, probeMs, log, onChange } = options
  let notes = new Map<string, { answered: boolean; failures: number }>()

  async function flush(): Promise<void> {
    if (notes.size === 0) return
    const taken = notes
    notes = new Map()
    try {
      const changed = await store.noteHealth(
        pool,
        [...taken].map(([id, note]) => ({ id, ...note })),
      )
      for (const subscription of changed) await judge(subscription)
    } catch (error) {
      if (!isUnavailable(error)) log.error({ err: error }, 'the health of subscriptions could not be noted')
      else for (const [id, { answered, failures }] of taken) add(id, answered, failures)
    }
  }

  function add(id: string, answered: boolean, failures: number): void {
    const known = notes.get(id)
    if (known === undefined) notes.set(id, { answered, failures })
    else notes.set(id, { answered: known.answered || answered, failures: known.failures + failures })
  }

  async function judge({
    id,
    state,
    pauseReason,
    failingSince,
    failedAttempts,
    now,
  }: store.NotedHealth): Promise<void> {
    if (state === 'active' && isFailingForGood({ since: failingSince, attempts: failedAttempts }, now, rule)) {
      await transaction(pool, (tx) => pause(tx, id, 'failing'))
      log.warn({ subscriptionId: id, failedAttempts }, 'paused a subscription that keeps failing')
    } else if (state === 'paused' && pauseReason === 'failing' && failingSince === null) {
      await resume(id)
      log.info({ subscriptionId: id }, 'resumed a subscription that answers again')
    } else return
    onChange(id)
  }

  async function pause(tx: Transaction, id: string, reason: PauseReason): Promise<void> {
    const present = await store.lockSubscriptionById(tx, id)
    if (present === undefined || present.state === 'paused' || present.deletedAt !== null) return
    const version = await store.pauseSubscription(tx, id, reason, probeMs)
    await store.appendStateEvent(tx, origin, present, { version, state: 'paused', reason, now: new Date() })
  }

  async function resume(id: string): Promise<void> {
    await transaction(pool, async (tx) => {
      const present = await store.lockSubscriptionById(tx, id)
      if (present?.state !== 'paused' || present.pauseReason !== 'failing' || present.deletedAt !== null) return
      const version = await store.resumeSubscription(tx, id)
      await store.appendStateEvent(tx, origin, present, { version, state: 'active', now: new Date() })
    })
  }

  return {
    note: (id, answered) => add(id, answered, answered ? 0 : 1),
    pause,
    async run(signal) {
      while (!signal.aborted) {
        await wait(flushMs, undefined, { signal }).catch(() => {})
        await flush()
      }
    },
  }
}
