import type { Pool } from '@frontdesk/database'
import type { Logger } from 'pino'
import type { DatabaseClock } from '../database-clock.ts'
import { throttleEndpoint } from '../endpoints/store.ts'
import { timeOfId } from '../event-ids.ts'
import type { LeasedDelivery } from '../leases/leased.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { Attempt, Change } from '../recording/store.ts'
import { decideAttempt, decideOutcome, longestLifeMs, type RetryPolicy } from '../replies/outcome.ts'
import { meaningOf, type Reply } from '../replies/reply.ts'
import type { SubscriptionHealth } from '../subscriptions/health.ts'
import type { Connections } from './connections.ts'
import { interrupted, post, type Posting } from './post.ts'
import type { SendSettings, SettingsCache } from './settings.ts'
import { signatureOf } from './signing.ts'

const unreadableWaitMs = 60_000

export interface SenderDeps {
  pool: Pool
  connections: Connections
  settings: SettingsCache
  recorder: Recorder
  health: SubscriptionHealth
  clock: DatabaseClock
  policy: RetryPolicy
  deadlineMs: number
  /** A request starts only while at least this much of its lease is left. */
  leaseReserveMs: number
  log: Logger
  metrics: DeliveryMetrics
}

/** The reply of an endpoint, and the silence it asked for. */
export interface Answered {
  reply: Reply
  throttleMs: number | undefined
}

export interface Sender {
  /**
   * Makes the one attempt at a delivery: checks that it may be made, signs, sends, decides on the reply, and hands the
   * outcome to the recorder. Returns undefined if nothing was sent or no reply came. Rejects while Postgres is away.
   *
   * @param throttleStep how often in a row the endpoint has answered 429 without a time, asked for after the reply
   */
  attempt(delivery: LeasedDelivery, throttleStep: () => number): Promise<Answered | undefined>
  /** Aborts all requests under way; their deliveries are given back. */
  interruptAll(): void
}

export function createSender(deps: SenderDeps): Sender {
  const { connections, settings, recorder, health, clock, policy, metrics } = deps
  const postings = new Set<Posting>()

  async function send(delivery: LeasedDelivery, to: SendSettings): Promise<Reply | typeof interrupted> {
    const posting = post(connections, {
      origin: to.origin,
      path: to.path,
      headers: requestHeaders(delivery, to, clock.now()),
      body: delivery.payload,
      deadlineMs: deps.deadlineMs,
    })
    postings.add(posting)
    try {
      return await posting.reply
    } finally {
      postings.delete(posting)
    }
  }

  /** Tells the subscription's health and the other replicas about a reply. */
  function share(delivery: LeasedDelivery, reply: Reply, throttleMs: number | undefined): void {
    const meaning = meaningOf(reply)
    if (meaning === 'failed' || meaning === 'later') health.count(delivery.subscriptionId, 'failed')
    // Only a subscription that was failing, or may be paused, has failures to forget. One that is gone is not well.
    else if (meaning !== 'throttled' && meaning !== 'gone' && (delivery.failing || delivery.manual))
      health.count(delivery.subscriptionId, 'answered')
    if (throttleMs === undefined) return
    throttleEndpoint(deps.pool, delivery.endpointId, throttleMs).catch((error) => {
      deps.log.warn({ err: error }, 'other replicas could not be told to throttle an endpoint')
    })
  }

  return {
    async attempt(delivery, throttleStep) {
      // By the monotonic clock: a process that was suspended must not send deliveries that others have taken over.
      if (delivery.leasedUntil - performance.now() < deps.leaseReserveMs) return void recorder.release(delivery)
      const progress = {
        step: delivery.step,
        endsAt: timeOfId(delivery.eventId) + longestLifeMs,
        expiresAt: delivery.expiresAt,
        throttleStep: 0,
      }
      const verdict = decideAttempt(progress, clock.now())
      if (verdict !== 'send') {
        return void recorder.record({ delivery, state: verdict, waitMs: 0, charged: false, attempt: undefined })
      }
      const { subscriptionId, version } = delivery
      const to = settings.peek(subscriptionId, version) ?? (await settings.get(subscriptionId, version))
      if (to === undefined) {
        // A key is missing: an operator's fault, which must cost the delivery no attempt.
        const waitMs = unreadableWaitMs
        return void recorder.record({ delivery, state: 'pending', waitMs, charged: false, attempt: undefined })
      }
      const startedAt = performance.now()
      const reply = await send(delivery, to)
      if (reply === interrupted) return void recorder.release(delivery)
      const durationMs = performance.now() - startedAt
      metrics.requestSeconds.observe(durationMs / 1000)
      if (delivery.attempts === 0)
        metrics.firstAttemptSeconds.observe(Math.max(0, clock.now() - timeOfId(delivery.eventId)) / 1000)
      const outcome = decideOutcome({ ...progress, throttleStep: throttleStep() }, reply, clock.now(), policy)
      const change: Change = {
        delivery,
        state: outcome.state,
        waitMs: outcome.state === 'pending' ? outcome.waitMs : 0,
        charged: outcome.state === 'exhausted' || (outcome.state === 'pending' && outcome.charged),
        attempt: attemptOf(reply, startedAt, durationMs),
        ...(outcome.state === 'rejected' && outcome.gone ? { gone: true } : {}),
      }
      const throttleMs = outcome.state === 'pending' ? outcome.throttleMs : undefined
      recorder.record(change)
      deps.log.info(attemptLine(change), 'attempt')
      share(delivery, reply, throttleMs)
      return { reply, throttleMs }
    },
    interruptAll() {
      for (const posting of postings) posting.interrupt()
    },
  }
}

/** One line for each attempt. Addresses are not in it: they may hold secrets of the receiver. */
function attemptLine({ delivery, state, waitMs, attempt }: Change): object {
  return {
    eventId: delivery.eventId,
    subscriptionId: delivery.subscriptionId,
    endpointId: String(delivery.endpointId),
    attempt: delivery.attempts + 1,
    outcome: attempt?.outcome,
    ...(attempt?.statusCode == null ? {} : { status: attempt.statusCode }),
    ms: Math.round(attempt?.durationMs ?? 0),
    state,
    ...(state === 'pending' ? { againInMs: Math.round(waitMs) } : {}),
    traceId: delivery.traceparent?.split('-')[1],
  }
}

function requestHeaders(delivery: LeasedDelivery, to: SendSettings, now: number): string[] {
  const timestamp = Math.floor(now / 1000)
  const keys = to.previousKey !== undefined && now < to.previousKeyEndsAt ? [to.key, to.previousKey] : [to.key]
  const headers = [
    ...to.headers,
    'webhook-id',
    delivery.eventId,
    'webhook-timestamp',
    String(timestamp),
    'webhook-signature',
    signatureOf(keys, delivery.eventId, timestamp, delivery.payload),
    'webhook-attempt',
    String(delivery.attempts + 1),
  ]
  if (delivery.traceparent !== undefined) headers.push('traceparent', delivery.traceparent)
  return headers
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
    responseBody: reply.body === undefined ? null : keptBody(reply.body, meaningOf(reply) === 'accepted'),
  }
}

// Nobody reads the replies to accepted deliveries, and with millions of them they would be most of the database.
const keptOfAccepted = 256

/** The part of a reply's body that is kept, whole characters of UTF-8. */
function keptBody(body: Buffer, isAccepted: boolean): Buffer {
  if (!isAccepted || body.byteLength <= keptOfAccepted) return body
  let end = keptOfAccepted
  while (end > 0 && ((body[end] ?? 0) & 0xc0) === 0x80) end--
  return body.subarray(0, end)
}
