import { createEventMetrics, watchBus } from '@frontdesk/events'
import { createDatabaseMetrics, createMetrics, createRequestMetrics, watchPools } from '@frontdesk/service/metrics'
import { createProviderMetrics } from '../../libs/providers/src/metrics.ts'

type Registry = ReturnType<typeof createMetrics>

/** A metric as the code registers it, and the services that have it. */
export interface Family {
  name: string
  type: string
  labels: readonly string[]
  /** What one of it is: seconds, a share, or things. */
  unit: string
  meaning: string
  services: string[]
}

const silent = { info() {}, warn() {}, error() {} }

/** Registers what a service's own `metrics.ts` has. Read at run time: no file may import the services of others. */
async function ownMetrics(service: string, file: string, name: string): Promise<(...args: unknown[]) => unknown> {
  const address = new URL(`../../services/${service}/src/${file}`, import.meta.url).href
  const module = (await import(address)) as Record<string, unknown>
  return module[name] as (...args: unknown[]) => unknown
}

const usesNats = (registry: Registry) => watchBus(registry, { isConnected: () => false })
const hasDatabase = (registry: Registry) => {
  createDatabaseMetrics(registry, () => ({ isUp: false, skewMs: 0 }))
  watchPools(registry, {})
}

/** Has a registry filled as each service fills its own. A test compares them with what the running services serve. */
const fill: Record<string, (registry: Registry) => void | Promise<void>> = {
  async gateway(registry) {
    usesNats(registry)
    const create = await ownMetrics('gateway', 'metrics.ts', 'createGatewayMetrics')
    const { siteEventsFollowed, inFlight, breakers } = create(registry) as Record<string, (source: unknown) => void>
    siteEventsFollowed?.(() => false)
    inFlight?.(() => ({}))
    breakers?.(() => [])
  },
  registry(registry) {
    usesNats(registry)
    hasDatabase(registry)
    createEventMetrics(registry)
  },
  accounts(registry) {
    usesNats(registry)
    hasDatabase(registry)
    createEventMetrics(registry)
    createProviderMetrics(silent, registry)
  },
  async payments(registry) {
    usesNats(registry)
    hasDatabase(registry)
    createEventMetrics(registry)
    createProviderMetrics(silent, registry)
    const create = await ownMetrics('payments', 'payment/metrics.ts', 'createPaymentMetrics')
    create(silent, registry)
  },
  async 'webhook-delivery'(registry) {
    usesNats(registry)
    hasDatabase(registry)
    createEventMetrics(registry)
    const create = await ownMetrics('webhook-delivery', 'metrics.ts', 'createDeliveryMetrics')
    create(registry)
  },
  'sandbox-provider'() {},
}

/** The services that serve metrics. */
export const measuredServices: readonly string[] = Object.keys(fill)

/** A metric with the members of prom-client that its types keep to themselves. */
interface Described {
  name: string
  help: string
  type: string
  labelNames?: readonly string[]
}

/** Returns every metric of every service, by name. */
export async function metricFamilies(): Promise<Family[]> {
  const families = new Map<string, Family>()
  for (const service of measuredServices) {
    const registry = createMetrics({ service, release: 'none' })
    createRequestMetrics(registry)
    await fill[service]?.(registry)
    const described = await registry.getMetricsAsJSON()
    for (const { name, type, help } of described) {
      const { labelNames = [] } = registry.getSingleMetric(name) as unknown as Described
      const labels = labelNames.filter((label) => label !== 'le')
      const known = families.get(name)
      if (known !== undefined) known.services.push(service)
      else
        families.set(name, {
          name,
          type: String(type),
          labels,
          unit: unitOf(name, help),
          meaning: help,
          services: [service],
        })
    }
  }
  return [...families.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function unitOf(name: string, help: string): string {
  if (/_seconds(_total)?$/.test(name)) return 'seconds'
  if (/_bytes$/.test(name)) return 'bytes'
  if (/_ratio$/.test(name)) return '0 to 1'
  if (/^(1 |Always 1|Whether)/.test(help)) return '0 or 1'
  return 'number'
}
