import { setTimeout as wait } from 'node:timers/promises'
import { untilConnected, type Bus } from '@frontdesk/events'
import { DeliverPolicy, type ConsumerMessages } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import type { Telemetry } from '../telemetry.ts'
import type { Sites } from './sites.ts'

const stream = 'EVT_REGISTRY'
const filter = 'evt.int.registry.site.*.v1.*'

export interface SiteEventsOptions {
  bus: Bus
  sites: Sites
  log: Logger
  telemetry: Telemetry
  signal: AbortSignal
}

/**
 * Drops sites from the cache as registry's events tell of them, until `signal` aborts. Each copy reads for itself, from
 * now on, with an ephemeral ordered consumer. What happened while it did not read is unknown, so that at each beginning
 * everything is asked again. The gateway serves with and without this.
 */
export async function followSiteEvents({ bus, sites, log, telemetry, signal }: SiteEventsOptions): Promise<void> {
  let warned = false
  let bound: ConsumerMessages | undefined
  telemetry.siteEventsFollowed(() => bound !== undefined && bus.isConnected())
  while (!signal.aborted) {
    const stop = () => void bound?.close()
    // The stream may be another one after an outage (a restored store): begin again rather than resume.
    const off = bus.onConnect(stop)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await untilConnected(bus, signal)
      if (signal.aborted) return
      const js = await bus.jetstream()
      // One filter as a string: lists of filters need nats-server 2.10.
      const consumer = await js.consumers.get(stream, { filter_subjects: filter, deliver_policy: DeliverPolicy.New })
      bound = await consumer.consume({ max_messages: 500, expires: 10_000, abort_on_missing_resource: true })
      if (signal.aborted) return
      sites.recheckAll()
      if (warned) log.info('following the events of sites again')
      warned = false
      for await (const message of bound) sites.drop(message.subject.slice(message.subject.lastIndexOf('.') + 1))
    } catch (error) {
      if (signal.aborted) return
      if (!warned) log.warn({ err: error }, 'the events of sites cannot be followed; changes take up to a minute')
      warned = true
    } finally {
      off()
      signal.removeEventListener('abort', stop)
      const last = bound
      bound = undefined
      await last?.close().catch(() => {})
    }
    await wait(500, undefined, { signal }).catch(() => {})
  }
}
