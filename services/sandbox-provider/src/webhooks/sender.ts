import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '@frontdesk/database'
import { repeat } from '@frontdesk/service/background'
import type { Logger } from 'pino'
import { Agent, request } from 'undici'
import type { WebhookDestination, WebhookEvent } from '../db.ts'
import type { Faults } from '../faults/faults.ts'
import { signatureHeader } from './signature.ts'
import {
  type AttemptOutcome,
  dropEvent,
  leaseEvents,
  postponeEvent,
  recordAttempt,
  releaseEvents,
  type Webhooks,
} from './store.ts'

export interface SenderDeps {
  pool: Pool
  log: Logger
  /** of a destination: each of them signs */
  secrets: (destination: WebhookDestination) => readonly string[]
  /** addresses of the destinations; events for a destination without one wait until a start sets it */
  addresses: Partial<Record<WebhookDestination, string>>
  enabledEvents: string[]
  faults: Faults
  now: () => Date
}

export interface Sender extends Webhooks, AsyncDisposable {}

const pollMs = 500
const attemptMs = 10_000
const maxConcurrent = 64
const firstWaitMs = 500
const longestWaitMs = 60_000
/** Must be shorter than an event's lease; otherwise the event is sent twice. */
const longestReorderMs = 10_000

/**
 * Sends stored events: newly committed ones from memory, all others (failed before, or left by a crash) by polling
 * Postgres. An event is sent again and again until its destination answers 2xx.
 */
export async function openSender({
  pool,
  log,
  secrets,
  addresses,
  enabledEvents,
  faults,
  now,
}: SenderDeps): Promise<Sender> {
  const stopping = new AbortController()
  const agent = new Agent({ connections: maxConcurrent, headersTimeout: attemptMs, bodyTimeout: attemptMs })
  const running = new Set<Promise<void>>()
  const enabled = new Set(enabledEvents)
  const delayed = new Set<string>()
  await releaseEvents(pool)

  async function attempt(event: WebhookEvent, address: string): Promise<AttemptOutcome> {
    try {
      const reply = await request(address, {
        method: 'POST',
        dispatcher: agent,
        body: event.body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureHeader(
            event.body,
            secrets(event.destination),
            new Date(now().getTime() + (faults.rules().signatureClockMs ?? 0)),
          ),
          'user-agent': 'Frontdesk-Sandbox/1.0 (a stand-in for Stripe)',
        },
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(attemptMs)]),
      })
      await reply.body.dump()
      return { status: reply.statusCode }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  async function deliver(event: WebhookEvent): Promise<void> {
    const address = addresses[event.destination]
    if (address === undefined || (await hasFault(event))) return
    const outcome = await attempt(event, address)
    if (stopping.signal.aborted && 'error' in outcome) return // the next start sends it at once
    const accepted = 'status' in outcome && outcome.status >= 200 && outcome.status < 300
    if (!accepted) {
      log.warn({ event: event.id, type: event.type, attempts: event.attempts + 1, ...outcome }, 'webhook not accepted')
    }
    await recordAttempt(pool, event.id, outcome, accepted ? undefined : waitAfter(event.attempts))
    if (faults.webhook('duplicate') !== undefined) await attempt(event, address)
  }

  /** Draws an event's faults before its first attempt. Only then, because with a rate of 1 it would never be sent. */
  async function hasFault(event: WebhookEvent): Promise<boolean> {
    if (event.attempts > 0 || delayed.delete(event.id)) return false
    if (faults.webhook('drop') !== undefined) {
      await dropEvent(pool, event.id)
      return true
    }
    const delay = faults.webhook('delay')
    if (delay !== undefined) {
      delayed.add(event.id)
      await postponeEvent(pool, event.id, delay.ms ?? 5_000)
      return true
    }
    const reorder = faults.webhook('reorder')
    if (reorder !== undefined) {
      const wait = Math.min(reorder.ms ?? 1_000, longestReorderMs) * Math.random()
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => {})
    }
    return false
  }

  function track(event: WebhookEvent): void {
    const delivery: Promise<void> = deliver(event)
      .catch((error: unknown) => log.error({ err: error, event: event.id }, 'webhook attempt not recorded'))
      .finally(() => running.delete(delivery))
    running.add(delivery)
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'webhooks cannot be read')
  const polling = repeat({ everyMs: pollMs, signal: stopping.signal, onError }, async () => {
    const free = maxConcurrent - running.size
    if (free > 0) for (const event of await leaseEvents(pool, free)) track(event)
  })

  return {
    isEnabled: (type) => enabled.has(type),
    send(events) {
      // Events beyond the limit, and those of a process that stops, are polled once their lease has expired.
      for (const event of events) if (!stopping.signal.aborted && running.size < maxConcurrent * 4) track(event)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await polling.stopped
      await Promise.all(running)
      await agent.destroy()
    },
  }
}

/** Returns the milliseconds to wait after a failed attempt: doubling up to a minute, with 20 % of jitter. */
export function waitAfter(failedBefore: number, random: number = Math.random()): number {
  return Math.round(Math.min(firstWaitMs * 2 ** failedBefore, longestWaitMs) * (0.8 + 0.4 * random))
}
