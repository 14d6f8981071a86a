import type { Pool } from '@frontdesk/database'
import type { Relay } from '@frontdesk/events'
import type { Logger } from 'pino'
import type { DeliveryMetrics } from '../metrics.ts'
import { meaningOf } from '../replies/reply.ts'
import type { Scanner } from '../scanning/scanner.ts'
import type { SubscriptionHealth } from '../subscriptions/health.ts'
import { isSpecial } from './effects.ts'
import type { HeldDelivery } from './held.ts'
import type { Turn } from './sender.ts'
import { throttleEndpoint, type Change } from './store.ts'

export interface ConsequencesOptions {
  pool: Pool
  scanner: Scanner
  health: SubscriptionHealth
  relay: Relay
  log: Logger
  metrics: DeliveryMetrics
  /** A subscription was paused. */
  onChange: (subscriptionId: string) => void
}

/** Who has to know what came of a delivery: the scanner, the subscription's health, the other copies, the metrics. */
export function createConsequences({ pool, scanner, health, relay, log, metrics, onChange }: ConsequencesOptions) {
  return {
    /** A change is durable; `owned` is false where the lease had been lost. */
    onRecorded(change: Change, owned: boolean): void {
      const { subscriptionId, rank, endpointId } = change.held
      if (change.attempt !== undefined) metrics.attempts.inc({ outcome: change.attempt.outcome })
      if (!owned) return
      if (change.state !== 'pending') metrics.ended.inc({ state: change.state })
      else scanner.note({ subscriptionId, rank, endpointId, paused: false, waitMs: change.waitMs })
      if (isSpecial(change)) relay.wake()
      if (change.gone === true) onChange(subscriptionId)
    },

    /** A receiver has answered, or not. */
    onTurn(held: HeldDelivery, { reply, throttleMs }: Extract<Turn, { kind: 'recorded' }>): void {
      if (reply === undefined) return
      const meaning = meaningOf(reply)
      if (meaning === 'failed' || meaning === 'later') health.note(held.subscriptionId, false)
      // One that is well has nothing to be forgiven.
      else if (meaning !== 'throttled' && (held.failing || held.manual)) health.note(held.subscriptionId, true)
      if (throttleMs === undefined) return
      throttleEndpoint(pool, held.endpointId, throttleMs).catch((error) => {
        log.warn({ err: error }, 'a silence could not be shared with other copies')
      })
    },
  }
}
