import { PaymentStatus } from '@frontdesk/contracts'
import type { Pool } from '@frontdesk/database'
import { throwAwayDatabase, type ThrowAwayDatabase } from '@frontdesk/testing'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../src/db.ts'
import { lowestId, planList, type ListFilters } from '../src/payment-list/domain.ts'
import { listPayments, walkStatement } from '../src/payment-list/store.ts'

let made: ThrowAwayDatabase
let database: Database
let pool: Pool
let listPool: Pool
beforeAll(async () => {
  made = await throwAwayDatabase('payments')
  database = openDatabase({ url: made.url, size: 2, log: pino({ level: 'silent' }) })
  ;({ pool, listPool } = database)
  // A million shows the same, in minutes.
  await fill(Number(process.env['LIST_PLAN_PAYMENTS'] ?? 30_000))
}, 600_000)
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await made[Symbol.asyncDispose]()
})

const day = 24 * 60 * 60 * 1000
const first = Date.UTC(2026, 0, 1)

/**
 * A year of payments at 1,000 sites of 100 organisations. Nearly all are of one system and one provider, and paid; the site
 * sHuge has a third of them.
 */
async function fill(payments: number): Promise<void> {
  // Without the time limit of the service's statements.
  const client = new pg.Client({ connectionString: made.url })
  await client.connect()
  await client.query(
    `insert into payments (id, site_slug, organisation_slug, billing_organisation_slug, product, pms_specific_id, provider,
                           provider_account_id, provider_request, ui_mode, currency, amount, fee_amount, reference, status,
                           version, listed, history, created_at, changed_at)
     select (lpad(to_hex(made), 12, '0') || '7' || right(md5(i::text), 19))::uuid, site, 'o' || site_number % 100,
            'o' || site_number % 100, case when site_number % 50 = 7 then 'Epic' else 'Exact' end, site,
            case when i % 1000 = 1 then 'Sandbox' else 'Stripe' end, 'acct', '{}', 'Hosted', 'GBP', 4500, 0,
            case when i % 4 < 3 then 'INV-' || i / 5 end,
            case when i % 1500 = 3 then 'Disputed' when i % 10 = 5 then 'Cancelled' else 'Completed' end, 3, i % 100 <> 9,
            '[]', to_timestamp(made / 1000.0), to_timestamp(made / 1000.0)
       from (select i, $2::bigint + i::bigint * 365 * ${day} / $1::int as made,
                    case when i % 3 = 0 then 7 else i * 7 % 1000 end as site_number,
                    case when i % 3 = 0 then 'sHuge' else 's' || lpad((i * 7 % 1000)::text, 4, '0') end as site
               from generate_series(1, $1::int) as i) as numbered`,
    [payments, first],
  )
  await client.query(`insert into deleted_sites (slug) values ('s0014')`)
  await client.query('vacuum analyze')
  await client.end()
}

const systems = ['Exact']
const month = { createdFrom: new Date(first + 100 * day), createdTo: new Date(first + 130 * day) }
const someSites = ['s0021', 's0042', 's0063', 's0014', 'sHuge', 'sUnknown']
const lists: Record<string, ListFilters> = {
  'no filter': { systems },
  'several systems': { systems: ['Epic', 'Exact'] },
  'a system without payments': { systems: ['Dentrix'] },
  'a rare status': { systems, statuses: ['Disputed'] },
  'a status that nothing has': { systems, statuses: ['ChargedBack', 'Declined'] },
  'a rare provider': { systems, provider: 'Sandbox' },
  'a rare status at a rare provider': { systems, provider: 'Sandbox', statuses: ['Disputed'] },
  'a month': { systems, ...month },
  'a rare status in a month': { systems, statuses: ['Disputed'], ...month },
  'a reference': { systems, reference: 'INV-700' },
  'a reference that nothing has': { systems, reference: 'INV-none' },
  organisations: { systems: ['Epic', 'Exact'], organisations: ['o7', 'o21', 'o42'] },
  'an organisation in another system': { systems: ['Dentrix'], organisations: ['o21'] },
  'an organisation and a rare status': { systems, organisations: ['o21'], statuses: ['Disputed'] },
  'an organisation and a reference': { systems: ['Epic', 'Exact'], organisations: ['o7'], reference: 'INV-600' },
  sites: { systems: ['Epic', 'Exact'], sites: someSites },
  'sites of others': { systems, sites: someSites },
  'sites that are not of the organisation': { systems: ['Epic', 'Exact'], organisations: ['o21'], sites: someSites },
  'a rare status at sites': { systems: ['Epic', 'Exact'], sites: someSites, statuses: ['Disputed'] },
  'a reference at sites': { systems: ['Epic', 'Exact'], sites: someSites, reference: 'INV-600' },
}

describe.for(Object.entries(lists))('a list by %s', ([, filters]) => {
  test('reads each range from the index for it, no further than asked, and throws hardly a row away', async () => {
    const { columns, ranges } = planList(filters)
    const open = ranges.slice(0, 40).map((range) => ({ range, after: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }))
    const { text, values } = walkStatement(columns, filters, open, lowestId, 51)
    const result = await listPool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${text}`,
      values,
    )
    const scans = nodes(result.rows[0]!['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'payments')
    expect(scans.map((node) => [node['Node Type'], node['Index Name']])).toEqual([['Index Scan', indexOf(columns)]])
    expect(scans[0]!['Rows Removed by Filter'] ?? 0).toBe(0)
    expect(scans[0]!['Actual Rows']).toBeLessThanOrEqual(51)
  })

  test('equals a full scan of the table, page by page', async () => {
    const { sites, organisations, statuses, provider, reference, createdFrom, createdTo } = filters
    const expected = await pool.query<{ id: string }>(
      `select id from payments
        where listed and product = any($1) and site_slug <> 's0014'
          and ($2::text[] is null or organisation_slug = any($2)) and ($3::text[] is null or site_slug = any($3))
          and ($4::text[] is null or status = any($4)) and ($5::text is null or provider = $5)
          and ($6::text is null or reference = $6)
          and ($7::timestamptz is null or created_at >= $7) and ($8::timestamptz is null or created_at < $8)
        order by id desc`,
      [filters.systems, organisations, sites, statuses, provider, reference, createdFrom, createdTo],
    )
    const ids = expected.rows.map((row) => row.id)
    for (const [skipped, size] of [
      [0, 1],
      [0, 50],
      [120, 250],
      [ids.length - 3, 50],
    ] as const) {
      if (skipped < 0 || skipped > ids.length) continue
      const after = skipped === 0 ? undefined : ids[skipped - 1]
      const page = await listPayments(listPool, filters, after, size)
      const rest = skipped === 0 ? ids : ids.slice(skipped)
      expect(page.payments.map((payment) => payment.id)).toEqual(rest.slice(0, size))
      expect(page.next).toBe(rest.length > size ? rest[size - 1] : undefined)
    }
  })
})

test('every status has its ranges', () => {
  expect(planList({ systems }).ranges).toHaveLength(2 * PaymentStatus.enum.length)
})

function indexOf(columns: readonly string[]): string {
  const [scope, ...more] = columns
  if (scope === 'site_slug')
    return more.includes('reference')
      ? 'payments_by_reference'
      : more.length > 0
        ? 'payments_by_status'
        : 'payments_of_site'
  const name = scope === 'product' ? 'system' : 'organisation'
  return more.includes('reference') ? `payments_${name}_reference` : `payments_of_${name}`
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function nodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}
