import { rounds } from '../harness/wait.ts'
import { forEachOf, processorTimeOf, shares } from '../harness/processor-time.ts'
import type { Report } from '../harness/results.ts'
import { percentile } from '../harness/statistics.ts'
import type { Committed } from '../processes/load.ts'
import type { Arrivals } from '../processes/receiver.ts'
import { openSubscribers, type Subscribers } from './subscribers.ts'
import { checkRecords, outboxEnd, readRecords, untilSettled } from './records.ts'
import { deliveryTrees, type Environment } from './environment.ts'

const roundCount = 3

/** Measures the time from the return of the business commit to the receiver's socket, at steady rates. */
export async function measureLatency(environment: Environment, report: Report): Promise<void> {
  report.say('latency: commit to receipt, steady arrivals, 100 endpoints, fan-out 1')
  for (const { perSecond, p50, p99 } of [
    { perSecond: 200, p50: 10, p99: 30 },
    { perSecond: 1_000, p99: 60 },
    { perSecond: 2_000, p99: 120 },
  ]) {
    const measured = await rounds(roundCount, async (round) => {
      await using subscribers = await openSubscribers(environment, {
        name: `rate${perSecond}r${round}`,
      })
      await steadyLatencies(environment, subscribers, { perSecond, seconds: 2 })
      await environment.receiver.call.expect(`/${subscribers.name}/`)
      const since = await outboxEnd(environment)
      const { latencies, committed, microseconds } = await measuredSteadily(environment, subscribers, {
        perSecond,
        seconds: 8,
      })
      checkRecords(report, `${perSecond} events/s, round ${round}`, await readRecords(environment, subscribers, since))
      if (committed.latestMs > 100) report.say(`the load fell ${committed.latestMs.toFixed(0)} ms behind its schedule`)
      return { latencies, microseconds }
    })
    const of = (share: number): number[] => measured.map(({ latencies }) => percentile(latencies, share))
    report.add(`latency.${perSecond}.p50_ms`, 'ms', of(0.5), p50 === undefined ? undefined : { atMost: p50 })
    report.add(`latency.${perSecond}.p99_ms`, 'ms', of(0.99), { atMost: p99 })
    report.say(
      `processor time of an event, in microseconds: ${shares(measured.map(({ microseconds }) => microseconds))}`,
    )
  }
}

/** Returns the result of `steadyLatencies` with the processor time of an event, by part. */
async function measuredSteadily(
  environment: Environment,
  subscribers: Subscribers,
  load: { perSecond: number; seconds: number },
) {
  const { value, spent } = await processorTimeOf(deliveryTrees(environment), () =>
    steadyLatencies(environment, subscribers, load),
  )
  return { ...value, microseconds: forEachOf(load.perSecond * load.seconds, spent) }
}

/** Commits at a steady rate, waits until all is delivered, and returns how long each delivery took. */
export async function steadyLatencies(
  environment: Environment,
  subscribers: Subscribers,
  load: { perSecond: number; seconds: number },
): Promise<{ latencies: number[]; committed: Committed }> {
  const committed = await environment.load.call.steady({ sites: subscribers.sites, ...load })
  await untilSettled(environment, subscribers, 30_000)
  return { latencies: latenciesOf(committed, await environment.receiver.call.arrivals()), committed }
}

/** Returns the milliseconds from commit to first arrival, for everything that has arrived. */
export function latenciesOf(committed: Committed, arrivals: readonly Arrivals[]): number[] {
  const committedAt = new Map(committed.ids.map((id, index) => [id, committed.at[index] ?? Number.NaN]))
  return arrivals.flatMap(({ ids, at }) =>
    ids.flatMap((id, index) => {
      const since = committedAt.get(id)
      return since === undefined ? [] : [(at[index] ?? Number.NaN) - since]
    }),
  )
}
