import { operatingConsumer, type Consumer } from '@frontdesk/contracts'
import { answerWithin } from '@frontdesk/database'
import { ifFound, startingAt, type Bus } from '@frontdesk/events'
import { AckPolicy, type ConsumerInfo, type JetStreamManager, type JsMsg } from '@nats-io/jetstream'

const batch = 500
/** How long a command's consumer outlives a command that was killed. */
const leftForMs = 60_000

/** The last reading of each bus: a service's user may have one such consumer on a stream. */
const readings = new WeakMap<Bus, Promise<void>>()

/**
 * Yields the messages of a filter since a time, or all that the stream still has, in batches. It ends with the
 * message that was the last one when it began. It uses a consumer of its own, so no durable moves; a second reading of the
 * same bus waits for the first one.
 */
export async function* readStreamSince(
  bus: Bus,
  { stream, filter }: Pick<Consumer, 'stream' | 'filter'>,
  since: Date | undefined,
): AsyncGenerator<JsMsg[]> {
  const before = readings.get(bus)
  const done = Promise.withResolvers<void>()
  readings.set(bus, done.promise)
  await before
  try {
    const manager = await managerOf(bus)
    const made = await makeReader(manager, bus, { stream, filter }, since)
    try {
      const reader = await (await bus.jetstream()).consumers.get(stream, made.name)
      for (let left = made.num_pending; left > 0;) {
        const messages: JsMsg[] = []
        const fetched = await reader.fetch({ max_messages: Math.min(batch, left), expires: 5_000 })
        for await (const message of fetched) messages.push(message)
        // Messages may have reached their age meanwhile.
        if (messages.length === 0) return
        left -= messages.length
        yield messages
      }
    } finally {
      await manager.consumers.delete(stream, made.name).catch(() => {})
    }
  } finally {
    done.resolve()
  }
}

/**
 * Makes the consumer of an operator's command. Throws if another command reads the stream with it: changing it would make that
 * one read something else.
 */
export async function makeReader(
  manager: JetStreamManager,
  bus: Bus,
  { stream, filter }: Pick<Consumer, 'stream' | 'filter'>,
  since: Date | undefined,
): Promise<ConsumerInfo> {
  const name = operatingConsumer(bus.name)
  if ((await ifFound(() => manager.consumers.info(stream, name))) !== undefined)
    throw new Error(
      `Another command reads ${stream}. Wait for its end; one that was killed is forgotten after a minute.`,
    )
  return await manager.consumers.add(stream, {
    name,
    filter_subject: filter,
    ack_policy: AckPolicy.None,
    inactive_threshold: leftForMs * 1_000_000,
    mem_storage: true,
    ...startingAt(since),
  })
}

/** Returns the manager once NATS is connected. Throws if it is not within 10 s. */
export function managerOf(bus: Bus): Promise<JetStreamManager> {
  return answerWithin(10_000, bus.manager(), 'NATS is not reachable (NATS_URL)')
}
