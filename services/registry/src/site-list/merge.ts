/** A range that is being read: its key, and the slug after which it goes on. */
export interface OpenRange {
  key: string
  after: string
}

/** Reads the first slugs of each range: after its own start, up to `last`, at most `depth` of each, in their order. */
export type ReadRanges = (
  ranges: readonly OpenRange[],
  last: string,
  depth: number,
) => Promise<{ range: number; slug: string }[]>

/** Above every slug. */
const end = '~'

/**
 * The first `wanted` slugs of all ranges together, in byte order.
 *
 * Each range gives a few slugs first, as many as it takes if the ranges are alike. A range that ran out, or has passed
 * the last slug that can still be on the page, is done; the others go on, four times as deep. So one range costs one
 * read, hundreds of them two or three, and no range gives more than a few times its share of the page.
 */
export async function mergeRanges(
  keys: readonly string[],
  after: string,
  wanted: number,
  read: ReadRanges,
): Promise<string[]> {
  let page: string[] = []
  let open: OpenRange[] = keys.map((key) => ({ key, after }))
  let depth = Math.ceil(wanted / Math.max(1, keys.length))
  while (open.length > 0) {
    const heads = await read(open, page.length === wanted ? (page.at(-1) ?? end) : end, depth)
    const lasts = new Map<number, { count: number; slug: string }>()
    for (const { range, slug } of heads) lasts.set(range, { count: (lasts.get(range)?.count ?? 0) + 1, slug })
    page = [...page, ...heads.map((head) => head.slug)].toSorted().slice(0, wanted)
    const last = page.length === wanted ? (page.at(-1) ?? end) : end
    const readDepth = depth
    open = open.flatMap(({ key }, range) => {
      const reached = lasts.get(range)
      return reached === undefined || reached.count < readDepth || reached.slug >= last
        ? []
        : [{ key, after: reached.slug }]
    })
    depth = Math.min(depth * 4, wanted)
  }
  return page
}
