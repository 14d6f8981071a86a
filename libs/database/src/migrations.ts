import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Queryable } from './pool.ts'

/**
 * Returns the name of the newest migration in a service's `prisma/migrations` folder, which this code needs.
 * Throws if the folder has none.
 */
export function newestMigration(folder: string | URL): string {
  const newest = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
    .at(-1)
  if (newest === undefined) throw new Error(`no migrations in ${String(folder)}`)
  return newest
}

/** Whether Prisma has applied this migration; false as well if it never applied any. */
export async function hasMigration(db: Queryable, name: string): Promise<boolean> {
  const known = await db.query(`select to_regclass('_prisma_migrations') is not null as known`)
  if (known.rows[0]?.['known'] !== true) return false
  const found = await db.query(
    'select 1 from _prisma_migrations where migration_name = $1 and finished_at is not null and rolled_back_at is null',
    [name],
  )
  return found.rows.length > 0
}

/**
 * Waits until this migration is applied, however long that takes. Background work starts after it, because statements may
 * need its tables. Returns false if `signal` aborted before. Calls `onWait` once, with the reason, if it has to wait.
 */
export async function untilMigrated(
  db: Queryable,
  migration: string,
  signal: AbortSignal,
  onWait: (reason: unknown) => void,
): Promise<boolean> {
  let told = false
  while (!signal.aborted) {
    let reason: unknown = new Error(`migration ${migration} is missing`)
    try {
      if (await hasMigration(db, migration)) return true
    } catch (error) {
      reason = error
    }
    if (!told && !signal.aborted) onWait(reason)
    told = true
    await wait(500, undefined, { signal }).catch(() => {})
  }
  return false
}
