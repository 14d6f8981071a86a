import { transaction, type Pool } from './pool.ts'

/** Rows that are deleted some time after the moment in one of their columns. An index must begin with that column. */
export interface DeletionRule {
  table: string
  column: string
  /** How long after that moment, as Postgres writes an interval: `7 days`. */
  after: string
}

/** How long a table's rows are kept. `rule` is for people, and stands in docs/operating.md in these words. */
export type Retention = { rule: string } & (
  | { deletion: DeletionRule }
  /** Who deletes them, if the clean-up does not. */
  | { by: string }
)

/** Every table of a service by its name, which begins with the schema unless that is `public`. */
export type Retentions = Readonly<Record<string, Retention>>

/** Rows of one deleting statement: it takes milliseconds, so that it holds up nobody. */
export const deletionChunk = 1_000

/**
 * Returns the statement that deletes one chunk. It finds the oldest rows by the column's index, and deletes them by their
 * place, so it never reads the table. Rows that somebody else has locked are left for the next time.
 */
export function deletionSql({ table, column, after }: DeletionRule): string {
  return `
    with gone as (
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${column} >= $1 and ${column} < now() - interval '${after}'
         order by ${column} limit ${deletionChunk} for update skip locked))
      returning ${column} as moment)
    select count(*)::int as deleted, max(moment) as latest from gone`
}

/**
 * Settings of the deleting transaction. While the statistics are behind, as after any busy hour, the planner would sort all
 * old rows for each chunk.
 */
export const deletionSettings = 'set local enable_seqscan = off; set local enable_bitmapscan = off'

export interface DeletedChunk {
  deleted: number
  /** The latest moment among the deleted rows: where the next chunk begins. */
  latest: Date | undefined
}

/**
 * Deletes one chunk of the oldest rows that are past their retention. `from` is where the chunk before ended: without it,
 * each chunk would read past the index entries of the chunks before, which stay until the next vacuum.
 */
export async function deleteChunk(pool: Pool, rule: DeletionRule, from?: Date): Promise<DeletedChunk> {
  return transaction(pool, async (tx) => {
    await tx.query(deletionSettings)
    const { rows } = await tx.query<{ deleted: number; latest: Date | null }>(deletionSql(rule), [from ?? '-infinity'])
    return { deleted: rows[0]?.deleted ?? 0, latest: rows[0]?.latest ?? undefined }
  })
}
