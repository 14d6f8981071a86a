import type { Report } from '../harness/results.ts'
import type { RunOptions } from '../harness/system.ts'
import { measureBacklog } from './backlog.ts'
import { measureCapacity } from './capacity.ts'
import { measureFaults } from './faults.ts'
import { measureIsolation } from './isolation.ts'
import { measureLatency } from './latency.ts'
import { openStage, type Stage } from './stage.ts'
import { countDeliveryStatements } from './statements.ts'

type Section = (stage: Stage, report: Report, options: RunOptions) => Promise<void>

const sections: Record<string, Section> = {
  latency: measureLatency,
  isolation: measureIsolation,
  capacity: measureCapacity,
  statements: countDeliveryStatements,
  backlog: (stage, report, { full }) => measureBacklog(stage, report, full ? 1_000_000 : 200_000),
  faults: measureFaults,
}
export const deliverySections = Object.keys(sections)

/** Everything that the delivery engine promises (design section 8). `full` takes a backlog of a million. */
export async function measureDelivery(report: Report, options: RunOptions): Promise<void> {
  await using stage = await openStage(options)
  for (const [name, measure] of Object.entries(sections)) {
    if (options.sections.length === 0 || options.sections.includes(name)) await measure(stage, report, options)
  }
}
