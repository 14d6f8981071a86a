import { camelRows, type Queryable } from '@frontdesk/database'
import { mergeRanges, newestFirst, type OpenRange, type WalkedRow } from '@frontdesk/service/paging'
import { paymentColumns } from '../payment/store.ts'
import type { PaymentRow } from '../payment/wire.ts'
import { idsOf, planList, type KeyColumn, type ListFilters, type ListPlan } from './domain.ts'

export interface PaymentPage {
  payments: PaymentRow[]
  /** The id after which the next page starts; absent on the last page. */
  next?: string
}

/**
 * Returns one page of the listed payments that pass the filters, newest first, after the payment `after`. Payments of deleted
 * sites are nobody's. Round trips: 2 to 5, and one more for a list of sites.
 */
export async function listPayments(
  db: Queryable,
  filters: ListFilters,
  after: string | undefined,
  size: number,
): Promise<PaymentPage> {
  const sites = filters.sites && (await visibleSites(db, filters, filters.sites))
  const visible = sites === undefined ? filters : { ...filters, sites }
  const { ranges, ...plan } = planList(visible)
  const { from, before } = idsOf(filters)
  const start = after === undefined || after > before ? before : after
  const ids = await mergeRanges(
    {
      order: newestFirst,
      levels: [plan],
      first: ranges,
      divide: () => [],
      async walk(_level, open, last, depth) {
        const lowest = last > from ? last : from
        return (await db.query<WalkedRow>(walkStatement(plan.columns, visible, open, lowest, depth))).rows
      },
    },
    start,
    size + 1,
  )
  const page = ids.slice(0, size)
  const last = page.at(-1)
  const payments = page.length === 0 ? [] : await paymentsOf(db, page)
  return ids.length <= size || last === undefined ? { payments } : { payments, next: last }
}

/** Those of some sites that the caller may see: neither the system nor the owner of a site ever changes. */
async function visibleSites(
  db: Queryable,
  { systems, organisations }: ListFilters,
  sites: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ slug: string }>(
    `select named.slug
       from unnest($1::text[]) as named (slug)
      cross join lateral (
        select product, organisation_slug from payments
         where site_slug = named.slug and listed order by site_slug desc, id desc limit 1
      ) as newest
      where newest.product = any($2) and ($3::text[] is null or newest.organisation_slug = any($3))`,
    [sites, systems, organisations],
  )
  return rows.map(({ slug }) => slug)
}

/** References are compared byte by byte; the other columns have no letters that any order could confuse. */
const keyOf = (column: KeyColumn, plan: ListPlan['columns']): string =>
  column === 'reference' && plan[0] !== 'site_slug' ? 'reference collate "C"' : column

/**
 * Returns the statement that walks ranges of an index, from `after` of each down to the id `lowest`, `depth` rows of each at most. Keys
 * are compared as rows, so that only this index has the order: for equal keys Postgres would see that the id alone makes the order, and
 * might walk the primary key, past every payment of others. It is not prepared, so that the planner sees how many ranges there are.
 */
export function walkStatement(
  columns: ListPlan['columns'],
  filters: ListFilters,
  open: readonly OpenRange<readonly string[]>[],
  lowest: string,
  depth: number,
): { text: string; values: unknown[] } {
  const key = columns.map((column) => keyOf(column, columns))
  const names = columns.map((_, index) => `key${index}`)
  const order = [...key, 'id'].map((each) => `${each} desc`).join(', ')
  const values: unknown[] = [open.map(({ after }) => after), lowest, depth]
  const parameter = (value: unknown): string => `$${values.push(value)}`
  const keys = columns.map((_, index) => `${parameter(open.map(({ range }) => range[index]))}::text[]`)
  const passes = checksOf(filters, columns, parameter)
  return {
    text: `select (range.number - 1)::int as range, walked.id as key, walked.passes, walked.place = $3 as "isLast"
             from unnest($1::uuid[], ${keys.join(', ')}) with ordinality as range (after, ${names.join(', ')}, number)
            cross join lateral (
              select id, ${passes} as passes, row_number() over (order by ${order}) as place
                from payments
               where listed ${columns.includes('reference') ? 'and reference is not null' : ''}
                 and (${[...key, 'id'].join(', ')}) < (${[...names, 'after'].map((name) => `range.${name}`).join(', ')})
                 and (${[...key, 'id'].join(', ')}) >= (${names.map((name) => `range.${name}, `).join('')}$2::uuid)
               order by ${order} limit $3
            ) as walked
            where walked.passes or walked.place = $3`,
    values,
  }
}

/** Returns the condition under which a row passes the filters that its range does not fulfil already. */
function checksOf(
  { systems, organisations, statuses, provider, createdFrom, createdTo }: ListFilters,
  columns: ListPlan['columns'],
  parameter: (value: unknown) => string,
): string {
  const checks = ['not exists (select from deleted_sites where slug = payments.site_slug)']
  const check = (column: KeyColumn, values: readonly string[] | undefined) => {
    if (values !== undefined && !columns.includes(column)) checks.push(`${column} = any(${parameter(values)}::text[])`)
  }
  check('product', systems)
  check('organisation_slug', organisations)
  check('status', statuses)
  check('provider', provider === undefined ? undefined : [provider])
  if (createdFrom !== undefined) checks.push(`created_at >= ${parameter(createdFrom)}::timestamptz`)
  if (createdTo !== undefined) checks.push(`created_at < ${parameter(createdTo)}::timestamptz`)
  return checks.join(' and ')
}

async function paymentsOf(db: Queryable, ids: readonly string[]): Promise<PaymentRow[]> {
  return camelRows<PaymentRow>(
    await db.query({
      name: 'payments-of-page',
      text: `select ${paymentColumns} from payments where id = any($1::uuid[]) order by id desc`,
      values: [ids],
    }),
  )
}
