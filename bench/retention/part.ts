import { setTimeout as wait } from 'node:timers/promises'
import type { MeasuredSystem, RunOptions } from '../harness/measured-system.ts'
import { startMeasuredSystem } from '../harness/measured-system.ts'
import type { Report } from '../harness/results.ts'
import { inflows, insertRows, sizeOf, type Inflow, type Size } from './rows.ts'

const paymentsPerSecond = 500
const keepSeconds = 60
const minuteMs = 60_000
/** Retention, rounds of the clean-up, and two of autovacuum. After these minutes the tables must stay level. */
const warmUpMinutes = 4
/** How many times the rows that its rule keeps a table may hold. */
const mostRows = 2
/** The clean-up comes every 20 s, and vacuum once a minute: what a table holds goes up and down by as much. */
const mostBytesGrowth = 1.3

interface Sample {
  inflow: Inflow
  sizes: Size[]
}

/**
 * Fills the databases with the rows of 500 payments a second, so old that they reach the end of their retention a minute
 * later, while the services run and delete them. Prints rows and bytes each minute, and fails if they go on growing.
 */
export async function measureRetention(report: Report, options: RunOptions): Promise<void> {
  const minutes = options.minutes ?? 10
  if (minutes <= warmUpMinutes + 1) throw new Error(`retention needs more than ${warmUpMinutes + 1} minutes`)
  await using system = await startMeasuredSystem(options)
  const filling = new AbortController()
  const filled = fill(system, filling.signal)
  const samples = inflows.map((inflow): Sample => ({ inflow, sizes: [] }))
  const startedAt = performance.now()
  try {
    for (let minute = 1; minute <= minutes; minute++) {
      await Promise.race([wait(startedAt + minute * minuteMs - performance.now()), filled.then(() => {})])
      for (const { inflow, sizes } of samples) sizes.push(await sizeOf(system.database(inflow.service), inflow.table))
      report.say(`minute ${minute}: ${samples.map(({ inflow, sizes }) => line(inflow, sizes.at(-1))).join('; ')}`)
    }
  } finally {
    filling.abort()
  }
  const payments = await filled
  const pace = payments / (minutes * 60)
  report.add('retention.payments_per_second', 'payments/s', [pace], { atLeast: paymentsPerSecond * 0.98 })
  for (const sample of samples) judge(report, sample, pace)
}

/** Inserts a fifth of a second's rows five times a second, or as fast as it can. Returns how many payments' rows it inserted. */
async function fill(system: MeasuredSystem, signal: AbortSignal): Promise<number> {
  const everyMs = 200
  const batch = (paymentsPerSecond * everyMs) / 1_000
  const startedAt = performance.now()
  let batches = 0
  while (!signal.aborted) {
    await Promise.all(
      inflows.map((inflow) =>
        insertRows(system.database(inflow.service), inflow, Math.round(batch * inflow.perPayment), keepSeconds),
      ),
    )
    batches += 1
    await wait(Math.max(0, startedAt + batches * everyMs - performance.now()), undefined, { signal }).catch(() => {})
  }
  return batches * batch
}

/** `pace`: the payments a second that were inserted, which a busy machine makes fewer than wanted. */
function judge(report: Report, { inflow, sizes }: Sample, pace: number): void {
  const name = `${inflow.service}.${inflow.table}`
  const kept = Math.round(inflow.perPayment * pace * keepSeconds)
  const settled = sizes.slice(warmUpMinutes)
  const rows = Math.max(...settled.map((size) => size.rows)) / kept
  report.add(`retention.${name}.rows`, 'times kept', [rows], { atMost: mostRows })
  report.check(rows <= mostRows, `${name} holds at most ${mostRows} times the ${kept} rows that its rule keeps`)
  const half = Math.ceil(settled.length / 2)
  const largest = (of: readonly Size[]) => Math.max(...of.map(({ bytes }) => bytes))
  const growth = largest(settled.slice(half)) / largest(settled.slice(0, half))
  report.add(`retention.${name}.bytes_growth`, 'times', [growth], { atMost: mostBytesGrowth })
  report.check(growth <= mostBytesGrowth, `the bytes of ${name} stay level`)
}

function line({ service, table }: Inflow, size: Size = { rows: 0, bytes: 0 }): string {
  return `${service}.${table} ${size.rows.toLocaleString('en')} rows ${(size.bytes / 2 ** 20).toFixed(0)} MiB`
}
