import { setTimeout as wait } from 'node:timers/promises'
import { consumers, type Consumer } from '@frontdesk/contracts'
import { consumerConfig, ifFound, startingAt, type Bus } from '@frontdesk/events'
import { DeliverPolicy, type ConsumerInfo, type JetStreamManager } from '@nats-io/jetstream'
import { UsageError, type Command } from './program.ts'
import { makeReader, managerOf } from './streams.ts'

const tries = 5

/** The commands for the durable consumers of a service. */
export function consumerCommands(service: string): Command<{ bus: Bus }>[] {
  const own = Object.values(consumers).filter(({ owner }) => owner === service)
  return [
    {
      name: 'consumers list',
      usage: '',
      does: 'Lists the durable consumers: how far each has come, and what waits.',
      async run({ bus }, { say }) {
        const manager = await managerOf(bus)
        let complete = true
        for (const consumer of own) {
          const info = await ifFound(() => manager.consumers.info(consumer.stream, consumer.name))
          complete &&= info !== undefined
          say(info === undefined ? `${consumer.name}  missing on ${consumer.stream}` : lineOf(info))
        }
        return complete
      },
    },
    {
      name: 'consumers rewind',
      usage: 'CONSUMER --to TIME',
      does: 'Has a durable consumer get the messages since that time again; those that it knows do nothing.',
      options: { to: 'string' },
      most: 1,
      async run({ bus }, { args: [name], time, say, dryRun }) {
        const consumer = own.find((each) => each.name === name)
        const to = time('to')
        if (consumer === undefined) {
          throw new UsageError(
            `${service} has no consumer "${name ?? ''}", but ${own.map((each) => each.name).join(', ')}.`,
          )
        }
        if (to === undefined) throw new UsageError('consumers rewind needs --to.')
        const manager = await managerOf(bus)
        const messages = await countSince(manager, bus, consumer, to)
        if (!dryRun) await makeAgain(manager, consumer, to)
        say(`${consumer.name} gets ${messages} messages of ${consumer.stream} since ${to.toISOString()} again`)
        if (!dryRun) say('the running service binds to it again within seconds; watch consumers list')
        return true
      },
    },
  ]
}

function lineOf(info: ConsumerInfo): string {
  const { name, stream_name: stream, ack_floor: floor, delivered } = info
  const waits = `${info.num_pending} wait, ${info.num_ack_pending} are being handled, ${info.num_redelivered} again`
  const last = delivered.last_active === undefined ? '' : `; the last at ${delivered.last_active}`
  return `${name}  ${stream}: acknowledged to ${floor.stream_seq}; ${waits}${last}`
}

/** Counts the messages of a consumer's filter since a time, with a consumer that is gone afterwards. */
async function countSince(manager: JetStreamManager, bus: Bus, consumer: Consumer, since: Date): Promise<number> {
  const { stream } = consumer
  // A work queue allows one consumer for each subject: only the messages that nobody has acknowledged are left in it.
  const { config } = await manager.streams.info(stream)
  if (config.retention === 'workqueue')
    throw new UsageError(`${stream} is a work queue: what was acknowledged is gone.`)
  const probe = await makeReader(manager, bus, consumer, since)
  await manager.consumers.delete(stream, probe.name)
  return probe.num_pending
}

/** Deletes the durable and adds it at a time. The running service may add it in between, at its own place: then again. */
async function makeAgain(manager: JetStreamManager, consumer: Consumer, to: Date): Promise<void> {
  const { stream, name } = consumer
  for (let attempt = 1; ; attempt++) {
    try {
      await ifFound(() => manager.consumers.delete(stream, name))
      const made = await manager.consumers.add(stream, { ...consumerConfig(consumer), ...startingAt(to) })
      if (made.config.deliver_policy === DeliverPolicy.StartTime) return
    } catch (error) {
      if (attempt === tries) throw error
    }
    if (attempt === tries) throw new Error(`${name} was made again by somebody else each time`)
    await wait(200)
  }
}
