import { siteEventsFilter } from '@frontdesk/contracts'
import { untilConnected, type Bus } from '@frontdesk/events'
import { repeat } from '@frontdesk/service/background'
import type { Subscription } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import type { GatewayMetrics } from '../metrics.ts'
import type { Sites } from './sites.ts'

export interface SiteEventsDeps {
  bus: Bus
  sites: Sites
  log: Logger
  metrics: GatewayMetrics
  signal: AbortSignal
}

/**
 * Drops sites from the cache on registry's events until `signal` aborts. Each replica hears all new events, as they pass the
 * server on their way into their stream: only that needs no right to make consumers. It misses events while it is not
 * connected, so whenever it begins it has every site asked again. The gateway also serves without this.
 */
export function followSiteEvents({ bus, sites, log, metrics, signal }: SiteEventsDeps): Promise<void> {
  let warned = false
  let messages: Subscription | undefined
  metrics.siteEventsFollowed(() => messages !== undefined && bus.isConnected())

  async function follow(): Promise<void> {
    const stop = () => messages?.unsubscribe()
    const off = bus.onConnect(stop)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await untilConnected(bus, signal)
      if (signal.aborted) return
      const connection = await bus.connection()
      const subscription = connection.subscribe(siteEventsFilter)
      // The server knows of the subscription: no later event is missed.
      await connection.flush()
      messages = subscription
      if (signal.aborted) return
      sites.recheckAll()
      if (warned) log.info('following site events again')
      warned = false
      for await (const { subject } of subscription) sites.drop(subject.slice(subject.lastIndexOf('.') + 1))
    } finally {
      off()
      signal.removeEventListener('abort', stop)
      messages?.unsubscribe()
      messages = undefined
    }
  }

  function onError(error: unknown): void {
    if (!warned) log.warn({ err: error }, 'site events cannot be followed; changes of sites take up to a minute')
    warned = true
  }

  return repeat({ everyMs: 500, signal, onError }, follow).stopped
}
