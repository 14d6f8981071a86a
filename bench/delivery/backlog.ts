import { setTimeout as wait } from 'node:timers/promises'
import { sharedNow } from '../harness/clock.ts'
import { until } from '../harness/wait.ts'
import { peakMemory } from '../harness/processor-time.ts'
import type { Report } from '../harness/results.ts'
import { percentile } from '../harness/statistics.ts'
import { openSubscribers, type Subscribers } from './subscribers.ts'
import { latenciesOf } from './latency.ts'
import { pending, unpublished } from './records.ts'
import { endpointCount, type Environment } from './environment.ts'

const perSecond = 500
const secondsOfLoad = 10
const failing = endpointCount

/**
 * Measures a backlog that waits for an endpoint that is down: the latency of other endpoints beside it, its memory, and how
 * fast it drains when the endpoint is back.
 */
export async function measureBacklog(environment: Environment, report: Report, waiting: number): Promise<void> {
  const { system, receiver, load } = environment
  report.say(`backlog: ${waiting} deliveries wait for an endpoint that is down; ${perSecond} events/s for 100 others`)
  await using others = await openSubscribers(environment, { name: 'others' })
  await using absent = await openSubscribers(environment, { name: 'absent', endpoints: [failing] })
  const alone = await p99(environment, others)

  await receiver.call.down([failing])
  await load.call.bulk(absent.sites, waiting)
  await until('the backlog is published', async () => (await unpublished(environment)) === 0, {
    within: 600_000,
    every: 200,
  })
  await until('the backlog waits', async () => (await pending(environment, absent)) === waiting, {
    within: 600_000,
    every: 500,
  })
  // A real backlog grows over hours, and autovacuum keeps up. This one grew in a minute.
  await system.database('payments').query('vacuum analyze')
  await system.database('webhook-delivery').query('vacuum analyze')
  const beside = await p99(environment, others)
  report.add('backlog.p99_ratio', 'times', [beside / alone], { atMost: 1.5 })
  report.say(`p99 of the others: ${alone.toFixed(1)} ms without it, ${beside.toFixed(1)} ms beside it`)

  await receiver.call.expect('/absent/')
  await receiver.call.up([failing])
  const drained = await watchDrain(environment, absent)
  report.add('backlog.memory_mib', 'MiB', [peakMemory(system.pid('webhook-delivery'))], { atMost: 512 })
  report.add('backlog.drain_per_s', 'deliveries/s', [drained.perSecond])
  const { firstSecond, mostConnections, seconds } = drained
  report.say(
    `after the endpoint's return: ${firstSecond} requests in the first second, at most ${mostConnections} connections`,
  )
  report.say(`${seconds.toFixed(0)} s until all was delivered`)
  const missing = waiting - drained.received
  report.check(missing === 0, `the backlog is delivered in full (${missing} missing)`)
}

async function p99(environment: Environment, subscribers: Subscribers): Promise<number> {
  await environment.receiver.call.expect(`/${subscribers.name}/`)
  await environment.load.call.steady({ sites: subscribers.sites, perSecond, seconds: 2 })
  const committed = await environment.load.call.steady({ sites: subscribers.sites, perSecond, seconds: secondsOfLoad })
  let latencies: number[] = []
  const arrived = async (): Promise<boolean> => {
    latencies = latenciesOf(committed, await environment.receiver.call.arrivals())
    return latencies.length === committed.ids.length
  }
  await until('the others have got all of theirs', arrived, { within: 60_000, every: 500 })
  return percentile(latencies, 0.99)
}

interface Drained {
  received: number
  perSecond: number
  firstSecond: number
  mostConnections: number
  seconds: number
}

async function watchDrain(environment: Environment, absent: Subscribers): Promise<Drained> {
  const { receiver } = environment
  await until('the first of the backlog arrives', async () => (await receiver.call.count()).received > 0, {
    within: 60_000,
  })
  const first = await receiver.call.count()
  await wait(1_000)
  const firstSecond = (await receiver.call.count()).received
  await until('the backlog is delivered', async () => (await pending(environment, absent)) === 0, {
    within: 900_000,
    every: 250,
  })
  const seconds = (sharedNow() - first.now) / 1_000
  const received = await receiver.call.distinct()
  const mostConnections = (await receiver.call.arrivals())[failing]?.mostConnections ?? 0
  return { received, perSecond: received / seconds, firstSecond, mostConnections, seconds }
}
