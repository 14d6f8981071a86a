import { untilConnected, type Bus } from '@frontdesk/events'
import { repeat } from '@frontdesk/service/background'
import { DeliverPolicy, type ConsumerMessages } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import type { GatewayMetrics } from '../metrics.ts'
import type { Sites } from './sites.ts'

const stream = 'EVT_REGISTRY'
const filter = 'evt.int.registry.site.*.v1.*'

export interface SiteEventsDeps {
  bus: Bus
  sites: Sites
  log: Logger
  metrics: GatewayMetrics
  signal: AbortSignal
}

/**
 * Drops sites from the cache on registry's events until `signal` aborts. Each replica reads all new events with its own
 * ephemeral ordered consumer. It misses events while it does not read, so whenever it begins it has every site asked again.
 * The gateway also serves without this.
 */
export function followSiteEvents({ bus, sites, log, metrics, signal }: SiteEventsDeps): Promise<void> {
  let warned = false
  let messages: ConsumerMessages | undefined
  metrics.siteEventsFollowed(() => messages !== undefined && bus.isConnected())

  async function follow(): Promise<void> {
    const stop = () => void messages?.close()
    // After an outage the stream may be another one (a restored store): begin again rather than resume.
    const off = bus.onConnect(stop)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await untilConnected(bus, signal)
      if (signal.aborted) return
      const js = await bus.jetstream()
      // One filter as a string: lists of filters need nats-server 2.10.
      const consumer = await js.consumers.get(stream, { filter_subjects: filter, deliver_policy: DeliverPolicy.New })
      messages = await consumer.consume({ max_messages: 500, expires: 10_000, abort_on_missing_resource: true })
      if (signal.aborted) return
      sites.recheckAll()
      if (warned) log.info('following site events again')
      warned = false
      for await (const { subject } of messages) sites.drop(subject.slice(subject.lastIndexOf('.') + 1))
    } finally {
      off()
      signal.removeEventListener('abort', stop)
      const last = messages
      messages = undefined
      await last?.close().catch(() => {})
    }
  }

  function onError(error: unknown): void {
    if (!warned) log.warn({ err: error }, 'site events cannot be followed; changes of sites take up to a minute')
    warned = true
  }

  return repeat({ everyMs: 500, signal, onError }, follow).stopped
}
