import type { Report } from '../harness/results.ts'
import type { RunOptions } from '../harness/system.ts'
import { measureBacklog } from './backlog.ts'
import { measureCapacity } from './capacity.ts'
import { measureFaults } from './faults.ts'
import { measureIsolation } from './isolation.ts'
import { measureLatency } from './latency.ts'
import { openStage } from './stage.ts'
import { countDeliveryStatements } from './statements.ts'

/** Everything that the delivery engine promises (design section 8). `full` takes a backlog of a million. */
export async function measureDelivery(report: Report, options: RunOptions): Promise<void> {
  await using stage = await openStage(options)
  await measureLatency(stage, report)
  await measureIsolation(stage, report)
  await measureCapacity(stage, report)
  await countDeliveryStatements(stage, report)
  await measureBacklog(stage, report, options.full ? 1_000_000 : 200_000)
  await measureFaults(stage, report)
}
