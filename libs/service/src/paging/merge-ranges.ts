/** A range that is being read, and the key after which it continues. */
export interface OpenRange<Range> {
  range: Range
  after: string
}

/** A row of a walked range. */
export interface WalkedRow {
  /** Index of the range. */
  range: number
  /** The list is ordered by it, and no other row has the same. */
  key: string
  /** Whether the row passes all filters: ranges of coarse levels hold other rows too. */
  passes: boolean
  /** Whether the walk ended at this row although the range may have more. */
  isLast: boolean
}

/** The order of a list. */
export interface KeyOrder {
  /** Negative if the first key comes before the second one. */
  compare(one: string, other: string): number
  /** A key after all others. */
  end: string
}

/** From the first key to the last one, in byte order. Slugs, for example. */
export const ascending: KeyOrder = { compare: (one, other) => (one < other ? -1 : one > other ? 1 : 0), end: '~' }

/** From the last key to the first one. Of UUIDv7 those that were made last come first. */
export const newestFirst: KeyOrder = {
  compare: (one, other) => ascending.compare(other, one),
  end: '00000000-0000-0000-0000-000000000000',
}

/** The ranges of a list, and the ways to walk and divide them. */
export interface Ranges<Range, Level> {
  order: KeyOrder
  /** From coarse to fine. */
  levels: readonly Level[]
  /** Ranges of the first level. */
  first: readonly Range[]
  /** Walks ranges of a level up to the key `last`, `depth` rows of each at most. Returns rows that pass and last rows. */
  walk(level: Level, ranges: readonly OpenRange<Range>[], last: string, depth: number): Promise<WalkedRow[]>
  /** Divides a range of a coarser level into ranges of this one. */
  divide(range: Range, level: Level): Range[]
}

/** A walk reads fewer rows of a range only for a smaller page, since every continuation costs a round trip. */
const leastDepth = 8
/** If fewer than one in eight of at least 64 rows pass, reading the parts of the range takes fewer rows. */
const enoughToJudge = 64
const poorShare = 1 / 8

/**
 * Returns the keys of the first `wanted` rows that pass in all ranges together, in their order.
 *
 * Each range is first walked only as far as the page needs if all ranges are alike. A range is done when it ends, or
 * passes the last key that can still be on the page; the others continue, up to four times as far. So a single range
 * takes one or two walks, hundreds take three or four, and no range is read much further than its share of the page.
 * A range in which few rows pass is divided from the row that was reached, and its parts are read after the others.
 */
export async function mergeRanges<Range, Level>(
  ranges: Ranges<Range, Level>,
  after: string,
  wanted: number,
): Promise<readonly string[]> {
  const { levels, first, divide, order } = ranges
  let page: readonly string[] = []
  let open = first.map((range): OpenRange<Range> => ({ range, after }))
  for (const [index, level] of levels.entries()) {
    if (index > 0) open = open.flatMap((each) => divide(each.range, level).map((range) => ({ ...each, range })))
    const isFinest = index + 1 === levels.length
    const read = await readLevel(ranges, { level, isFinest, open, page, wanted })
    page = read.page
    open = read.poor.filter((range) => order.compare(range.after, lastOf(order, page, wanted)) < 0)
  }
  return page
}

interface Reading<Range, Level> {
  level: Level
  isFinest: boolean
  open: readonly OpenRange<Range>[]
  /** The keys found so far. */
  page: readonly string[]
  wanted: number
}

/** Merges the ranges of one level into the page; returns it with the ranges in which few rows pass. */
async function readLevel<Range, Level>(
  { walk, order }: Ranges<Range, Level>,
  { level, isFinest, open: ranges, page: before, wanted }: Reading<Range, Level>,
): Promise<{ page: readonly string[]; poor: OpenRange<Range>[] }> {
  const poor: OpenRange<Range>[] = []
  let page = before
  let open = ranges
  let depth = Math.max(Math.ceil(wanted / Math.max(1, open.length)), Math.min(leastDepth, wanted))
  while (open.length > 0) {
    const rows = await walk(level, open, lastOf(order, page, wanted), depth)
    const passed = rows.filter((row) => row.passes)
    page = [...page, ...passed.map((row) => row.key)].toSorted(order.compare).slice(0, wanted)
    const counts = new Map<number, number>()
    for (const { range } of passed) counts.set(range, (counts.get(range) ?? 0) + 1)
    const goesOn: OpenRange<Range>[] = []
    const last = lastOf(order, page, wanted)
    for (const { range, key } of rows.filter((row) => row.isLast && order.compare(row.key, last) < 0)) {
      const reached = open[range]
      const isPoor = !isFinest && depth >= enoughToJudge && (counts.get(range) ?? 0) < depth * poorShare
      if (reached !== undefined) (isPoor ? poor : goesOn).push({ range: reached.range, after: key })
    }
    open = goesOn
    depth = Math.min(depth * 4, wanted * 4, likelyDepth(depth, passed.length, wanted - page.length))
  }
  return { page, poor }
}

/** Returns the depth at which `missing` rows pass if the share of the last walk continues, and a fifth more. */
function likelyDepth(depth: number, passed: number, missing: number): number {
  return missing === 0 ? Infinity : Math.max(leastDepth, Math.ceil((1.2 * missing * depth) / Math.max(1, passed)))
}

/** Returns the last key that can still be on the page. */
function lastOf({ end }: KeyOrder, page: readonly string[], wanted: number): string {
  return page.length === wanted ? (page.at(-1) ?? end) : end
}
