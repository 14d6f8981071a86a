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

/** What ranges of sites are divided by. A group is a system and a status. */
export type Dimension = 'owning' | 'billing' | 'countries' | 'group'

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

/** Sites that have these values in common: a range of an index, in the order of the slug. */
export type Range = Partial<Record<Dimension, string>>

/** Ranges that are divided by the same dimensions; there is an index for each such set. */
export interface Level {
  /** What the keys of the index consist of; without any it holds all sites. */
  keyed: readonly Dimension[]
  /** Filters that are in no key: they are checked on each row. */
  checked: readonly Dimension[]
}

/** How a list is read: from its first ranges, and where one of them holds few of the sites, from its parts. */
export interface ListPlan {
  /** From coarse to fine. */
  levels: readonly Level[]
  /** Ranges of the first level; together they hold every site of the list. */
  first: readonly Range[]
}

/** To look into so many ranges takes about as long as to make the page. */
const mostParts = 1_000

/**
 * Plans a list. It is read by organisation where some are named (the owning or the billed ones, whichever are fewer), else
 * straight in the order of the slug, and the other filters are checked: mostly nearly every row passes them. A range of
 * which that is not so is divided by them (merge.ts), by as many at a time as give at most 1,000 parts.
 */
export function planList(filters: ListFilters): ListPlan {
  const count = (dimension: Dimension): number => valuesOf(filters, dimension).length
  const organisations = (['owning', 'billing'] as const)
    .filter((dimension) => filters[dimension] !== undefined)
    .toSorted((one, other) => count(one) - count(other))
  const country = filters.countries === undefined ? [] : (['countries'] as const)
  const order: Dimension[] = [...organisations, 'group', ...country]
  const levelOf = (keyed: number): Level => ({ keyed: order.slice(0, keyed), checked: order.slice(keyed) })
  const coarsest = organisations.length > 0 ? 1 : 0
  const levels = [levelOf(coarsest)]
  let parts = Infinity
  for (const [index, dimension] of order.entries()) {
    if (index < coarsest) continue
    parts *= count(dimension)
    // Few enough: a range is divided by this one at once with the one before it.
    if (parts <= mostParts) levels.pop()
    else parts = count(dimension)
    levels.push(levelOf(index + 1))
  }
  const isEmpty = order.some((dimension) => count(dimension) === 0)
  return { levels, first: isEmpty ? [] : divide(filters, {}, levelOf(coarsest)) }
}

/** The parts of a range that are ranges of a finer level: one for every combination of values that is let through. */
export function divide(filters: ListFilters, range: Range, { keyed }: Level): Range[] {
  let parts = [range]
  for (const by of keyed.filter((dimension) => range[dimension] === undefined)) {
    const values = valuesOf(filters, by)
    parts = parts.flatMap((part) => values.map((value) => ({ ...part, [by]: value })))
  }
  return parts
}

function valuesOf(filters: ListFilters, dimension: Dimension): readonly string[] {
  return dimension === 'group'
    ? filters.systems.flatMap((system) => filters.statuses.map((status) => `${system} ${status}`))
    : (filters[dimension] ?? [])
}
