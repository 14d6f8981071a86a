import { SiteStatus, type SiteListQuery } from '@frontdesk/contracts'
import type { Caller } from '../organisations/domain.ts'

/** The filters of a list of sites. Each holds the values that pass, sorted and distinct. */
export interface ListFilters {
  practiceManagementSystems: readonly string[]
  statuses: readonly string[]
  /** An absent one of these four lets all values pass. */
  sites?: readonly string[]
  owning?: readonly string[]
  billing?: readonly string[]
  countries?: readonly string[]
}

/** The dimensions by which ranges of sites are divided. A group is a system and a status. */
export type Dimension = 'owning' | 'billing' | 'countries' | 'group'

const allStatuses: readonly string[] = SiteStatus.enum

/** The filters that a request names, which its page tokens carry. The values of each are sorted and distinct. */
export interface NamedFilters extends Pick<
  SiteListQuery,
  'Sites' | 'OwningOrganisations' | 'BillingOrganisations' | 'Countries' | 'isActive'
> {
  [name: string]: unknown
  /** The system that the request names by its header. */
  'X-Practice-Management-Software'?: string
}

/** Returns the filters that a request names, the same whatever the order of their values. */
export function namedFilters(system: string | undefined, query: SiteListQuery): NamedFilters {
  const { Sites, OwningOrganisations, BillingOrganisations, Countries, isActive } = query
  return {
    ...(system === undefined ? {} : { 'X-Practice-Management-Software': system }),
    ...(Sites === undefined ? {} : { Sites: distinct(Sites) }),
    ...(OwningOrganisations === undefined ? {} : { OwningOrganisations: distinct(OwningOrganisations) }),
    ...(BillingOrganisations === undefined ? {} : { BillingOrganisations: distinct(BillingOrganisations) }),
    ...(Countries === undefined ? {} : { Countries: distinct(Countries) }),
    ...(isActive === undefined ? {} : { isActive }),
  }
}

/**
 * Returns the filters of a list, narrowed to what its caller may see. Without a named system it has all of the caller's; one that
 * the caller has no more, which a page token may name, shows nothing.
 */
export function listFilters(caller: Caller, query: NamedFilters): ListFilters {
  const { organisations, practiceManagementSystems: systems } = caller
  const named = query['X-Practice-Management-Software']
  const asked = query.OwningOrganisations
  const owning =
    organisations === undefined ? asked : (asked?.filter((slug) => organisations.includes(slug)) ?? organisations)
  return {
    practiceManagementSystems: distinct(named === undefined ? systems : systems.filter((system) => system === named)),
    statuses: allStatuses.filter(
      (status) => query.isActive === undefined || query.isActive === (status === 'Operational'),
    ),
    ...(query.Sites === undefined ? {} : { sites: distinct(query.Sites) }),
    ...(owning === undefined ? {} : { owning: distinct(owning) }),
    ...(query.BillingOrganisations === undefined ? {} : { billing: distinct(query.BillingOrganisations) }),
    ...(query.Countries === undefined ? {} : { countries: distinct(query.Countries) }),
  }
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted()
}

/** The sites that have these values in common: a range of an index, in the order of the slug. */
export type Range = Partial<Record<Dimension, string>>

/** Ranges that are divided by the same dimensions; there is an index for each such set. */
export interface Level {
  /** The parts of the keys of the index; without any, the index is one range of all sites. */
  keyed: readonly Dimension[]
  /** Filters that are not part of the key: they are checked on each row. */
  checked: readonly Dimension[]
}

/** The way to read a list: its first ranges, and the finer levels for the parts of a range in which few sites pass. */
export interface ListPlan {
  /** From coarse to fine. */
  levels: readonly Level[]
  /** Ranges of the first level; together they hold every site of the list. */
  first: readonly Range[]
}

/** Opening this many ranges takes about as long as building the page. */
const mostParts = 1_000

/**
 * Plans a list. If the filters name organisations, it is read by organisation (owning or billed, whichever are fewer),
 * otherwise straight in the order of the slug. The other filters are checked on each row, since most rows usually pass
 * them. A range in which few rows pass is divided by them (`mergeRanges`), by as many at a time as give at most 1,000 parts.
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
    // Few enough parts: a range is divided by this dimension and the one before it at once.
    if (parts <= mostParts) levels.pop()
    else parts = count(dimension)
    levels.push(levelOf(index + 1))
  }
  const isEmpty = order.some((dimension) => count(dimension) === 0)
  return { levels, first: isEmpty ? [] : divide(filters, {}, levelOf(coarsest)) }
}

/** Divides a range into ranges of a finer level: one for every combination of values that pass. */
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
    ? filters.practiceManagementSystems.flatMap((system) => filters.statuses.map((status) => `${system} ${status}`))
    : (filters[dimension] ?? [])
}
