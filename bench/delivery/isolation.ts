import { rounds, until } from '../harness/wait.ts'
import type { Report } from '../harness/results.ts'
import { median, percentile } from '../harness/statistics.ts'
import { openSubscribers } from './subscribers.ts'
import { latenciesOf } from './latency.ts'
import { unpublished } from './records.ts'
import { endpointCount, everyEndpoint, type Environment } from './environment.ts'

const roundCount = 3
const perSecond = 500
const secondsAlone = 10
// Must exceed the deadline of a delivery, so that hanging requests end within it.
const secondsBeside = 18

const hanging = everyEndpoint.filter((endpoint) => endpoint % 10 === 3)
const failing = everyEndpoint.filter((endpoint) => endpoint % 10 === 7)
const healthy = everyEndpoint.filter((endpoint) => !hanging.includes(endpoint) && !failing.includes(endpoint))

/** Measures the latency of healthy endpoints while one in ten hangs until the deadline and one in ten answers 500. */
export async function measureIsolation(environment: Environment, report: Report): Promise<void> {
  report.say(`isolation: ${perSecond} events/s; p99 of 80 healthy endpoints while 10 hang and 10 answer 500`)
  const measured = await rounds(roundCount, async (round) => {
    const alone = await healthyP99(environment, `alone${round}`, secondsAlone)
    await environment.receiver.call.behave(hanging, 'hang')
    await environment.receiver.call.behave(failing, { status: 500 })
    const beside = await healthyP99(environment, `beside${round}`, secondsBeside)
    await environment.receiver.call.behave(everyEndpoint, { status: 204 })
    return { alone, beside }
  })
  const ratios = measured.map(({ alone, beside }) => beside / alone)
  report.add('isolation.p99_ratio', 'times', ratios, { atMost: 1.5 })
  const [alone, beside] = [measured.map((one) => one.alone), measured.map((one) => one.beside)].map(median)
  report.say(`p99 of the healthy ones: ${alone?.toFixed(1)} ms alone, ${beside?.toFixed(1)} ms beside the others`)
}

async function healthyP99(environment: Environment, name: string, seconds: number): Promise<number> {
  const { receiver, load } = environment
  await using subscribers = await openSubscribers(environment, { name })
  await load.call.steady({ sites: subscribers.sites, perSecond, seconds: 2 })
  const committed = await load.call.steady({ sites: subscribers.sites, perSecond, seconds })
  const due = Math.round(perSecond * seconds * (healthy.length / endpointCount))
  await until('all is published', async () => (await unpublished(environment)) === 0, { within: 30_000 })
  let latencies: number[] = []
  // Deliveries to the other endpoints are not waited for: they are cancelled with their subscriptions.
  const arrived = async (): Promise<boolean> => {
    const arrivals = await receiver.call.arrivals()
    latencies = latenciesOf(
      committed,
      arrivals.filter((_, endpoint) => healthy.includes(endpoint)),
    )
    return latencies.length === due
  }
  await until('healthy endpoints have got all of theirs', arrived, { within: 30_000, every: 500 })
  return percentile(latencies, 0.99)
}
