import type { Report } from '../harness/results.ts'
import type { RunOptions } from '../harness/measured-system.ts'
import { measureBacklog } from './backlog.ts'
import { measureCapacity } from './capacity.ts'
import { measureFaults } from './faults.ts'
import { measureCrowd } from './crowd.ts'
import { measureIsolation } from './isolation.ts'
import { measureLatency } from './latency.ts'
import { measureWaiting } from './waiting.ts'
import { openEnvironment, type Environment } from './environment.ts'
import { countDeliveryStatements } from './statements.ts'

type Section = (environment: Environment, report: Report, options: RunOptions) => Promise<void>

const sections: Record<string, Section> = {
  latency: measureLatency,
  isolation: measureIsolation,
  crowd: measureCrowd,
  capacity: measureCapacity,
  statements: countDeliveryStatements,
  backlog: (environment, report, { full }) => measureBacklog(environment, report, full ? 1_000_000 : 200_000),
  faults: measureFaults,
  waiting: measureWaiting,
}
export const deliverySections = Object.keys(sections)

/** Measures what the delivery engine promises (docs/performance.md). `full` takes a backlog of a million. */
export async function measureDelivery(report: Report, options: RunOptions): Promise<void> {
  await using environment = await openEnvironment(options)
  for (const [name, measure] of Object.entries(sections)) {
    if (options.sections.length === 0 || options.sections.includes(name)) await measure(environment, report, options)
  }
}
