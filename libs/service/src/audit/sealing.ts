import { camelRows, transaction, type Pool, type Queryable } from '@frontdesk/database'
import type { Logger } from 'pino'
import { repeat, type Repeating } from '../background/repeat.ts'
import { checkChain, linkHash, type Place, type SealedEntry, type StoredEntry } from './chain.ts'

const sealedAtOnce = 500
const everyMs = 2_000
/** The head of the chain is logged this often at most. */
const notedEveryMs = 60_000

export interface SealingOptions {
  pool: Pool
  log: Logger
  signal: AbortSignal
  /** The first round waits for this, such as a migration. It must not reject. */
  after?: Promise<unknown>
}

/**
 * Seals new entries of the audit trail every 2 s until `signal` aborts. Logs the head of the chain once a minute while it moves:
 * a log that is kept elsewhere tells later whether somebody made the chain anew.
 */
export function startSealing({ pool, log, signal, after }: SealingOptions): Repeating {
  let notedAt = -Infinity
  const onError = (error: unknown) => log.error({ err: error }, 'the audit trail could not be sealed; trying again')
  return repeat({ everyMs, signal, onError, name: 'sealing the audit trail', ...(after && { after }) }, async () => {
    if (!(await hasUnsealed(pool))) return false
    const { head, sealed } = await sealEntries(pool)
    if (performance.now() - notedAt > notedEveryMs) {
      notedAt = performance.now()
      log.info({ audit: true, head: noteOf(head) }, 'audit trail sealed')
    }
    return sealed === sealedAtOnce
  })
}

async function hasUnsealed(db: Queryable): Promise<boolean> {
  const found = await db.query({
    name: 'audit-unsealed',
    text: 'select 1 from audit_entries where hash is null limit 1',
  })
  return found.rowCount === 1
}

/**
 * Gives the oldest unsealed entries their places in the chain, up to 500. Writers never wait for it: they store entries without a
 * place. One replica seals at a time, under the lock of the chain's row.
 */
export async function sealEntries(pool: Pool): Promise<{ head: Place; sealed: number }> {
  return transaction(pool, async (tx) => {
    let head = (await readChain(tx, 'for update')).head
    const unsealed = camelRows<StoredEntry>(
      await tx.query(`select * from audit_entries where hash is null order by id limit ${sealedAtOnce}`),
    )
    const places = unsealed.map((entry) => {
      head = { position: head.position + 1n, hash: linkHash(head.hash, entry) }
      return { id: entry.id, ...head }
    })
    await tx.query({
      name: 'audit-seal',
      text: `with sealed as (
               update audit_entries set position = place.position, hash = place.hash
                 from unnest($1::uuid[], $2::bigint[], $3::bytea[]) as place (id, position, hash)
                where audit_entries.id = place.id
             )
             update audit_chain set position = $4, hash = $5`,
      values: [
        places.map(({ id }) => id),
        places.map(({ position }) => position),
        places.map((place) => place.hash),
        head.position,
        head.hash,
      ],
    })
    return { head, sealed: places.length }
  })
}

/** Returns where the chain begins, after the entries that were deleted at their time, and where it ends. */
async function readChain(db: Queryable, lock: '' | 'for update' = ''): Promise<{ start: Place; head: Place }> {
  const { rows } = await db.query<{ position: bigint; hash: Buffer; start_position: bigint; start_hash: Buffer }>(
    `select * from audit_chain ${lock}`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the row of audit_chain is missing')
  return {
    start: { position: row.start_position, hash: row.start_hash },
    head: { position: row.position, hash: row.hash },
  }
}

/** Returns a place as people note it: `<position>:<hash in hex>`. */
export const noteOf = ({ position, hash }: Place): string => `${position}:${hash.toString('hex')}`

/** The result of a verification. */
export interface Verification {
  verified: number
  head: Place
  /** Entries that are not sealed yet, and since when the oldest waits. */
  unsealed: number
  unsealedSince: Date | undefined
  /** The faults, in sentences; none if all is well. */
  faults: string[]
}

/**
 * Computes the whole chain again. `noted` is a head that was noted before, from the log or an earlier verification: the chain must
 * still have it.
 */
export async function verifyChain(pool: Pool, noted?: string): Promise<Verification> {
  return transaction(pool, async (tx) => {
    // One snapshot: entries that are sealed or deleted meanwhile do not look like faults.
    await tx.query('set transaction isolation level repeatable read, read only')
    const { start, head } = await readChain(tx)
    const check = checkChain(start)
    const faults: string[] = []
    let verified = 0
    let found = noted === undefined || noted === noteOf(start)
    let after = start.position
    for (;;) {
      const entries = camelRows<SealedEntry>(
        await tx.query('select * from audit_entries where position > $1 order by position limit 1000', [after]),
      )
      for (const entry of entries) {
        faults.push(...check.next(entry))
        found ||= noteOf(entry) === noted
      }
      verified += entries.length
      const last = entries.at(-1)
      if (last === undefined) break
      after = last.position
    }
    faults.push(...check.end(head))
    if (!found) faults.push(`the chain does not have the noted head ${noted}`)
    const { rows } = await tx.query<{ unsealed: number; since: Date | null }>(
      'select count(*)::int as unsealed, min(recorded_at) as since from audit_entries where hash is null',
    )
    return { verified, head, unsealed: rows[0]?.unsealed ?? 0, unsealedSince: rows[0]?.since ?? undefined, faults }
  })
}
