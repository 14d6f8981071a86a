/** A range that is being read, and the slug after which it goes on. */
export interface OpenRange<Range> {
  range: Range
  after: string
}

/** A row of a range that was walked. */
export interface WalkedRow {
  /** Which of the ranges, by its place. */
  range: number
  slug: string
  /** Whether the site is one of the list: ranges that are not divided by every filter hold others too. */
  passes: boolean
  /** The row at which the walk ended, while the range may have more. */
  isLast: boolean
}

/** How the ranges of a list are read. */
export interface Ranges<Range, Level> {
  /** From coarse to fine. */
  levels: readonly Level[]
  /** Of the first level. */
  first: readonly Range[]
  /** Walks ranges of a level, `depth` rows of each at most, up to the slug `last`: the rows that pass, and each last one. */
  walk(level: Level, ranges: readonly OpenRange<Range>[], last: string, depth: number): Promise<WalkedRow[]>
  /** The parts of a range of a coarser level: ranges of this one. */
  divide(range: Range, level: Level): Range[]
}

/** Above every slug. */
const end = '~'

/** Fewer rows of a range are walked only where the page is smaller: to go on costs a round trip. */
const leastDepth = 8
/** Where of so many rows fewer than one in eight pass, the parts of the range are fewer rows to read. */
const enoughToJudge = 64
const poorShare = 1 / 8

/**
 * The first `wanted` slugs of all ranges together that pass, in byte order.
 *
 * Each range is walked a little first, as far as it takes if the ranges are alike. One that ran out, or has passed the last
 * slug that can still be on the page, is done; the others go on, four times as far. So one range costs one walk or two,
 * hundreds of them three or four, and none gives more than a few times its share of the page. A range in which few rows
 * pass is divided from where it was walked to, and its parts are read once the others are done.
 */
export async function mergeRanges<Range, Level>(
  ranges: Ranges<Range, Level>,
  after: string,
  wanted: number,
): Promise<readonly string[]> {
  const { levels, first, divide } = ranges
  let page: readonly string[] = []
  let open = first.map((range): OpenRange<Range> => ({ range, after }))
  for (const [index, level] of levels.entries()) {
    if (index > 0) open = open.flatMap((each) => divide(each.range, level).map((range) => ({ ...each, range })))
    const isFinest = index + 1 === levels.length
    const read = await readLevel(ranges, { level, isFinest, open, page, wanted })
    page = read.page
    open = read.poor.filter((range) => range.after < lastOf(page, wanted))
  }
  return page
}

interface Reading<Range, Level> {
  level: Level
  isFinest: boolean
  open: readonly OpenRange<Range>[]
  /** What was found before. */
  page: readonly string[]
  wanted: number
}

/** Adds to the page what ranges of one level have for it; returns those that are better divided, too. */
async function readLevel<Range, Level>(
  { walk }: Ranges<Range, Level>,
  { level, isFinest, open: ranges, page: before, wanted }: Reading<Range, Level>,
): Promise<{ page: readonly string[]; poor: OpenRange<Range>[] }> {
  const poor: OpenRange<Range>[] = []
  let page = before
  let open = ranges
  let depth = Math.max(Math.ceil(wanted / Math.max(1, open.length)), Math.min(leastDepth, wanted))
  while (open.length > 0) {
    const rows = await walk(level, open, lastOf(page, wanted), depth)
    const passed = rows.filter((row) => row.passes)
    page = [...page, ...passed.map((row) => row.slug)].toSorted().slice(0, wanted)
    const counts = new Map<number, number>()
    for (const { range } of passed) counts.set(range, (counts.get(range) ?? 0) + 1)
    const goesOn: OpenRange<Range>[] = []
    for (const { range, slug } of rows.filter((row) => row.isLast && row.slug < lastOf(page, wanted))) {
      const reached = open[range]
      const isPoor = !isFinest && depth >= enoughToJudge && (counts.get(range) ?? 0) < depth * poorShare
      if (reached !== undefined) (isPoor ? poor : goesOn).push({ range: reached.range, after: slug })
    }
    open = goesOn
    depth = Math.min(depth * 4, wanted * 4, likelyDepth(depth, passed.length, wanted - page.length))
  }
  return { page, poor }
}

/** As far as a walk goes for `missing` sites if as many pass on the way as did last time, with a fifth to spare. */
function likelyDepth(depth: number, passed: number, missing: number): number {
  return missing === 0 ? Infinity : Math.max(leastDepth, Math.ceil((1.2 * missing * depth) / Math.max(1, passed)))
}

/** The slug that nothing on the page can come after. */
function lastOf(page: readonly string[], wanted: number): string {
  return page.length === wanted ? (page.at(-1) ?? end) : end
}
