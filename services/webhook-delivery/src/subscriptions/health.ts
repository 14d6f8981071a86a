import { isUnavailable, transaction, type Pool, type Transaction } from '@frontdesk/database'
import type { EventOrigin } from '@frontdesk/events'
import type { Logger } from 'pino'
import { isFailingForGood, type PauseReason, type PauseRule } from './domain.ts'
import { recordHealth, type RecordedHealth } from './health-store.ts'
import * as store from './store.ts'

export interface HealthDeps {
  pool: Pool
  origin: EventOrigin
  rule: PauseRule
  probeMs: number
  log: Logger
}

/** Records in Postgres, for all replicas, which subscriptions fail. Pauses those that keep failing, resumes those that answer. */
export interface SubscriptionHealth {
  /** Counts an attempt in memory, until the next flush. */
  count(subscriptionId: string, outcome: 'answered' | 'failed'): void
  /** Pauses a subscription, in the transaction of the reply that was the reason; its row is locked. */
  pause(tx: Transaction, subscriptionId: string, reason: PauseReason): Promise<void>
  /** Records what was counted. Returns the subscriptions that it paused or resumed. */
  flush(): Promise<string[]>
}

export function createSubscriptionHealth({ pool, origin, rule, probeMs, log }: HealthDeps): SubscriptionHealth {
  let counted = new Map<string, { answered: boolean; failures: number }>()

  function add(id: string, answered: boolean, failures: number): void {
    const known = counted.get(id)
    if (known === undefined) counted.set(id, { answered, failures })
    else counted.set(id, { answered: known.answered || answered, failures: known.failures + failures })
  }

  /** Pauses or resumes a subscription by its recorded health. Returns whether it did. */
  async function judge({ id, state, pauseReason, ...recorded }: RecordedHealth): Promise<boolean> {
    const { failingSince, failedAttempts, now } = recorded
    if (state === 'active' && isFailingForGood({ since: failingSince, attempts: failedAttempts }, now, rule)) {
      await transaction(pool, (tx) => pause(tx, id, 'failing'))
      log.warn({ subscriptionId: id, failedAttempts }, 'paused a subscription that keeps failing')
      return true
    }
    if (state === 'paused' && pauseReason === 'failing' && failingSince === null) {
      await resume(id)
      log.info({ subscriptionId: id }, 'resumed a subscription that answers again')
      return true
    }
    return false
  }

  async function pause(tx: Transaction, id: string, reason: PauseReason): Promise<void> {
    const existing = await store.lockSubscriptionById(tx, id)
    if (existing === undefined || existing.deletedAt !== null) return
    // A failing one that turns out to be gone is paused as gone: no probe may resume it.
    if (existing.state === 'paused' && !(existing.pauseReason === 'failing' && reason === 'gone')) return
    const version = await store.pauseSubscription(tx, id, reason, probeMs)
    await store.appendStateEvent(tx, origin, existing, { version, state: 'paused', reason, now: new Date() })
  }

  async function resume(id: string): Promise<void> {
    await transaction(pool, async (tx) => {
      const existing = await store.lockSubscriptionById(tx, id)
      if (existing?.state !== 'paused' || existing.pauseReason !== 'failing' || existing.deletedAt !== null) return
      const version = await store.resumeSubscription(tx, id)
      await store.appendStateEvent(tx, origin, existing, { version, state: 'active', now: new Date() })
    })
  }

  return {
    count: (id, outcome) => add(id, outcome === 'answered', outcome === 'failed' ? 1 : 0),
    pause,
    async flush() {
      const changed: string[] = []
      if (counted.size === 0) return changed
      const taken = counted
      counted = new Map()
      try {
        const entries = [...taken].map(([id, counts]) => ({ id, ...counts }))
        for (const recorded of await recordHealth(pool, entries)) {
          if (await judge(recorded)) changed.push(recorded.id)
        }
      } catch (error) {
        if (!isUnavailable(error)) log.error({ err: error }, 'the health of subscriptions could not be recorded')
        else for (const [id, { answered, failures }] of taken) add(id, answered, failures)
      }
      return changed
    },
  }
}
