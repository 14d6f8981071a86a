import { rounds } from '../harness/patience.ts'
import { forEachOf, processorTimeOf, shares } from '../harness/processor-time.ts'
import type { Report } from '../harness/results.ts'
import { percentile } from '../harness/statistics.ts'
import type { Committed } from '../processes/load.ts'
import type { Arrivals } from '../processes/receiver.ts'
import { openAudience, type Audience } from './audience.ts'
import { checkLedger, outboxEnd, readLedger, untilSettled } from './ledger.ts'
import { deliveryTrees, endpointCount, type Stage } from './stage.ts'

const roundCount = 3
const everyEndpoint = Array.from({ length: endpointCount }, (_, index) => index)

/** From the return of the business commit to the receiver's socket, at steady rates. */
export async function measureLatency(stage: Stage, report: Report): Promise<void> {
  report.say('latency: commit to receipt, steady arrivals, 100 endpoints, fan-out 1')
  for (const { perSecond, p50, p99 } of [
    { perSecond: 200, p50: 10, p99: 30 },
    { perSecond: 1_000, p99: 60 },
    { perSecond: 2_000, p99: 120 },
  ]) {
    const measured = await rounds(roundCount, async (round) => {
      await using audience = await openAudience(stage, { name: `rate${perSecond}r${round}`, endpoints: everyEndpoint })
      await steadyLatencies(stage, audience, { perSecond, seconds: 2 })
      await stage.receiver.call.expect(`/${audience.name}/`)
      const since = await outboxEnd(stage)
      const { latencies, committed, microseconds } = await measuredSteadily(stage, audience, { perSecond, seconds: 8 })
      checkLedger(report, `${perSecond} events/s, round ${round}`, await readLedger(stage, audience, since))
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

/** The same as `steadyLatencies`, with the processor time that each event took, part by part. */
async function measuredSteadily(stage: Stage, audience: Audience, load: { perSecond: number; seconds: number }) {
  const { value, spent } = await processorTimeOf(deliveryTrees(stage), () => steadyLatencies(stage, audience, load))
  return { ...value, microseconds: forEachOf(load.perSecond * load.seconds, spent) }
}

/** Commits at a steady rate, waits until all has been delivered, and says how long each took. */
export async function steadyLatencies(
  stage: Stage,
  audience: Audience,
  load: { perSecond: number; seconds: number },
): Promise<{ latencies: number[]; committed: Committed }> {
  const committed = await stage.load.call.steady({ sites: audience.sites, ...load })
  await untilSettled(stage, audience, 30_000)
  return { latencies: latenciesOf(committed, await stage.receiver.call.arrivals()), committed }
}

/** From commit to first arrival in milliseconds, of whatever has arrived. */
export function latenciesOf(committed: Committed, arrivals: readonly Arrivals[]): number[] {
  const committedAt = new Map(committed.ids.map((id, index) => [id, committed.at[index] ?? Number.NaN]))
  return arrivals.flatMap(({ ids, at }) =>
    ids.flatMap((id, index) => {
      const since = committedAt.get(id)
      return since === undefined ? [] : [(at[index] ?? Number.NaN) - since]
    }),
  )
}
