import { camelRows, type Queryable } from '@frontdesk/database'
import { ascending, mergeRanges, type OpenRange, type WalkedRow } from '@frontdesk/service/paging'
import type { Site } from '../sites/domain.ts'
import { divide, planList, type Dimension, type Level, type ListFilters, type Range } from './domain.ts'

const columns: Record<Dimension, string> = {
  group: `practice_management_system || ' ' || status`,
  owning: 'owning_organisation',
  billing: 'billing_organisation',
  countries: `(address ->> 'Country')`,
}

/** The order of the parts in the keys of the indexes. */
const keyOrder = ['group', 'owning', 'billing', 'countries'] as const

export interface SitePage {
  sites: Site[]
  /** The slug after which the next page starts; absent on the last page. */
  next?: string
}

/**
 * Returns one page of the sites that pass the filters, in the order of the slug, after the slug `after` ('' for the first
 * page). Round trips: 2 for a list of slugs, or a range in which most rows pass; 5 for hundreds of ranges of unlike
 * density; 8 for the slowest list of the benchmarks, in which ranges are divided twice.
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

function listedSlugs(db: Queryable, filters: ListFilters, after: string, wanted: number): Promise<readonly string[]> {
  async function walk(level: Level, open: readonly OpenRange<Range>[], last: string, depth: number) {
    const result = await db.query<WalkedRow>(walkStatement(level, filters, open, last, depth))
    return result.rows
  }
  const ranges = {
    order: ascending,
    ...planList(filters),
    walk,
    divide: (range: Range, level: Level) => divide(filters, range, level),
  }
  return mergeRanges(ranges, after, wanted)
}

/**
 * Returns the statement that walks ranges of a level, with exactly the expression and collation of the level's index
 * (migration 0001_sites says why). It is not prepared, so that the planner sees how many ranges there are.
 */
export function walkStatement(
  { keyed, checked }: Level,
  filters: ListFilters,
  open: readonly OpenRange<Range>[],
  last: string,
  depth: number,
): { text: string; values: unknown[] } {
  const parts = keyOrder.filter((part) => keyed.includes(part))
  const key = parts.map((part) => columns[part]).join(` || ' ' || `)
  const passes = checksOf(filters, checked, 5)
  // All sites are one range. Its start is a parameter, from which the planner sees how much of the range is left.
  const isInRange =
    keyed.length === 0
      ? `slug collate "C" > ($2::text[])[1]`
      : `(${key}) = range.key and slug collate "C" > range.after`
  return {
    text: `select (range.number - 1)::int as range, walked.slug as key, walked.passes, walked.place = $4 as "isLast"
             from unnest($1::text[], $2::text[]) with ordinality as range (key, after, number)
            cross join lateral (
              select slug, coalesce(${passes.text}, false) as passes, row_number() over (order by slug collate "C") as place
                from sites
               where deleted_at is null and ${isInRange} and slug collate "C" <= $3
               order by slug collate "C" limit $4
            ) as walked
            where walked.passes or walked.place = $4`,
    values: [
      open.map(({ range }) => parts.map((part) => range[part]).join(' ')),
      open.map(({ after }) => after),
      last,
      depth,
      ...passes.values,
    ],
  }
}

/** Returns the condition under which a row passes these filters, with its parameters from `$first` on. */
function checksOf(
  filters: ListFilters,
  dimensions: readonly Dimension[],
  first: number,
): { text: string; values: unknown[] } {
  const checks = dimensions.flatMap((dimension) =>
    dimension === 'group'
      ? [
          { column: 'practice_management_system', values: filters.practiceManagementSystems },
          { column: 'status', values: filters.statuses },
        ]
      : [{ column: columns[dimension], values: filters[dimension] }],
  )
  return {
    text: ['true', ...checks.map(({ column }, index) => `${column} = any($${index + first})`)].join(' and '),
    values: checks.map(({ values }) => values),
  }
}

/** Finds the sites of at most 250 slugs one by one, and checks the other filters on their rows. */
async function namedSlugs(
  db: Queryable,
  filters: ListFilters,
  sites: readonly string[],
  after: string,
  wanted: number,
): Promise<string[]> {
  const given = keyOrder.filter((dimension) => dimension === 'group' || filters[dimension] !== undefined)
  const passes = checksOf(filters, given, 4)
  const result = await db.query<{ slug: string }>(
    `select slug from sites
      where slug = any($1) and deleted_at is null and slug collate "C" > $2 and ${passes.text}
      order by slug collate "C" limit $3`,
    [sites, after, wanted, ...passes.values],
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
