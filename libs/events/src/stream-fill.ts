import { streams } from '@frontdesk/contracts'
import type { Logger } from 'pino'
import type { Bus } from './bus.ts'
import type { EventMetrics } from './metrics.ts'
import { ifFound } from './streams.ts'

const measureEveryMs = 15_000

interface Measuring {
  service: string
  bus: Bus
  log: Logger
  metrics: EventMetrics
}

/**
 * Returns what measures the streams that the service publishes to, if that is due. It returns at once: publishing does not wait for
 * a figure. Nothing is set after `until` has aborted.
 */
export function createStreamMeasure({ service, bus, log, metrics }: Measuring, until: AbortSignal): () => void {
  const own = streams.filter(({ owner }) => owner === service)
  let measuredAt = -Infinity

  async function measure(): Promise<void> {
    const manager = await bus.manager()
    for (const { name: stream } of own) {
      const info = await ifFound(() => manager.streams.info(stream))
      if (until.aborted) return
      if (info === undefined || info.config.max_bytes <= 0) metrics.streamFill.remove({ stream })
      else metrics.streamFill.set({ stream }, info.state.bytes / info.config.max_bytes)
    }
  }

  return () => {
    const now = performance.now()
    if (!bus.isConnected() || now - measuredAt < measureEveryMs) return
    measuredAt = now
    measure().catch((error: unknown) => log.debug({ err: error }, 'how full the streams are is unknown'))
  }
}
