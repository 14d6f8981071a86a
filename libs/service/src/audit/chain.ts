import { hash } from 'node:crypto'

/** A stored entry of the audit trail. */
export interface StoredEntry {
  id: string
  recordedAt: Date
  principal: string
  siteKeyId: string | null
  clientAddress: string | null
  siteSlug: string | null
  organisationSlug: string | null
  operation: string
  outcome: string
  code: string | null
  targets: string[]
  requestId: string | null
  traceId: string | null
}

/** A stored entry with its place in the chain. */
export interface SealedEntry extends StoredEntry {
  position: bigint
  hash: Buffer
}

/** Where a chain stands: after the entry of this position, which has this hash. */
export interface Place {
  position: bigint
  hash: Buffer
}

/** Before the first entry. */
export const origin: Place = { position: 0n, hash: Buffer.alloc(32) }

/**
 * Returns the hash of an entry: SHA-256 of the hash of the entry before it, and of its content. Members that an entry does not
 * have are left out, so that a column that is added later changes no hash.
 */
export function linkHash(before: Buffer, entry: StoredEntry): Buffer {
  const content = [
    entry.id,
    entry.recordedAt.toISOString(),
    ...Object.entries({
      principal: entry.principal,
      siteKeyId: entry.siteKeyId,
      clientAddress: entry.clientAddress,
      siteSlug: entry.siteSlug,
      organisationSlug: entry.organisationSlug,
      operation: entry.operation,
      outcome: entry.outcome,
      code: entry.code,
      targets: entry.targets,
      requestId: entry.requestId,
      traceId: entry.traceId,
    }).filter(([, value]) => value !== null),
  ]
  return hash('sha256', Buffer.concat([before, Buffer.from(JSON.stringify(content))]), 'buffer')
}

/** Follows a chain entry by entry, in the order of their positions. */
export interface ChainCheck {
  /** Returns what is wrong with the next entry or before it; nothing if all is well. */
  next(entry: SealedEntry): string[]
  /** Returns what is missing after the last entry, which should be the one at `head`. */
  end(head: Place): string[]
}

/** Begins at a place: with the origin, or with the last entry that was deleted after its time. */
export function checkChain(from: Place): ChainCheck {
  let last = from
  return {
    next(entry) {
      const faults: string[] = []
      const isNext = entry.position === last.position + 1n
      if (!isNext) faults.push(missing(last.position + 1n, entry.position - 1n))
      // After a gap the hash before is unknown: the entry's own is taken as it is.
      else if (!linkHash(last.hash, entry).equals(entry.hash))
        faults.push(`entry ${entry.position} (${entry.id}) is not what was sealed`)
      last = entry
      return faults
    },
    end(head) {
      if (last.position < head.position) return [missing(last.position + 1n, head.position)]
      if (last.position === head.position && last.hash.equals(head.hash)) return []
      return [`the chain does not end where its head is, at entry ${head.position}`]
    },
  }
}

const missing = (first: bigint, last: bigint) =>
  first === last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`
