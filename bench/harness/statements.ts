import { setTimeout as wait } from 'node:timers/promises'
import type { MeasuredSystem } from './measured-system.ts'

/**
 * Counts the statements that a service sends to its database while `work` runs, by the name of the prepared statement or
 * else by its first words. Not for timings, because Postgres logs every statement meanwhile.
 *
 * Restarts the service before and after, because a setting of a database affects new connections only.
 */
export async function countStatements(
  system: MeasuredSystem,
  service: string,
  work: () => Promise<void>,
): Promise<Map<string, number>> {
  const database = system.database(service)
  const { rows } = await database.query<{ name: string }>('select current_database() as name')
  const counts = new Map<string, number>()
  const setting = async (change: string): Promise<void> => {
    await database.query(`alter database ${rows[0]?.name} ${change}`)
    await system.devStack.stop(service)
    await system.devStack.start(service)
  }
  await setting(`set log_statement = 'all'`)
  try {
    using _following = system.followDatabaseLog((line) => {
      const statement = statementIn(line)
      if (statement !== undefined) counts.set(statement, (counts.get(statement) ?? 0) + 1)
    })
    await work()
    // The log comes through a pipe, a moment after the statement.
    await wait(200)
  } finally {
    await setting('reset log_statement')
  }
  return counts
}

function statementIn(line: string): string | undefined {
  const prepared = /LOG: {2}execute (?!<unnamed>)([^:]+):/.exec(line)?.[1]
  if (prepared !== undefined) return prepared
  return /LOG: {2}(?:statement|execute <unnamed>): \s*((?:\S+\s*){1,4})/.exec(line)?.[1]?.trim()
}

/** Lists the statements, the most frequent first: count in 1000 turns, and reason. */
export function listStatements(
  counts: ReadonlyMap<string, number>,
  turns: number,
  reasons: Readonly<Record<string, string>>,
): string {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 16)
    .map(([name, count]) => {
      const perThousand = ((count * 1_000) / turns).toFixed(2).padStart(8)
      return `${perThousand} in 1000  ${name.padEnd(28)} ${reasons[name] ?? ''}`.trimEnd()
    })
    .join('\n')
}
