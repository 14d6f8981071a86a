import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '@frontdesk/database'
import type { Logger } from 'pino'
import { Agent, request } from 'undici'
import type { WebhookDestination, WebhookEvent } from '../db.ts'
import type { Faults } from '../faults/faults.ts'
import { signatureHeader } from './signature.ts'
import {
  type AttemptOutcome,
  claimEvents,
  dropEvent,
  postponeEvent,
  recordAttempt,
  releaseEvents,
  type Webhooks,
} from './store.ts'

export interface SenderOptions {
  pool: Pool
  log: Logger
  secret: string
  /** where the destinations are; events for one without an address wait for a start that has it */
  addresses: Partial<Record<WebhookDestination, string>>
  enabledEvents: string[]
  faults: Faults
  now: () => Date
}

export interface Sender extends Webhooks, AsyncDisposable {}

const pollMs = 500
const attemptMs = 10_000
const atOnce = 64
const firstWaitMs = 500
const longestWaitMs = 60_000
/** Below the time for which an event is held, or it would be sent twice. */
const longestHeldBackMs = 10_000

/**
 * Sends stored events: those just committed from memory, all others (failed before, or left by a crash) by polling
 * Postgres. An event is done when its destination has answered 2xx; until then it is sent again and again.
 */
export async function openSender({
  pool,
  log,
  secret,
  addresses,
  enabledEvents,
  faults,
  now,
}: SenderOptions): Promise<Sender> {
  const stopping = new AbortController()
  const agent = new Agent({ connections: atOnce, headersTimeout: attemptMs, bodyTimeout: attemptMs })
  const running = new Set<Promise<void>>()
  const enabled = new Set(enabledEvents)
  const waylaid = new Set<string>()
  await releaseEvents(pool)

  async function attempt(event: WebhookEvent, address: string): Promise<AttemptOutcome> {
    try {
      const reply = await request(address, {
        method: 'POST',
        dispatcher: agent,
        body: event.body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureHeader(event.body, secret, now()),
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
    if (address === undefined || (await wasWaylaid(event))) return
    const outcome = await attempt(event, address)
    if (stopping.signal.aborted && 'error' in outcome) return // the next start sends it at once
    const accepted = 'status' in outcome && outcome.status >= 200 && outcome.status < 300
    if (!accepted) {
      log.warn({ event: event.id, type: event.type, attempts: event.attempts + 1, ...outcome }, 'webhook not accepted')
    }
    await recordAttempt(pool, event.id, outcome, accepted ? undefined : waitAfter(event.attempts))
    if (faults.webhook('duplicate') !== undefined) await attempt(event, address)
  }

  /** What the faults do to an event before it is sent; each event meets them once, or a rate of 1 would never end. */
  async function wasWaylaid(event: WebhookEvent): Promise<boolean> {
    if (event.attempts > 0 || waylaid.delete(event.id)) return false
    if (faults.webhook('drop') !== undefined) {
      await dropEvent(pool, event.id)
      return true
    }
    const delay = faults.webhook('delay')
    if (delay !== undefined) {
      waylaid.add(event.id)
      await postponeEvent(pool, event.id, delay.ms ?? 5_000)
      return true
    }
    const reorder = faults.webhook('reorder')
    if (reorder !== undefined) {
      const wait = Math.min(reorder.ms ?? 1_000, longestHeldBackMs) * Math.random()
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

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const free = atOnce - running.size
        if (free > 0) for (const event of await claimEvents(pool, free)) track(event)
      } catch (error) {
        log.warn({ err: error }, 'webhooks cannot be read')
      }
      await pause(pollMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const polling = poll()

  return {
    isEnabled: (type) => enabled.has(type),
    send(events) {
      // Beyond what fits, and while stopping, the hold in Postgres lapses and a poll takes them.
      for (const event of events) if (!stopping.signal.aborted && running.size < atOnce * 4) track(event)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await polling
      await Promise.all(running)
      await agent.destroy()
    },
  }
}

/** The wait after an attempt failed: doubling, with a fifth of chance so that events do not come in step. */
export function waitAfter(failedBefore: number, chance: number = Math.random()): number {
  return Math.round(Math.min(firstWaitMs * 2 ** failedBefore, longestWaitMs) * (0.8 + 0.4 * chance))
}
