import type { Pool } from '@frontdesk/database'
import { encryptionKeyOf, type KeyRing } from '@frontdesk/service/encryption'
import type { Call, Command } from './program.ts'

/** A column with values of a key ring. */
export interface EncryptedColumn {
  table: string
  /** The columns of the primary key, in its order, with their types. */
  keys: Readonly<Record<string, string>>
  column: string
  /** Returns the context that a value was encrypted with, from its row's key. */
  context(keys: readonly string[]): string
}

const page = 5_000

/** The command that follows a new master key. */
export function encryptionCommands(columns: readonly EncryptedColumn[]): Command<{ pool: Pool; ring: KeyRing }>[] {
  return [
    {
      name: 'encrypt again',
      usage: '',
      does: 'Encrypts every value of an older master key with the current one, and tells whether the older may be removed.',
      async run({ pool, ring }, call) {
        const found = new Map<string, number>()
        for (const column of columns) {
          if (!call.dryRun) await encryptColumn(pool, ring, column, call)
          for (const [key, count] of await countKeys(pool, column)) found.set(key, (found.get(key) ?? 0) + count)
        }
        return report(ring, found, call)
      },
    },
  ]
}

function report(ring: KeyRing, found: ReadonlyMap<string, number>, { say, progress, dryRun }: Call): boolean {
  const older = [...found].filter(([key]) => key !== ring.current)
  if (!dryRun) say(progress.summary() || 'encrypted again 0')
  say(`values of the current key ${ring.current}: ${found.get(ring.current) ?? 0}`)
  for (const [key, count] of older) say(`values of the older key ${key}: ${count}`)
  if (older.length === 0) say('no value needs an older key: you may remove them from the file')
  return dryRun || older.length === 0
}

interface Value {
  keys: string[]
  encrypted: string
}

async function encryptColumn(
  pool: Pool,
  ring: KeyRing,
  column: EncryptedColumn,
  { say, progress }: Call,
): Promise<void> {
  for await (const values of outdatedValues(pool, ring, column)) {
    const renewed = values.flatMap(({ keys, encrypted }) => {
      try {
        const context = column.context(keys)
        return [{ keys, encrypted, again: ring.encrypt(ring.decrypt(encrypted, context), context) }]
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        say(`${column.table}.${column.column} of ${keys.join(' ')} cannot be decrypted: ${reason}`)
        progress.add({ 'not decrypted': 1 })
        return []
      }
    })
    const saved = await replaceValues(pool, column, renewed)
    progress.add({ 'encrypted again': saved, 'changed meanwhile': renewed.length - saved })
  }
}

/** Yields the values that are not of the current key, in pages of the primary key, so that every statement is short. */
async function* outdatedValues(pool: Pool, ring: KeyRing, column: EncryptedColumn): AsyncGenerator<Value[]> {
  const names = Object.keys(column.keys)
  const list = names.join(', ')
  const after = Object.values(column.keys).map((type, index) => `$${index + 3}::${type}`)
  let last: string[] | undefined
  for (;;) {
    const { rows } = await pool.query<{ keys: string[]; encrypted: string | null; place: number }>(
      // The last row of the page comes whatever it holds: the next page begins after it.
      `with page as (
         select array[${names.map((name) => `${name}::text`).join(', ')}] as keys, ${column.column} as encrypted,
                row_number() over (order by ${list})::int as place
           from (select ${list}, ${column.column} from ${column.table}
                  ${last === undefined ? '' : `where (${list}) > (${after.join(', ')})`}
                  order by ${list} limit $2) as rows)
       select keys, encrypted, place from page
        where not starts_with(encrypted, $1 || '.') or place = (select max(place) from page) order by place`,
      [ring.current, page, ...(last ?? [])],
    )
    yield rows.flatMap(({ keys, encrypted }) =>
      encrypted === null || encryptionKeyOf(encrypted) === ring.current ? [] : [{ keys, encrypted }],
    )
    const end = rows.at(-1)
    if (end === undefined || end.place < page) return
    last = end.keys
  }
}

/** Saves values that still are what they were encrypted from. Returns how many: the others were written meanwhile. */
async function replaceValues(
  pool: Pool,
  { table, keys, column }: EncryptedColumn,
  values: readonly (Value & { again: string })[],
): Promise<number> {
  if (values.length === 0) return 0
  const names = Object.keys(keys)
  const parameters = names.map((_, index) => `$${index + 3}::text[]`)
  const result = await pool.query(
    `update ${table} set ${column} = new.again
       from unnest($1::text[], $2::text[], ${parameters.join(', ')}) as new (before, again, ${names.join(', ')})
      where ${Object.entries(keys)
        .map(([name, type]) => `${table}.${name} = new.${name}::${type}`)
        .join(' and ')}
        and ${table}.${column} = new.before`,
    [
      values.map(({ encrypted }) => encrypted),
      values.map(({ again }) => again),
      ...names.map((_, index) => values.map((value) => value.keys[index])),
    ],
  )
  return result.rowCount ?? 0
}

/** Counts the values of each key. */
async function countKeys(pool: Pool, { table, column }: EncryptedColumn): Promise<[key: string, count: number][]> {
  const { rows } = await pool.query<{ key: string; count: number }>({
    text: `select split_part(${column}, '.', 1) as key, count(*)::int as count
             from ${table} where ${column} is not null group by 1 order by 1`,
  })
  return rows.map(({ key, count }) => [key, count])
}
