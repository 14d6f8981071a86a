import { rounds } from '../harness/wait.ts'
import type { Report } from '../harness/results.ts'
import { shares } from '../harness/processor-time.ts'
import { openRemote } from '../harness/remote.ts'
import { median } from '../harness/statistics.ts'
import type { Behaviour } from '../processes/receiver.ts'
import type { PostsMethods } from '../processes/posts.ts'
import { openSubscribers } from './subscribers.ts'
import { drain, type Drain, type DrainOptions } from './drain.ts'
import { checkRecords } from './records.ts'
import { everyEndpoint, secureEndpoints, type Environment } from './environment.ts'

const roundCount = 3
const atOnce: Behaviour = { status: 204 }

interface Capacity extends DrainOptions {
  name: string
  /** Default: those without TLS. */
  endpoints?: readonly number[]
  fanout: number
  behaviour: Behaviour
}

/** Measures deliveries a second with fan-out 1, fan-out 10, and receivers that take 50 ms. */
export async function measureCapacity(environment: Environment, report: Report): Promise<void> {
  report.say('capacity: a backlog in JetStream becomes recorded outcomes; 100 endpoints, events of 1 KB')
  const bare = await barePosts(environment)
  report.add('baseline.undici.posts_per_s', 'posts/s', bare)

  const one = await drains(environment, report, {
    name: 'fanout1',
    fanout: 1,
    behaviour: atOnce,
    warmUp: 12_000,
    measured: 40_000,
  })
  report.add('capacity.fanout1.deliveries_per_s', 'deliveries/s', rates(one), { atLeast: 8_000 })
  const microseconds = one.map((round) => round.microseconds['all'] ?? Number.NaN)
  report.add('capacity.fanout1.cpu_us_per_delivery', 'us', microseconds, { atMost: 170 })
  report.say(`of that ${shares(one.map(({ microseconds: parts }) => parts))}`)
  const ratio = (median(rates(one)) / median(bare)).toFixed(2)
  report.say(`${ratio} of the rate of a bare undici loop with the same receiver, which signs and records nothing`)

  const secure = await drains(environment, report, {
    name: 'tls',
    endpoints: secureEndpoints,
    fanout: 1,
    behaviour: atOnce,
    warmUp: 12_000,
    measured: 40_000,
  })
  report.add('capacity.tls.deliveries_per_s', 'deliveries/s', rates(secure))
  report.add(
    'capacity.tls.cpu_us_per_delivery',
    'us',
    secure.map((round) => round.microseconds['all'] ?? Number.NaN),
  )

  const ten = await drains(environment, report, {
    name: 'fanout10',
    fanout: 10,
    behaviour: atOnce,
    warmUp: 12_000,
    measured: 40_000,
  })
  report.add('capacity.fanout10.deliveries_per_s', 'deliveries/s', rates(ten), { atLeast: 8_000 })

  const behaviour = { status: 204, afterMs: 50 }
  const slow = await drains(environment, report, {
    name: 'slow50ms',
    fanout: 1,
    behaviour,
    warmUp: 10_000,
    measured: 25_000,
  })
  report.add('capacity.slow50ms.deliveries_per_s', 'deliveries/s', rates(slow), { atLeast: 4_000 })
}

/** Returns posts a second of a bare undici loop with the same bodies, endpoints and receiver. */
async function barePosts({ receiver, origins }: Environment): Promise<number[]> {
  await using posts = openRemote<PostsMethods>('posts.ts')
  const urls = everyEndpoint.map((endpoint) => `${origins[endpoint]}/bare/${endpoint}`)
  await receiver.call.expect('/bare/')
  const run = (seconds: number): Promise<number> => posts.call.run({ urls, concurrency: 128, seconds, bytes: 1_024 })
  await run(2)
  return await rounds(roundCount, () => run(3))
}

async function drains(
  environment: Environment,
  report: Report,
  { name, endpoints = everyEndpoint, fanout, behaviour, ...size }: Capacity,
): Promise<Drain[]> {
  await environment.receiver.call.behave(endpoints, behaviour)
  const results = await rounds(roundCount, async (round) => {
    await using subscribers = await openSubscribers(environment, {
      name: `${name}r${round}`,
      endpoints,
      fanout,
    })
    const result = await drain(environment, subscribers, size)
    checkRecords(report, `${name}, round ${round}`, result.records)
    return result
  })
  await environment.receiver.call.behave(endpoints, atOnce)
  return results
}

function rates(drained: readonly Drain[]): number[] {
  return drained.map(({ perSecond }) => perSecond)
}
