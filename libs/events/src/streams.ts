import { consumers as allConsumers, streamMaxMessageBytes, streams as allStreams } from '@frontdesk/contracts'
import type { Consumer, Stream } from '@frontdesk/contracts'
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
import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { connectNats, type NatsSettings } from './nats-settings.ts'
import { formatAge, formatBytes, streamSettings, type StreamSettings } from './stream-settings.ts'

/** One difference between the server and what it shall have. */
interface Step {
  /** `keep`: it stays, because the change would lose events. `wait`: its stream is not there yet. */
  kind: 'create' | 'change' | 'keep' | 'wait'
  /** For a person: `create stream EVT_PAYMENTS (2.1 GiB, 3 d, 1 replica)`. */
  text: string
  apply?: () => Promise<unknown>
}

export interface ProvisionOptions {
  /** Provisions only what this service owns. Default: everything. */
  service?: string | undefined
  /** The deployment's settings; `streamSettings` names them. Default: none. */
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** Changes nothing. */
  dryRun?: boolean | undefined
  /** Gets each line of text before it is applied. */
  report?: ((line: string) => void) | undefined
  /** Also lowers limits and makes other changes that may lose events. */
  force?: boolean | undefined
}

/** Selects what a service owns: the streams that it publishes to, and its own consumers. */
export function ownedBy(
  service: string,
  all: { streams: readonly Stream[]; consumers: readonly Consumer[] },
): { streams: Stream[]; consumers: Consumer[] } {
  return {
    streams: all.streams.filter((stream) => stream.owner === service),
    consumers: all.consumers.filter((consumer) => consumer.owner === service),
  }
}

/**
 * Compares the server with what it shall have and returns the differences, in the order to apply them. Changes nothing.
 * Throws StreamSettingError.
 */
async function planEvents(
  connection: NatsConnection,
  { service, env = {}, force = false }: ProvisionOptions,
): Promise<Step[]> {
  const all = { streams: allStreams, consumers: Object.values<Consumer>(allConsumers) }
  const wanted = service === undefined ? all : ownedBy(service, all)
  const manager = await jetstreamManager(connection, { timeout: 10_000 })
  return await plan(manager, streamSettings(env, wanted.streams), wanted.consumers, force)
}

/**
 * Creates or updates all streams and consumers, or those that one service owns.
 *
 * @param settings of the user `provisioner`
 * @returns a line of text for each difference; the streams that a consumer waits for are among them
 * @throws StreamSettingError, NatsSettingError, or Error if something stays as it is because changing it would lose events
 */
export async function provisionEvents(settings: NatsSettings, options: ProvisionOptions = {}): Promise<string[]> {
  const connection = await connectNats(settings, { name: 'provisioner', inboxPrefix: '_INBOX_provisioner' })
  try {
    const steps = await planEvents(connection, options)
    for (const { text } of steps) options.report?.(text)
    return options.dryRun ? steps.map((step) => step.text) : await applySteps(steps)
  } finally {
    await connection.close()
  }
}

/** Creates or updates these streams and consumers, with default settings. Throws as `provisionEvents`. */
export async function provisionStreams(
  connection: NatsConnection,
  streams: readonly Stream[],
  consumers: readonly Consumer[],
): Promise<string[]> {
  const manager = await jetstreamManager(connection, { timeout: 10_000 })
  return await applySteps(await plan(manager, streamSettings({}, streams), consumers, false))
}

/** Applies a plan and returns its lines. Throws at the end if something had to stay as it is. */
async function applySteps(steps: readonly Step[]): Promise<string[]> {
  for (const step of steps) await step.apply?.()
  const kept = steps.filter((step) => step.kind === 'keep')
  if (kept.length > 0) throw new Error(kept.map((step) => step.text).join('\n'))
  return steps.map((step) => step.text)
}

async function plan(
  manager: JetStreamManager,
  streams: readonly StreamSettings[],
  consumers: readonly Consumer[],
  force: boolean,
): Promise<Step[]> {
  const steps: Step[] = []
  for (const settings of streams) steps.push(...(await planStream(manager, settings, force)))
  const planned = new Set(streams.map(({ stream }) => stream.name))
  for (const consumer of consumers) steps.push(...(await planConsumer(manager, consumer, planned)))
  return steps
}

async function planStream(manager: JetStreamManager, settings: StreamSettings, force: boolean): Promise<Step[]> {
  const { stream, maxBytes, maxAgeMs, replicas = 1, storage = 'file' } = settings
  const present = await ifFound(() => manager.streams.info(stream.name))
  const config = streamConfig(settings)
  if (present === undefined) {
    const size = `${formatBytes(maxBytes)}, ${formatAge(maxAgeMs)}, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`
    const made = { ...config, num_replicas: replicas, storage: storageTypes[storage] }
    const text = `create stream ${stream.name} (${size})`
    return [{ kind: 'create', text, apply: () => manager.streams.add(made) }]
  }
  const changes: string[] = []
  const kept: string[] = []
  const change: Partial<StreamConfig> = {}
  for (const { field, wanted, mayLose, isOurDefault = false, format = String } of fields(settings, config)) {
    const has = present.config[field]
    if (wanted === undefined || JSON.stringify(has) === JSON.stringify(wanted)) continue
    const losing = mayLose(has, wanted)
    if (losing && isOurDefault) continue
    const difference = `${field} ${format(has)} -> ${format(wanted)}`
    if (losing && !force) kept.push(difference)
    else {
      changes.push(difference)
      Object.assign(change, { [field]: wanted })
    }
  }
  const steps: Step[] = []
  if (changes.length > 0) {
    const text = `change stream ${stream.name}: ${changes.join(', ')}`
    steps.push({ kind: 'change', text, apply: () => manager.streams.update(stream.name, change) })
  }
  if (kept.length > 0) {
    const why = 'this may lose events, and is done with --force only'
    steps.push({ kind: 'keep', text: `stream ${stream.name} stays as it is: ${kept.join(', ')}: ${why}` })
  }
  return steps
}

