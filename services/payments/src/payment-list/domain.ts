import { PaymentProvider, PaymentStatus, type AllPaymentsQuery } from '@frontdesk/contracts'
import type { Principal } from '@frontdesk/service/tokens'

/** The filters of a list of payments across sites. An absent one lets all payments pass. */
export interface ListFilters {
  /** The practice management systems of the caller: payments of others are not for him. */
  systems: readonly string[]
  /** The organisations that the caller is restricted to. */
  organisations?: readonly string[]
  sites?: readonly string[]
  statuses?: readonly string[]
  provider?: string
  reference?: string
  createdFrom?: Date
  createdTo?: Date
}

/** Returns the filters of a request, narrowed to what its caller may see. */
export function listFilters(
  { practiceManagementSystems, organisations }: Pick<Principal, 'practiceManagementSystems' | 'organisations'>,
  named: NamedFilters,
): ListFilters {
  const { Sites, Status, PaymentProvider: provider, Reference: reference, CreatedFrom, CreatedTo } = named
  return {
    systems: distinct(practiceManagementSystems),
    ...(organisations === undefined ? {} : { organisations: distinct(organisations) }),
    ...(Sites === undefined ? {} : { sites: distinct(Sites) }),
    ...(Status === undefined ? {} : { statuses: distinct(Status) }),
    ...(provider === undefined ? {} : { provider }),
    ...(reference === undefined ? {} : { reference }),
    ...(CreatedFrom === undefined ? {} : { createdFrom: new Date(CreatedFrom) }),
    ...(CreatedTo === undefined ? {} : { createdTo: new Date(CreatedTo) }),
  }
}

/** The filters of a request. */
export type NamedFilters = Omit<AllPaymentsQuery, 'pageSize' | 'nextPageToken'>

/** Returns the filters of a request as a page token carries them, whatever the order of their values; `list` tells this list from others. */
export function carriedFilters({ Sites, Status, ...others }: NamedFilters): NamedFilters & { list: string } {
  return {
    list: 'payments of all sites',
    ...others,
    ...(Sites && { Sites: distinct(Sites) }),
    ...(Status && { Status: distinct(Status) }),
  }
}

const distinct = <Value extends string>(values: readonly Value[]): Value[] => [...new Set(values)].toSorted()

/** A column of the keys by which payments are read; the id follows in every key, and makes the order. */
export type KeyColumn = 'site_slug' | 'organisation_slug' | 'product' | 'provider' | 'status' | 'reference'

/** The way to read a list: ranges of one index, each with its payments in the order of the list. Together they hold the list. */
export interface ListPlan {
  columns: readonly KeyColumn[]
  /** The values of `columns`, by range. */
  ranges: readonly (readonly string[])[]
}

/**
 * Plans a list. It is read by what divides it finest: by site, otherwise by the organisations that the caller is restricted to,
 * otherwise by his systems. Then by reference, or by provider and status, so that nearly every row that is read passes. A site is
 * small enough to be read without its provider, and as it is if no status is asked for.
 */
export function planList(filters: ListFilters): ListPlan {
  const { systems, organisations, sites, statuses, provider, reference } = filters
  const [column, values]: [KeyColumn, readonly string[]] =
    sites !== undefined
      ? ['site_slug', sites]
      : organisations !== undefined
        ? ['organisation_slug', organisations]
        : ['product', systems]
  const of: [KeyColumn, readonly string[]][] = [[column, values]]
  if (reference !== undefined) of.push(['reference', [reference]])
  else {
    if (sites === undefined) of.push(['provider', provider === undefined ? PaymentProvider.enum : [provider]])
    if (sites === undefined || statuses !== undefined) of.push(['status', statuses ?? PaymentStatus.enum])
  }
  let ranges: readonly (readonly string[])[] = [[]]
  for (const [, each] of of) ranges = ranges.flatMap((range) => each.map((value) => [...range, value]))
  return { columns: of.map(([name]) => name), ranges }
}

const minute = 60_000
/** Clocks of replicas may be apart, and those of Postgres and a replica too. */
const clocksMs = 5 * minute
/** A request that is resumed under its Idempotency-Key has the id of its first try, up to a day before. */
const resumedMs = 24 * 60 * minute + clocksMs

/**
 * Returns between which ids the payments of a span of time are: UUIDv7 begin with the milliseconds of their making, which is
 * a little before the payment's creation, and a day before it at most. So a list of a month reads no other months.
 */
export function idsOf({ createdFrom, createdTo }: Pick<ListFilters, 'createdFrom' | 'createdTo'>): {
  from: string
  before: string
} {
  return {
    from: createdFrom === undefined ? lowestId : idAt(createdFrom.getTime() - resumedMs),
    before: createdTo === undefined ? highestId : idAt(createdTo.getTime() + clocksMs),
  }
}

export const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const lastTime = 2 ** 48 - 1

/** Returns the lowest id of a millisecond. */
function idAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), lastTime).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
