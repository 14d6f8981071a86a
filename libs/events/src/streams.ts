import { consumers, streamMaxMessageBytes, streams, type Consumer, type Stream } from '@frontdesk/contracts'
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstreamManager,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream'
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node'

export interface ProvisionOptions {
  /** Replicas of each stream: 3 in production, 1 on a single server. Default 1. */
  replicas?: number
  /** Called with a line of text for each stream or consumer that was created or changed. */
  report?: (line: string) => void
}

/**
 * Creates or updates all streams and consumers, or only those that `service` needs to run alone.
 *
 * @param natsUrl one or more servers, separated by commas
 * @returns a line of text for each stream or consumer that was created or changed
 */
export async function provisionEvents(natsUrl: string, service?: string): Promise<string[]> {
  const changes: string[] = []
  const all = { streams, consumers: Object.values(consumers) }
  const wanted = service === undefined ? all : ownedBy(service, all)
  const connection = await connect({ servers: natsUrl.split(','), name: 'provision' })
  try {
    await provisionStreams(connection, wanted.streams, wanted.consumers, { report: (line) => changes.push(line) })
    return changes
  } finally {
    await connection.close()
  }
}

/**
 * Creates or updates streams and durable consumers as the contracts describe them. Idempotent.
 * Throws on a change that could lose messages (another retention, a lower maximum age): a person must make it.
 */
export async function provisionStreams(
  connection: NatsConnection,
  streams: readonly Stream[],
  consumers: readonly Consumer[],
  { replicas = 1, report = () => {} }: ProvisionOptions = {},
): Promise<void> {
  const manager = await jetstreamManager(connection, { timeout: 10_000 })
  for (const stream of streams) await provisionStream(manager, stream, replicas, report)
  for (const consumer of consumers) await provisionConsumer(manager, consumer, report)
}

/** Selects what a service needs to run alone: its streams and consumers, the dead letters, and the streams it reads. */
export function ownedBy(
  service: string,
  all: { streams: readonly Stream[]; consumers: readonly Consumer[] },
): { streams: Stream[]; consumers: Consumer[] } {
  const consumers = all.consumers.filter((consumer) => consumer.owner === service)
  const read = new Set(consumers.map((consumer) => consumer.stream))
  const streams = all.streams.filter(
    (stream) => stream.owner === service || stream.owner === 'all' || read.has(stream.name),
  )
  return { streams, consumers }
}

function streamConfig(stream: Stream, replicas: number): Partial<StreamConfig> & { name: string } {
  const log = stream.name.startsWith('EVT_')
  return {
    name: stream.name,
    subjects: stream.subjects,
    retention: stream.retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    discard: stream.discard === 'new' ? DiscardPolicy.New : DiscardPolicy.Old,
    storage: StorageType.File,
    max_age: nanos(stream.maxAgeMs),
    max_bytes: stream.maxBytes,
    max_msg_size: streamMaxMessageBytes,
    duplicate_window: nanos(stream.duplicateWindowMs),
    num_replicas: replicas,
    allow_direct: true,
    deny_delete: log,
    deny_purge: log,
  }
}

async function provisionStream(
  manager: JetStreamManager,
  stream: Stream,
  replicas: number,
  report: (line: string) => void,
): Promise<void> {
  const wanted = streamConfig(stream, replicas)
  const present = await found(() => manager.streams.info(stream.name))
  if (present === undefined) {
    await manager.streams.add(wanted)
    report(`created stream ${stream.name}`)
    return
  }
  const has = present.config
  if (has.retention !== wanted.retention)
    throw new Error(`${stream.name}: retention ${has.retention} cannot be changed`)
  if (has.max_age > (wanted.max_age ?? 0)) throw new Error(`${stream.name}: a lower max_age would drop messages`)
  const changed = differences(has, wanted)
  if (changed.length === 0) return
  await manager.streams.update(stream.name, wanted)
  report(`changed stream ${stream.name}: ${changed.join(', ')}`)
}

async function provisionConsumer(
  manager: JetStreamManager,
  consumer: Consumer,
  report: (line: string) => void,
): Promise<void> {
  const wanted = {
    durable_name: consumer.name,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    filter_subject: consumer.filter,
    ack_wait: nanos(consumer.ackWaitMs),
    max_ack_pending: consumer.maxAckPending,
    max_deliver: -1,
  }
  const present = await found(() => manager.consumers.info(consumer.stream, consumer.name))
  if (present === undefined) {
    await manager.consumers.add(consumer.stream, wanted)
    report(`created consumer ${consumer.name}`)
    return
  }
  const changed = differences(present.config, wanted)
  if (changed.length === 0) return
  await manager.consumers.update(consumer.stream, consumer.name, wanted)
  report(`changed consumer ${consumer.name}: ${changed.join(', ')}`)
}

function differences(has: object, wanted: object): string[] {
  const present = new Map<string, unknown>(Object.entries(has))
  return Object.entries(wanted)
    .filter(([name, value]) => JSON.stringify(present.get(name)) !== JSON.stringify(value))
    .map(([name]) => name)
}

async function found<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return undefined
    if (error instanceof Error && /not found/.test(error.message)) return undefined
    throw error
  }
}