interface Field {
  field: keyof StreamConfig
  wanted: unknown
  mayLose: (has: unknown, wanted: unknown) => boolean
  /** The deployment has not set it: a present value that is larger is the deployment's own choice. */
  isOurDefault?: boolean
  format?: (value: unknown) => string
}

function fields(settings: StreamSettings, config: Partial<StreamConfig>): Field[] {
  const never = () => false
  const always = () => true
  // 0 or -1 is unlimited.
  const size = (value: unknown) => (Number(value) > 0 ? Number(value) : Infinity)
  const lowered = (has: unknown, wanted: unknown) => size(wanted) < size(has)
  const age = (value: unknown) => formatAge(Number(value) / 1_000_000)
  const bytes = (value: unknown) => formatBytes(Number(value))
  const { isSet, replicas, storage } = settings
  return [
    { field: 'subjects', wanted: config.subjects, mayLose: never },
    { field: 'retention', wanted: config.retention, mayLose: always },
    { field: 'storage', wanted: storage && storageTypes[storage], mayLose: always },
    { field: 'num_replicas', wanted: replicas, mayLose: lowered },
    { field: 'max_bytes', wanted: config.max_bytes, mayLose: lowered, isOurDefault: !isSet.maxBytes, format: bytes },
    { field: 'max_age', wanted: config.max_age, mayLose: lowered, isOurDefault: !isSet.maxAge, format: age },
    { field: 'duplicate_window', wanted: config.duplicate_window, mayLose: lowered, isOurDefault: true, format: age },
    { field: 'max_msg_size', wanted: config.max_msg_size, mayLose: lowered, isOurDefault: true, format: bytes },
    { field: 'discard', wanted: config.discard, mayLose: never },
    { field: 'allow_direct', wanted: config.allow_direct, mayLose: never },
    { field: 'deny_delete', wanted: config.deny_delete, mayLose: never },
    { field: 'deny_purge', wanted: config.deny_purge, mayLose: never },
  ]
}

const storageTypes = { file: StorageType.File, memory: StorageType.Memory }

function streamConfig({ stream, maxBytes, maxAgeMs }: StreamSettings): Partial<StreamConfig> & { name: string } {
  const log = stream.name.startsWith('EVT_')
  return {
    name: stream.name,
    subjects: stream.subjects,
    retention: stream.retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    discard: stream.discard === 'new' ? DiscardPolicy.New : DiscardPolicy.Old,
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    max_msg_size: streamMaxMessageBytes,
    duplicate_window: nanos(stream.duplicateWindowMs),
    allow_direct: true,
    deny_delete: log,
    deny_purge: log,
  }
}

async function planConsumer(
  manager: JetStreamManager,
  consumer: Consumer,
  planned: ReadonlySet<string>,
): Promise<Step[]> {
  const { name, stream } = consumer
  const wanted = consumerConfig(consumer)
  const present = await ifFound(() => manager.consumers.info(stream, name))
  if (present === undefined) {
    const isThere = planned.has(stream) || (await ifFound(() => manager.streams.info(stream))) !== undefined
    if (!isThere) {
      const owner = allStreams.find((one) => one.name === stream)?.owner
      const text = `consumer ${name} waits for stream ${stream}, which ${owner} provisions; the service then makes it itself`
      return [{ kind: 'wait', text }]
    }
    const made = { ...wanted, ...startingAt(undefined) }
    return [{ kind: 'create', text: `create consumer ${name}`, apply: () => manager.consumers.add(stream, made) }]
  }
  // Not where it began: a consumer that was made again began at its recorded position.
  const has = new Map<string, unknown>(Object.entries(present.config))
  const changed = Object.entries(wanted).filter(([field, value]) => has.get(field) !== value)
  if (changed.length === 0) return []
  const text = `change consumer ${name}: ${changed.map(([field, to]) => `${field} ${String(has.get(field))} -> ${String(to)}`).join(', ')}`
  return [{ kind: 'change', text, apply: () => manager.consumers.update(stream, name, Object.fromEntries(changed)) }]
}

/** Returns the configuration of a durable, without where it begins. */
export function consumerConfig(consumer: Consumer) {
  return {
    durable_name: consumer.name,
    ack_policy: AckPolicy.Explicit,
    filter_subject: consumer.filter,
    ack_wait: nanos(consumer.ackWaitMs),
    max_ack_pending: consumer.maxAckPending,
    max_deliver: -1,
  }
}

/** Returns where a consumer begins: with the first message stored at this time or later, or with the first of all. */
export function startingAt(time: Date | undefined) {
  return time === undefined
    ? { deliver_policy: DeliverPolicy.All }
    : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: time.toISOString() }
}

/** Returns the server's answer; undefined if it does not have what is asked for (404). */
export async function ifFound<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return undefined
    throw error
  }
}
