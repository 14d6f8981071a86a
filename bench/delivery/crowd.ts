import { processorTimeOf, shares } from '../harness/processor-time.ts'
import { openRemote } from '../harness/remote.ts'
import type { Report } from '../harness/results.ts'
import { percentile } from '../harness/statistics.ts'
import { rounds, until } from '../harness/wait.ts'
import type { ReceiverMethods } from '../processes/receiver.ts'
import { deliveryTrees, type Environment } from './environment.ts'
import { latenciesOf } from './latency.ts'
import { openSubscribers, type Subscribers } from './subscribers.ts'

const roundCount = 3
const perSecond = 500
const secondsAlone = 10
// Must exceed the deadline of a delivery, so that hanging requests end within it.
const secondsBeside = 18

const crowd = Array.from({ length: 5_000 }, (_, index) => index)
const fanout = 100
const eventsOfEach = 2

/**
 * Measures the latency of 100 healthy endpoints, alone and while 5,000 others hang, each with an origin of its own and with
 * deliveries that wait. The crowd of each round is new: nothing is known of its endpoints.
 */
export async function measureCrowd(environment: Environment, report: Report): Promise<void> {
  report.say(`crowd: ${perSecond} events/s for 100 healthy endpoints while ${crowd.length} others hang`)
  // A process of its own: what it takes in must not delay the healthy ones' arrivals.
  await using receiver = openRemote<ReceiverMethods>('receiver.ts')
  const hanging = { system: environment.system, receiver, origins: await receiver.call.listen(crowd.length) }
  await receiver.call.behave(crowd, 'hang')
  await using healthy = await openSubscribers(environment, { name: 'healthy' })
  const measured = await rounds(roundCount, async (round) => {
    // Subscriptions that have ended are cancelled behind the requests that end them: the last round's would slow this one down.
    await until('nothing of the last crowd waits', () => isCalm(environment), { within: 120_000, every: 500 })
    const alone = await measureLatencies(environment, healthy, secondsAlone)
    await using others = await openSubscribers(hanging, { name: `crowd${round}`, endpoints: crowd, fanout })
    await environment.load.call.bulk(others.sites, others.sites.length * eventsOfEach)
    const beside = await measureLatencies(environment, healthy, secondsBeside)
    report.say(`alone  p50 ${alone.p50.toFixed(1)} p99 ${alone.p99.toFixed(1)} ms, processor time of a second: ${alone.shares}
beside p50 ${beside.p50.toFixed(1)} p99 ${beside.p99.toFixed(1)} ms, processor time of a second: ${beside.shares}`)
    return { alone, beside }
  })
  report.add(
    'crowd.p50_ratio',
    'times',
    measured.map(({ alone, beside }) => beside.p50 / alone.p50),
    { atMost: 1.5 },
  )
  report.add(
    'crowd.p99_ratio',
    'times',
    measured.map(({ alone, beside }) => beside.p99 / alone.p99),
    { atMost: 1.5 },
  )
}

async function isCalm({ system }: Environment): Promise<boolean> {
  const { rows } = await system.database('webhook-delivery').query('select from delivery.waiting_queues limit 1')
  return rows.length === 0
}

async function measureLatencies(environment: Environment, subscribers: Subscribers, seconds: number) {
  const { receiver, load } = environment
  await receiver.call.expect(`/${subscribers.name}/`)
  await load.call.steady({ sites: subscribers.sites, perSecond, seconds: 2 })
  const { value: committed, spent } = await processorTimeOf(deliveryTrees(environment), () =>
    load.call.steady({ sites: subscribers.sites, perSecond, seconds }),
  )
  let found: number[] = []
  const arrived = async (): Promise<boolean> => {
    found = latenciesOf(committed, await receiver.call.arrivals())
    return found.length === committed.ids.length
  }
  await until('healthy endpoints have got all of theirs', arrived, { within: 60_000, every: 500 })
  const ofSecond = Object.fromEntries(Object.entries(spent).map(([part, time]) => [part, time / seconds]))
  return { p50: percentile(found, 0.5), p99: percentile(found, 0.99), shares: shares([ofSecond]) }
}
