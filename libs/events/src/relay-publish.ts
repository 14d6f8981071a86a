import { JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream'
import { errors, headers, type MsgHdrs } from '@nats-io/transport-node'
import type { PendingEvent, PublishedEvent } from './relay-store.ts'

export interface Failure {
  event: PendingEvent
  error: unknown
}

export interface Acknowledged extends PublishedEvent {
  /** The stream had the event already: the sequence is that of the first time. */
  duplicate: boolean
}

/** The outcome of publishing a batch of one stream's events. */
export interface BatchResult {
  key: string
  published: Acknowledged[]
  /** Failures that pass: a full or missing stream, a time-out. */
  failures: Failure[]
  /** Events that the server can never take. */
  refused: Failure[]
}

/**
 * Publishes events of one stream: the aggregates in parallel, each one's events in order. Once one event fails, nothing
 * more is begun. An event that can never be taken is skipped, and the later ones of its aggregate go on: an event has the
 * whole state, so a consumer loses nothing else, while holding them back would stop the aggregate for good.
 */
export async function publishBatch(
  js: JetStreamClient,
  key: string,
  pending: readonly PendingEvent[],
): Promise<BatchResult> {
  const result: BatchResult = { key, published: [], failures: [], refused: [] }
  const chains = Map.groupBy(pending, (event) => `${event.aggregateType} ${event.aggregateId}`)
  const inOrder = async (chain: readonly PendingEvent[]): Promise<void> => {
    for (const event of chain) {
      if (result.failures.length > 0) return
      try {
        result.published.push(await publish(js, event))
      } catch (error) {
        const failed = { event, error }
        if (isRefusedForever(error)) result.refused.push(failed)
        else return void result.failures.push(failed)
      }
    }
  }
  await Promise.all([...chains.values()].map(inOrder))
  return result
}

async function publish(js: JetStreamClient, event: PendingEvent): Promise<Acknowledged> {
  const ack = await js.publish(event.subject, event.payload, {
    msgID: event.id,
    headers: toNatsHeaders(event.headers),
    timeout: 5_000,
  })
  return { seq: event.seq, stream: ack.stream, streamSeq: ack.seq, duplicate: ack.duplicate }
}

// JetStream's codes: message size exceeds the maximum, header size exceeds the maximum.
const refusals = new Set([10054, 10097])

/** Whether an event fails however often it is published: its size, subject or headers are at fault. */
export function isRefusedForever(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return refusals.has(error.code)
  return error instanceof errors.InvalidSubjectError || error instanceof errors.InvalidArgumentError
}

/** Returns why publishing failed, in words for an operator. */
export function failureText(error: unknown): string {
  // Nobody answers on a subject that no stream has. The client calls that "jetstream is not enabled".
  if (!(error instanceof Error)) return String(error)
  return error.name === 'JetStreamNotEnabled' ? 'no stream takes this subject: is it provisioned?' : error.message
}

/** Returns the client's form of message headers. */
export function toNatsHeaders(pairs: Record<string, string>): MsgHdrs {
  const result = headers()
  for (const [name, value] of Object.entries(pairs)) result.set(name, value)
  return result
}
