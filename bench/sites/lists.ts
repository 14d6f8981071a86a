import { countryCodes, type SiteListQuery } from '@frontdesk/contracts'
import type { Pool } from '@frontdesk/database'
import type { Population } from './population.ts'

type Filters = Partial<Omit<SiteListQuery, 'pageSize' | 'nextPageToken'>>

/** A list of sites with its filters. */
export interface List {
  name: string
  filters: Filters
  /** The practice management system that the request names; default: all of them. */
  system?: string
  /** The most pages to read. */
  pages: number
}

// More values in all than in these lists do not fit into the 16 KiB of an address with its headers.
const most = 250

/** The countries of most sites (population.ts). */
const commonCountries = ['GB', 'US']

/** Returns lists with every filter alone (one value, and as many as allowed) and combined, of one system and of all. */
export async function listsOf(pool: Pool, { giantOwner, giantBiller, sites }: Population): Promise<List[]> {
  const slugs = async (column: string): Promise<string[]> => {
    const result = await pool.query<{ slug: string }>(
      `select distinct ${column} as slug from (select * from sites where deleted_at is null order by id limit 3000) as sample limit ${most - 1}`,
    )
    return result.rows.map(({ slug }) => slug)
  }
  const owners = [giantOwner, ...(await slugs('owning_organisation'))]
  const billers = [giantBiller, ...(await slugs('billing_organisation'))]
  const countries = countryCodes.slice(0, most)
  const rare = countries.filter((code) => !commonCountries.includes(code))
  const filters: Record<string, Filters> = {
    'no filter': {},
    active: { isActive: true },
    'not active': { isActive: false },
    'one country': { Countries: ['GB'] },
    'rare country, not active': { Countries: ['PT'], isActive: false },
    'all countries': { Countries: countries },
    'one large owner': { OwningOrganisations: [giantOwner] },
    '250 owners': { OwningOrganisations: owners },
    'one large biller': { BillingOrganisations: [giantBiller] },
    '250 billers': { BillingOrganisations: billers },
    'large owner and biller': { OwningOrganisations: [giantOwner], BillingOrganisations: [giantBiller] },
    '200 owners, 200 billers': {
      OwningOrganisations: owners.slice(0, 200),
      BillingOrganisations: billers.slice(0, 200),
    },
    '250 owners, all countries': { OwningOrganisations: owners, Countries: countries },
    '250 owners, rare countries': {
      OwningOrganisations: owners,
      Countries: rare,
    },
    '250 billers, rare countries, not active': {
      BillingOrganisations: billers,
      Countries: rare,
      isActive: false,
    },
    'large biller, all countries, active': {
      BillingOrganisations: [giantBiller],
      Countries: countries,
      isActive: true,
    },
    '250 sites': { Sites: await slugs('slug') },
    'all filters': {
      Sites: (await slugs('slug')).slice(0, 100),
      OwningOrganisations: owners.slice(0, 100),
      BillingOrganisations: billers.slice(0, 100),
      Countries: countries.slice(0, 100),
      isActive: true,
    },
  }
  const lists = Object.entries(filters).flatMap(([name, given]) => [
    { name: `${name}; one system`, filters: given, system: 'OpenDental', pages: 40 },
    { name: `${name}; all systems`, filters: given, pages: 40 },
  ])
  // The list without filters is read to its end, so that every depth of paging is measured.
  return [{ name: 'every page of the list', filters: {}, pages: Math.ceil(sites / most) }, ...lists]
}

/** Returns the query of a list, without the token of a page. */
export function queryOf(filters: Filters): string {
  const search = new URLSearchParams({ pageSize: String(most) })
  for (const [name, value] of Object.entries(filters)) {
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item))
  }
  return search.toString()
}
