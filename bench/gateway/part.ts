import type { SiteAccess } from '@frontdesk/contracts'
import { rounds } from '../harness/patience.ts'
import { accessToken, benchPrincipal, siteAccess } from '../harness/access.ts'
import { processorTimeOf } from '../harness/processor-time.ts'
import { openRemote, type RemoteProcess } from '../harness/remote.ts'
import type { Report } from '../harness/results.ts'
import { median, percentile } from '../harness/statistics.ts'
import { startSystem, type RunOptions, type System } from '../harness/system.ts'
import type { RequestsMethods } from '../processes/requests.ts'

const roundCount = 3
const perSecond = 500
const seconds = 10

/** What the gateway adds to a GET, with warm caches, over asking the service itself with an internal token. */
export async function measureGateway(report: Report, options: RunOptions): Promise<void> {
  await using system = await startSystem(options)
  await using requests = openRemote<RequestsMethods>('requests.ts')
  report.say(`gateway: GET of a subscription, ${perSecond} requests/s; through the gateway, and at the service itself`)
  const site = await openSite(system)
  const path = `/api/v1/sites/${site.slug}/webhooks/payments`
  const internalToken = (): Promise<string> =>
    system.issuer.mint('webhook-delivery', { principal: benchPrincipal(system), site })

  const measured = await rounds(roundCount + 1, async () => ({
    direct: await measure(system, requests, { origin: system.url('webhook-delivery'), path }, internalToken),
    via: await measure(system, requests, { origin: system.constellation.dev.gateway, path }, () => accessToken(system)),
  }))
  // The first round was the warm-up of both.
  const kept = measured.slice(1)
  report.add(
    'gateway.added_cpu_us',
    'us',
    kept.map(({ direct, via }) => via.microseconds - direct.microseconds),
    { atMost: 100 },
  )
  report.add(
    'gateway.added_p99_ms',
    'ms',
    kept.map(({ direct, via }) => via.p99 - direct.p99),
    { atMost: 3 },
  )
  report.add(
    'gateway.p99_ms',
    'ms',
    kept.map(({ via }) => via.p99),
  )
  report.add(
    'gateway.direct_p99_ms',
    'ms',
    kept.map(({ direct }) => direct.p99),
  )
  const [via, direct] = [kept.map((one) => one.via.microseconds), kept.map((one) => one.direct.microseconds)].map(
    median,
  )
  report.say(`gateway and service take ${via?.toFixed(0)} us for a request, the service alone ${direct?.toFixed(0)} us`)
}

interface Measured {
  p99: number
  /** Of gateway and service together, for each request. */
  microseconds: number
}

async function measure(
  system: System,
  requests: RemoteProcess<RequestsMethods>,
  { origin, path }: { origin: string; path: string },
  token: () => Promise<string>,
): Promise<Measured> {
  const headers = { authorization: `Bearer ${await token()}` }
  const run = async (length: number): Promise<Float64Array> => {
    const get = { origin, paths: [path], method: 'GET' as const, headers }
    const answers = await requests.call.run({ ...get, seconds: length, load: { perSecond } })
    if (Object.keys(answers.refused).length > 0) throw new Error(`refused: ${JSON.stringify(answers.refused)}`)
    return answers.latencies
  }
  await run(2)
  let latencies = new Float64Array()
  const spent = await processorTimeOf(
    { gateway: system.pid('gateway'), service: system.pid('webhook-delivery') },
    async () => {
      latencies = new Float64Array(await run(seconds))
    },
  )
  return {
    p99: percentile([...latencies], 0.99),
    microseconds: ((spent.gateway + spent.service) * 1_000) / latencies.length,
  }
}

/** Makes a site and subscribes to it. */
async function openSite({ frontdesk }: System): Promise<SiteAccess> {
  const { Identity } = await frontdesk.createSite({ body: { Name: 'Harbour Street Dental' } })
  const body = { EventTypes: ['payment.*'], Url: 'http://127.0.0.1:9/webhooks' }
  await frontdesk.subscribe({ SiteSlug: Identity.SiteSlug, body })
  return siteAccess(Identity)
}
