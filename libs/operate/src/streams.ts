import { randomUUID } from 'node:crypto'
import type { Consumer } from '@frontdesk/contracts'
import { startingAt, type Bus } from '@frontdesk/events'
import { AckPolicy, type JsMsg } from '@nats-io/jetstream'
import { managerOf } from './consumers.ts'

const batch = 500

/**
 * Yields the messages of a filter since a time, or all that the stream still has, in batches. It ends with the
 * message that was the last one when it began. It uses a consumer of its own, so no durable moves.
 */
export async function* readStreamSince(
  bus: Bus,
  { stream, filter }: Pick<Consumer, 'stream' | 'filter'>,
  since: Date | undefined,
): AsyncGenerator<JsMsg[]> {
  const manager = await managerOf(bus)
  const name = `operate-${randomUUID()}`
  const made = await manager.consumers.add(stream, {
    name,
    filter_subject: filter,
    ack_policy: AckPolicy.None,
    inactive_threshold: 60_000_000_000,
    mem_storage: true,
    ...startingAt(since),
  })
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
}
