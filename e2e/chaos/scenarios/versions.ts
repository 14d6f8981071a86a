import { connectNats } from '@frontdesk/events'
import { randomUUID } from 'node:crypto'
import { consumers } from '@frontdesk/contracts'
import { AckPolicy, DeliverPolicy, jetstream, type JetStreamClient } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import type { Scenario } from '../scenario.ts'

interface Event {
  id: string
  type: string
  dataschema: string
  data: Record<string, unknown>
}

/** Reads the events of a stream from the start. */
async function readEvents(
  js: JetStreamClient,
  stream: string,
  filter: string,
): Promise<{ subject: string; event: Event }[]> {
  const manager = await js.jetstreamManager()
  const info = await manager.consumers.add(stream, {
    filter_subject: filter,
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.None,
    inactive_threshold: 10_000_000_000,
  })
  if (info.num_pending === 0) return []
  const consumer = await js.consumers.get(stream, info.name)
  const found: { subject: string; event: Event }[] = []
  for await (const message of await consumer.fetch({ max_messages: Math.min(info.num_pending, 500), expires: 5_000 })) {
    found.push({ subject: message.subject, event: message.json<Event>() })
  }
  return found
}

async function publish(js: JetStreamClient, subject: string, event: Event): Promise<void> {
  const more = headers()
  more.set('content-type', 'application/cloudevents+json')
  more.set('x-event-type', event.type)
  await js.publish(subject, JSON.stringify(event), { msgID: event.id, headers: more })
}

export const newerProducer: Scenario = {
  name: 'newer-producer',
  title: 'Newer producers publish a new type, new members and values, and version 2 of each outcome beside version 1',
  async play({ environment, inject, during, recovered, expect }) {
    await during(4, 10)
    const connection = await connectNats(environment.system.devStack.dev.nats.administrator, { name: 'chaos' })
    try {
      const js = jetstream(connection)
      const sites = await readEvents(js, 'EVT_REGISTRY', 'evt.int.registry.site.*.v1.*')
      for (const { subject, event } of sites.slice(-5)) {
        const { data } = event
        const site = subject.split('.').at(-1)
        const merged = { ...event, id: randomUUID(), type: 'site.merged', data: { ...data, into: 's999' } }
        await publish(js, `evt.int.registry.site.merged.v1.${site}`, merged)
        const changed = { ...data, siteStatus: 'Relocated', floor: 2, version: Number(data['version']) + 100 }
        await publish(js, `evt.int.registry.site.updated.v1.${site}`, {
          ...event,
          id: randomUUID(),
          type: 'site.updated',
          data: changed,
        })
      }
      inject('site.merged and site.updated with a new status and a new member')
      const outcomes = await readEvents(js, 'EVT_PAYMENTS', consumers.deliveryPayments.filter.replace('>', '*.*.v1.*'))
      for (const { subject, event } of outcomes) {
        // The time of its UUIDv7 stays.
        const id = event.id.slice(0, 19) + randomUUID().slice(19)
        const second = { ...event, id, dataschema: event.dataschema.replace('/v1.json', '/v2.json') }
        await publish(js, subject.replace('.v1.', '.v2.'), second)
      }
      inject(`version 2 of ${outcomes.length} outcomes`)
      expect(outcomes.length > 0, 'there are outcomes to publish twice')
    } finally {
      await connection.close()
    }
    recovered()
    await during(4, 10)
    const received = environment.practices.flatMap(({ subscriber }) => subscriber.deliveries)
    const doubled = received.filter(({ event }) => event.dataschema?.endsWith('/v2.json') === true).length
    expect(doubled === 0, `subscribers get one version of an event (${doubled} came as version 2 too)`)
  },
}
