import { camelRows, type Queryable } from '@frontdesk/database'
import type { Site } from '../sites/domain.ts'
import { dimensions, listRanges, type Dimension, type ListFilters, type ListRanges } from './domain.ts'
import { mergeRanges, type OpenRange } from './merge.ts'

const columns: Record<Dimension, string> = {
  owning: 'owning_organisation',
  billing: 'billing_organisation',
  countries: `(address ->> 'Country')`,
}

export interface SitePage {
  sites: Site[]
  /** The slug after which the next page starts, where there is one. */
  next?: string
}

/**
 * One page of the sites that the filters let through, in the order of the slug, after the slug `after` ('' for the
 * first page). Round trips: 2 for one site, range or a list of slugs; at most 6 for many ranges that are unlike.
 */
export async function listSites(db: Queryable, filters: ListFilters, after: string, size: number): Promise<SitePage> {
  const wanted = size + 1
  const slugs =
    filters.sites === undefined
      ? await listedSlugs(db, filters, after, wanted)
      : await namedSlugs(db, filters, filters.sites, after, wanted)
  const page = slugs.slice(0, size)
  const last = page.at(-1)
  const sites = page.length === 0 ? [] : await sitesOf(db, page)
  return slugs.length <= size || last === undefined ? { sites } : { sites, next: last }
}

async function listedSlugs(db: Queryable, filters: ListFilters, after: string, wanted: number): Promise<string[]> {
  const ranges = listRanges(filters)
  return mergeRanges(ranges.keys, after, wanted, async (open, last, depth) => {
    const result = await db.query<{ range: number; slug: string }>(readStatement(ranges, filters, open, last, depth))
    return result.rows
  })
}

/**
 * Reads ranges of the index whose keys consist of the same filters, written with exactly that index's expression and
 * collation (0001_init says why). Not prepared: the planner is to see how many ranges there are.
 */
export function readStatement(
  { keyed, checked }: Pick<ListRanges, 'keyed' | 'checked'>,
  filters: ListFilters,
  open: readonly OpenRange[],
  last: string,
  depth: number,
): { text: string; values: unknown[] } {
  const key = ['system', 'status', ...keyed.map((dimension) => columns[dimension])].join(` || ' ' || `)
  const checks = checked.map((dimension, index) => `and ${columns[dimension]} = any($${index + 5})`).join(' ')
  return {
    text: `select (range.number - 1)::int as range, head.slug
             from unnest($1::text[], $2::text[]) with ordinality as range (key, after, number)
            cross join lateral (
              select slug from sites
               where deleted_at is null and (${key}) = range.key
                 and slug collate "C" > range.after and slug collate "C" <= $3 ${checks}
               order by slug collate "C" limit $4
            ) as head
            order by range.number, head.slug collate "C"`,
    values: [
      open.map((range) => range.key),
      open.map((range) => range.after),
      last,
      depth,
      ...checked.map((dimension) => filters[dimension]),
    ],
  }
}

/** At most 250 rows, found one by one; what else is asked for is checked on them. */
async function namedSlugs(
  db: Queryable,
  filters: ListFilters,
  sites: readonly string[],
  after: string,
  wanted: number,
): Promise<string[]> {
  const given = dimensions.filter((dimension) => filters[dimension] !== undefined)
  const checks = given.map((dimension, index) => `and ${columns[dimension]} = any($${index + 6})`).join(' ')
  const result = await db.query<{ slug: string }>(
    `select slug from sites
      where slug = any($1) and deleted_at is null and system = any($2) and status = any($3)
        and slug collate "C" > $4 ${checks}
      order by slug collate "C" limit $5`,
    [sites, filters.systems, filters.statuses, after, wanted, ...given.map((dimension) => filters[dimension])],
  )
  return result.rows.map((row) => row.slug)
}

async function sitesOf(db: Queryable, slugs: readonly string[]): Promise<Site[]> {
  const result = await db.query({
    name: 'sites-of-page',
    text: `select * from sites where slug = any($1) and deleted_at is null order by slug collate "C"`,
    values: [slugs],
  })
  return camelRows<Site>(result)
}
