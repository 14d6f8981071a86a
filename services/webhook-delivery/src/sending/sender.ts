import type { Logger } from 'pino'
import type { Dispatcher } from 'undici'
import type { DeliveryMetrics } from '../metrics.ts'
import { decideAttempt, decideOutcome, longestLifeMs, type RetryPolicy } from '../replies/outcome.ts'
import { meaningOf, type Reply } from '../replies/reply.ts'
import { parseRetryAfter } from '../replies/retry-after.ts'
import { timeOfId } from '../partitions/days.ts'
import type { DatabaseClock } from './clock.ts'
import { afterAnswer, afterFailure, afterThrottle, type BreakerWaits, type EndpointHealth } from './endpoint.ts'
import type { HeldDelivery } from './held.ts'
import { interrupted, post, type Posting } from './post.ts'
import type { SendSettings, SettingsCache } from './settings.ts'
import { signatureOf } from './signing.ts'
import type { Attempt, Change } from './store.ts'

const unreadableWaitMs = 60_000

export interface SenderOptions {
  agent: Dispatcher
  settings: SettingsCache
  clock: DatabaseClock
  policy: RetryPolicy
  waits: BreakerWaits
  deadlineMs: number
  /** What must be left of a lease for a request to start. */
  leaseReserveMs: number
  log: Logger
  metrics: DeliveryMetrics
}

/** What one turn of a delivery has come to. */
export type Turn =
  | {
      kind: 'recorded'
      change: Change
      /** Undefined where nothing was sent. */
      reply: Reply | undefined
      /** How long the endpoint asked to be left alone. */
      throttleMs: number | undefined
      /** What the reply makes of the endpoint. */
      judge: (before: EndpointHealth) => EndpointHealth
    }
  /** Not sent, and not ours to keep: given back. */
  | { kind: 'released' }

/** Makes the one attempt at a delivery: checks that it may be made, signs, sends, and decides on the reply. */
export interface Sender {
  attempt(held: HeldDelivery, health: () => EndpointHealth): Promise<Turn>
  /** Gives up on every request under way. */
  interruptAll(): void
}

export function createSender(options: SenderOptions): Sender {
  const { agent, settings, clock, policy, waits, metrics } = options
  const postings = new Set<Posting>()

  async function send(held: HeldDelivery, to: SendSettings): Promise<Reply | typeof interrupted> {
    const posting = post(agent, {
      origin: to.origin,
      path: to.path,
      headers: requestHeaders(held, to, clock.now()),
      body: held.payload,
      deadlineMs: options.deadlineMs,
    })
    postings.add(posting)
    try {
      return await posting.reply
    } finally {
      postings.delete(posting)
    }
  }

  return {
    async attempt(held, health) {
      // By the monotonic clock: a process that was stopped for a while must not send what others have taken over.
      if (held.leasedUntil - performance.now() < options.leaseReserveMs) return { kind: 'released' }
      const progress = {
        step: held.step,
        endsAt: timeOfId(held.eventId) + longestLifeMs,
        expiresAt: held.expiresAt,
        throttleStep: 0,
      }
      const verdict = decideAttempt(progress, clock.now())
      if (verdict !== 'send') {
        const change: Change = { held, state: verdict, waitMs: 0, charged: false, attempt: undefined }
        return { kind: 'recorded', change, reply: undefined, throttleMs: undefined, judge: (before) => before }
      }
      const to =
        settings.peek(held.subscriptionId, held.version) ?? (await settings.get(held.subscriptionId, held.version))
      if (to === undefined) {
        // A key is missing: an operator's fault, which must cost the delivery no attempt.
        const change: Change = { held, state: 'pending', waitMs: unreadableWaitMs, charged: false, attempt: undefined }
        return { kind: 'recorded', change, reply: undefined, throttleMs: undefined, judge: (before) => before }
      }
      const startedAt = performance.now()
      const reply = await send(held, to)
      if (reply === interrupted) return { kind: 'released' }
      const durationMs = performance.now() - startedAt
      metrics.requestSeconds.observe(durationMs / 1000)
      const outcome = decideOutcome({ ...progress, throttleStep: health().throttleStep }, reply, clock.now(), policy)
      const change: Change = {
        held,
        state: outcome.state,
        waitMs: outcome.state === 'pending' ? outcome.waitMs : 0,
        charged: outcome.state === 'exhausted' || (outcome.state === 'pending' && outcome.charged),
        attempt: attemptOf(reply, startedAt, durationMs),
        ...(outcome.state === 'rejected' && outcome.gone ? { gone: true } : {}),
      }
      const throttleMs = outcome.state === 'pending' ? outcome.throttleMs : undefined
      return {
        kind: 'recorded',
        change,
        reply,
        throttleMs,
        judge: (before) => healthAfter(before, reply, throttleMs, waits),
      }
    },
    interruptAll() {
      for (const posting of postings) posting.interrupt()
    },
  }
}

function requestHeaders(held: HeldDelivery, to: SendSettings, now: number): string[] {
  const timestamp = Math.floor(now / 1000)
  const keys = to.previousKey !== undefined && now < to.previousKeyEndsAt ? [to.key, to.previousKey] : [to.key]
  const headers = [
    ...to.headers,
    'webhook-id',
    held.eventId,
    'webhook-timestamp',
    String(timestamp),
    'webhook-signature',
    signatureOf(keys, held.eventId, timestamp, held.payload),
    'webhook-attempt',
    String(held.attempts + 1),
  ]
  if (held.traceparent !== undefined) headers.push('traceparent', held.traceparent)
  return headers
}

/** What a reply says about its endpoint. */
function healthAfter(
  before: EndpointHealth,
  reply: Reply,
  throttleMs: number | undefined,
  waits: BreakerWaits,
): EndpointHealth {
  const now = performance.now()
  switch (meaningOf(reply)) {
    case 'accepted':
    case 'rejected':
    case 'gone':
      return afterAnswer(before, waits)
    case 'throttled':
      return afterThrottle(
        before,
        now,
        throttleMs ?? 0,
        reply.kind === 'answer' && parseRetryAfter(reply.retryAfter, 0) !== undefined,
      )
    case 'later':
      return afterFailure(before, 'slow', now, waits)
    case 'failed': {
      const isQuick = reply.kind === 'answer' && reply.status !== 502 && reply.status !== 504
      return afterFailure(before, isQuick ? 'fast' : 'slow', now, waits)
    }
  }
}

function attemptOf(reply: Reply, startedAt: number, durationMs: number): Attempt {
  if (reply.kind === 'failure') {
    return { startedAt, durationMs, outcome: reply.reason, statusCode: null, error: reply.message, responseBody: null }
  }
  return {
    startedAt,
    durationMs,
    outcome: meaningOf(reply),
    statusCode: reply.status,
    error: null,
    responseBody: reply.body ?? null,
  }
}
