import type { SiteAccess } from '@frontdesk/contracts'
import { subscribe } from '../../e2e/system/practice.ts'
import { rounds } from '../harness/wait.ts'
import { forEachOf, processorTimeOf, shares } from '../harness/processor-time.ts'
import { openRemote, type RemoteProcess } from '../harness/remote.ts'
import type { Report } from '../harness/results.ts'
import { percentile } from '../harness/statistics.ts'
import {
  benchPrincipal,
  siteAccess,
  startMeasuredSystem,
  type MeasuredSystem,
  type RunOptions,
} from '../harness/measured-system.ts'
import type { BareProxyMethods } from '../processes/bare-proxy.ts'
import type { Requests, RequestsMethods } from '../processes/requests.ts'

const roundCount = 3
const perSecond = 500
const seconds = 10
const warmUpSeconds = 15

/** Measures what the gateway adds to a GET, with warm caches, compared with asking the service directly. */
export async function measureGateway(report: Report, options: RunOptions): Promise<void> {
  await using system = await startMeasuredSystem(options)
  await using requests = openRemote<RequestsMethods>('requests.ts')
  await using proxy = openRemote<BareProxyMethods>('bare-proxy.ts')
  await using relay = openRemote<BareProxyMethods>('bare-proxy.ts')
  report.say(`gateway: GET of a subscription, ${perSecond} requests/s; through the gateway, and at the service itself`)
  const site = await openSite(system)
  const proxyPort = await proxy.call.listen(system.url('webhook-delivery'))
  const relayPort = await relay.call.relay(system.url('webhook-delivery'))
  const trees = {
    gateway: system.pid('gateway'),
    service: system.pid('webhook-delivery'),
    proxy: proxy.pid,
    relay: relay.pid,
  }
  const path = `/api/v1/sites/${site.slug}/webhooks/payments`
  const asClient = async () => ({ authorization: `Bearer ${await system.newToken('bench')}` })
  /** One signature for all requests of a round: they are the same, and it is valid for longer. */
  async function asGateway(): Promise<Record<string, string>> {
    const { issuer } = system
    const token = await issuer.mint('webhook-delivery', { principal: benchPrincipal(system), site })
    return issuer.sign('webhook-delivery', { method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
  }

  async function measure(origin: string, headers: () => Promise<Record<string, string>>): Promise<Measured> {
    const get = { origin, paths: [path], method: 'GET' as const, headers: await headers() }
    // The process has to compile its code for this load first; five seconds were not enough.
    await answered(requests, { ...get, seconds: 3, load: { atATime: 4 } })
    await answered(requests, { ...get, seconds: warmUpSeconds, load: { perSecond } })
    const { value, spent } = await processorTimeOf(trees, () =>
      answered(requests, { ...get, seconds, load: { perSecond } }),
    )
    return { p99: percentile([...value], 0.99), microseconds: forEachOf(value.length, spent) }
  }

  const kept = await rounds(roundCount, async () => ({
    direct: await measure(system.url('webhook-delivery'), asGateway),
    relayed: await measure(`http://127.0.0.1:${relayPort}`, asGateway),
    bare: await measure(`http://127.0.0.1:${proxyPort}`, asGateway),
    via: await measure(system.devStack.dev.gateway, asClient),
  }))
  const p99 = (way: Way): number[] => kept.map((round) => round[way].p99)
  const added = (way: Way): number[] =>
    kept.map((round) => sum(round[way].microseconds) - sum(round.direct.microseconds))
  report.add('gateway.added_cpu_us', 'us', added('via'), { atMost: 100 })
  report.add('gateway.bare_proxy_cpu_us', 'us', added('bare'))
  report.say(
    'the bare proxy is node:http and undici with nothing between: the least that a gateway built on them adds here',
  )
  report.add('gateway.byte_relay_cpu_us', 'us', added('relayed'))
  report.say(
    'the byte relay is two sockets and reads no HTTP: the least that a Node process between two others adds here',
  )
  report.add(
    'gateway.added_p99_ms',
    'ms',
    kept.map(({ direct, via }) => via.p99 - direct.p99),
    { atMost: 3 },
  )
  report.add('gateway.p99_ms', 'ms', p99('via'))
  report.add('gateway.direct_p99_ms', 'ms', p99('direct'))
  for (const way of ['direct', 'relayed', 'bare', 'via'] as const) {
    report.say(`microseconds of a request, ${way}: ${shares(kept.map((round) => round[way].microseconds))}`)
  }
}

type Way = 'direct' | 'relayed' | 'bare' | 'via'

interface Measured {
  p99: number
  /** Of a request, by part. */
  microseconds: Record<string, number>
}

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0)
}

async function answered(requests: RemoteProcess<RequestsMethods>, asked: Requests): Promise<Float64Array> {
  const { latencies, refused } = await requests.call.run(asked)
  if (Object.keys(refused).length > 0) throw new Error(`refused: ${JSON.stringify(refused)}`)
  return latencies
}

/** Creates a site and subscribes to it. */
async function openSite({ frontdesk }: MeasuredSystem): Promise<SiteAccess> {
  const { Identity } = await frontdesk.sites.create({ body: { Name: 'Harbour Street Dental' } })
  await subscribe(frontdesk, Identity.SiteSlug, 'http://127.0.0.1:9/webhooks')
  return siteAccess(Identity)
}
