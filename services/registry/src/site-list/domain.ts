import { SiteStatus, type SiteListQuery } from '@frontdesk/contracts'
import type { Caller } from '../organisations/domain.ts'

/** What a list of sites is filtered by. Each filter: the values that are let through, sorted, without repetition. */
export interface ListFilters {
  systems: readonly string[]
  statuses: readonly string[]
  /** These four: absent means all. */
  sites?: readonly string[]
  owning?: readonly string[]
  billing?: readonly string[]
  countries?: readonly string[]
}

/** The filters that come on top of system and status, in the order in which the indexes hold them. */
export const dimensions = ['owning', 'billing', 'countries'] as const
export type Dimension = (typeof dimensions)[number]

const allStatuses: readonly string[] = SiteStatus.enum

/**
 * What a caller may see of what it asks for.
 *
 * @param named the system that the request names; without one it is all of the caller's
 */
export function listFilters(caller: Caller, named: string | undefined, query: SiteListQuery): ListFilters {
  const { organisations } = caller
  const asked = query.OwningOrganisations
  const owning =
    organisations === undefined ? asked : (asked?.filter((slug) => organisations.includes(slug)) ?? organisations)
  return {
    systems: distinct(named === undefined ? caller.systems : [named]),
    statuses: allStatuses.filter(
      (status) => query.isActive === undefined || query.isActive === (status === 'Operational'),
    ),
    ...(query.Sites === undefined ? {} : { sites: distinct(query.Sites) }),
    ...(owning === undefined ? {} : { owning: distinct(owning) }),
    ...(query.BillingOrganisations === undefined ? {} : { billing: distinct(query.BillingOrganisations) }),
    ...(query.Countries === undefined ? {} : { countries: distinct(query.Countries) }),
  }
}

/** What a page token is bound to: the filters as they were asked for, in whatever order. */
export function boundFilters(named: string | undefined, query: SiteListQuery): unknown {
  return [
    named ?? null,
    query.isActive ?? null,
    ...[query.Sites, query.OwningOrganisations, query.BillingOrganisations, query.Countries].map((values) =>
      values === undefined ? null : distinct(values),
    ),
  ]
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted()
}

/** The ranges of one index that hold the sites of a list, and what is left to be checked row by row. */
export interface ListRanges {
  /** The filters that the keys consist of, besides system and status: they name the index. */
  keyed: Dimension[]
  keys: string[]
  /** Filters that are in no key, as there would be too many. */
  checked: Dimension[]
}

/** A look into a range costs about 2 microseconds; beyond so many it is cheaper to check rows. */
const mostRanges = 8_000

/**
 * The ranges that together hold what the filters let through: one for every combination of their values. With more
 * than 8000 combinations as many filters as stay below make the keys, and the others are checked on each row: only then
 * may a range be walked for longer than a page.
 */
export function listRanges(filters: ListFilters): ListRanges {
  const given = dimensions.filter((dimension) => filters[dimension] !== undefined)
  const valuesOf = (dimension: Dimension) => filters[dimension] ?? []
  const count = (keyed: readonly Dimension[]) =>
    keyed.reduce(
      (ranges, dimension) => ranges * valuesOf(dimension).length,
      filters.systems.length * filters.statuses.length,
    )
  const keyed = subsets(given)
    .filter((subset) => subset.length === 0 || count(subset) <= mostRanges)
    .reduce((best, next) => ((next.length - best.length || count(next) - count(best)) > 0 ? next : best))
  const keys = [filters.statuses, ...keyed.map(valuesOf)].reduce<readonly string[]>(
    (prefixes, values) => prefixes.flatMap((prefix) => values.map((value) => `${prefix} ${value}`)),
    filters.systems,
  )
  return { keyed, keys: [...keys], checked: given.filter((dimension) => !keyed.includes(dimension)) }
}

/** All subsets, the empty one first; members keep their order. */
function subsets<T>(members: readonly T[]): T[][] {
  return members.reduce<T[][]>((sets, member) => [...sets, ...sets.map((set) => [...set, member])], [[]])
}
