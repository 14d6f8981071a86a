import { newEndpoint, type BreakerWaits, type EndpointHealth } from './endpoint.ts'
import { createQueue, type DeliveryQueue } from './queue.ts'

/** Where deliveries come from: straight from the intake, or claimed by the poller. */
export type Source = 'intake' | 'poller'

/** One endpoint in this process: the deliveries that wait for it, its requests in flight, and its health. */
export interface EndpointQueue {
  id: bigint
  health: EndpointHealth
  waiting: DeliveryQueue
  inFlight: number
  /** Whether older deliveries wait in Postgres. */
  backlog: boolean
  /** When its receiver last answered; -Infinity if it has not (monotonic). */
  answeredAt: number
  /** Since when it has had requests in flight without a break (monotonic). */
  askedAt: number
}

/**
 * The kinds of endpoints, by what this process knows of them. Each kind has its own share of requests and of memory, so that
 * endpoints that hang do not fill the share of those that answer.
 */
export const kinds = ['answering', 'idle', 'untried', 'failing'] as const
export type EndpointKind = (typeof kinds)[number]

const trustedForMs = 60_000
const silentAfterMs = 2_000

/**
 * The kind of an endpoint now: `answering` if its last answer is recent, and it is not silent at present; `idle` if it
 * answered the last time, which is some time ago.
 */
export function kindOf({ health, inFlight, answeredAt, askedAt }: EndpointQueue, now: number): EndpointKind {
  const isSilent = inFlight > 0 && now - Math.max(answeredAt, askedAt) > silentAfterMs
  if (now - answeredAt < trustedForMs && !isSilent && !health.open) return 'answering'
  if (health.failures > 0) return 'failing'
  return answeredAt === -Infinity ? 'untried' : 'idle'
}

const patienceMs = 500

/** Whether an endpoint of this kind answered when it was last asked. */
export const isTrusted = (kind: EndpointKind) => kind === 'answering' || kind === 'idle'

/** Whether an endpoint that is not trusted lets a request wait: it has no use for more deliveries in memory. */
export const isHanging = (queue: EndpointQueue, now: number) =>
  queue.inFlight > 0 && now - queue.askedAt > patienceMs && !isTrusted(kindOf(queue, now))

/** The most that one of many may take of what is free: an eighth, so that something is always left for the others. */
export const fairShare = (free: number) => Math.max(1, Math.floor(free / 8))

export function newEndpointQueue(id: bigint, waits: BreakerWaits): EndpointQueue {
  return {
    id,
    health: newEndpoint(waits),
    waiting: createQueue(),
    inFlight: 0,
    backlog: false,
    answeredAt: -Infinity,
    askedAt: -Infinity,
  }
}

/**
 * How many more deliveries an endpoint queue takes. The intake may fill it, unless older deliveries wait in Postgres: then
 * both sources get a share. The poller brings two windows' worth at most, so that a backlog starts slowly.
 */
export function roomIn(queue: EndpointQueue, source: Source, longest: number, now: number): number {
  const { health } = queue
  if (now < health.quietUntil) return 0
  const taken = queue.inFlight + queue.waiting.length
  if (health.open) return source === 'poller' && taken === 0 ? 1 : 0
  if (source === 'poller') return Math.max(0, 2 * health.window - taken)
  return Math.max(0, (queue.backlog ? health.window : longest) - taken)
}

const flowingMs = 250

/** How many deliveries wait for a receiver that answers; 0 for one that hangs. */
export function flowing(queue: EndpointQueue, now: number): number {
  return now - queue.answeredAt < flowingMs ? queue.waiting.length : 0
}

/** Whether an endpoint queue may be forgotten: nothing is in it, and the endpoint may be asked. */
export function isIdle({ health, inFlight, waiting, backlog }: EndpointQueue, now: number): boolean {
  return inFlight === 0 && waiting.length === 0 && !backlog && now >= health.quietUntil
}
