import { setTimeout as wait } from 'node:timers/promises'
import type { MeasuredSystem } from '../harness/measured-system.ts'

/** The plans of the statements of a request. */
export interface Plans {
  /** The distinct nodes that read the table of sites, as EXPLAIN shows them. */
  scans: string[]
  /** Whether one of them scans the whole table. */
  isWholeTable: boolean
  /** Rows of `sites` that all statements read and then discarded. */
  removed: number
}

/**
 * Makes Postgres explain and analyze every statement of registry (auto_explain) until it is disposed of. Restarts registry,
 * because the setting affects new connections only.
 */
export async function explainStatements(
  system: MeasuredSystem,
): Promise<{ plansOf(request: () => Promise<void>): Promise<Plans> } & AsyncDisposable> {
  const pool = system.database('registry')
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  const set = async (settings: readonly string[]): Promise<void> => {
    for (const setting of settings) await pool.query(`alter database ${rows[0]?.name} ${setting}`)
    await system.devStack.stop('registry')
    await system.devStack.start('registry')
  }
  await set([
    `set session_preload_libraries = 'auto_explain'`,
    'set auto_explain.log_min_duration = 0',
    'set auto_explain.log_analyze = on',
    'set auto_explain.log_timing = off',
  ])
  let lines: string[] = []
  const following = system.followDatabaseLog((line) => lines.push(line))
  return {
    async plansOf(request) {
      lines = []
      await request()
      // The log comes through a pipe, a moment after the answer.
      await wait(100)
      return readPlans(lines)
    },
    async [Symbol.asyncDispose]() {
      following[Symbol.dispose]()
      await set(['reset all'])
    },
  }
}

function readPlans(lines: readonly string[]): Plans {
  const nodes = lines
    .map((line) => line.trim())
    .filter((line) => / on sites\b| using sites_\w+|Scan on sites_\w+/.test(line))
  const scans = new Set(nodes.map((line) => line.replace(/^->\s*| on sites\b|\s+\(cost.*$/g, '')))
  const removed = lines
    .flatMap((line) => /Rows Removed by (?:Filter|Index Recheck): (\d+)/.exec(line)?.[1] ?? [])
    .reduce((sum, rows) => sum + Number(rows), 0)
  return { scans: [...scans].toSorted(), isWholeTable: [...scans].some((scan) => scan.startsWith('Seq Scan')), removed }
}
