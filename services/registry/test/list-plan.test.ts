import type { Pool } from '@frontdesk/database'
import { throwAwayDatabase, type ThrowAwayDatabase } from '@frontdesk/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../src/db.ts'
import { divide, planList, type Level, type ListFilters, type Range } from '../src/site-list/domain.ts'
import { listSites, walkStatement } from '../src/site-list/store.ts'

const big = 'oBig00000000'
const payer = 'oPayer000000'
const statuses = ['Operational', 'Suspended', 'Closed']
const everything: ListFilters = { practiceManagementSystems: ['Exact'], statuses }

let made: ThrowAwayDatabase
let database: Database
let pool: Pool
let listPool: Pool
beforeAll(async () => {
  made = await throwAwayDatabase('registry')
  database = openDatabase({ url: made.url, size: 2, log: pino({ level: 'silent' }) })
  ;({ pool, listPool } = database)
  await fill(30_000)
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await made[Symbol.asyncDispose]()
})

/** A third is owned by one organisation and a third is billed to another; most are active, and in one country. */
async function fill(sites: number): Promise<void> {
  await pool.query(
    `insert into practice_management_systems values ('Exact', 'Exact', 'Dental', true), ('Epic', 'Epic', 'Medical', true)`,
  )
  await pool.query(
    `insert into organisations (slug, name, practice_management_system, pms_specific_id, owned_sites, created_at)
     select slug, slug, 'Exact', slug, 1, now()
       from (select 'o' || lpad(i::text, 11, '0') as slug from generate_series(1, $1) as i union values ($2), ($3)) as organisation`,
    [sites, big, payer],
  )
  await pool.query(
    `insert into sites (id, slug, name, practice_management_system, pms_specific_id, owning_organisation, billing_organisation, status, address,
                        version, created_at, changed_at)
     select gen_random_uuid(), 's' || substr(md5(i::text), 1, 11), 'Practice ' || i,
            case when i % 10 = 0 then 'Epic' else 'Exact' end, 'p' || i,
            case when i % 3 = 0 then $2 else 'o' || lpad(i::text, 11, '0') end,
            case when i % 3 = 1 then $3 else 'o' || lpad(i::text, 11, '0') end,
            case when i % 100 = 1 then 'Closed' when i % 100 = 2 then 'Suspended' else 'Operational' end,
            jsonb_build_object('Country', case when i % 7 = 0 then 'NZ' when i % 1000 = 3 then 'IE' else 'GB' end),
            1, now(), now()
       from generate_series(1, $1) as i`,
    [sites, big, payer],
  )
  await pool.query('analyze')
}

const owners = Array.from({ length: 249 }, (_, index) => `o${String(index * 50).padStart(11, '0')}`)
const filters: Record<string, ListFilters> = {
  'no filter': everything,
  'several systems': { ...everything, practiceManagementSystems: ['Epic', 'Exact'] },
  active: { ...everything, statuses: ['Operational'] },
  'not active': { ...everything, statuses: ['Suspended', 'Closed'] },
  'a large owner': { ...everything, owning: [big] },
  'a large owner among many small ones': { ...everything, owning: [big, ...owners] },
  'a large payer': { ...everything, billing: [payer] },
  'a common country': { ...everything, countries: ['GB'] },
  'a rare country and a common one': { ...everything, countries: ['GB', 'IE'] },
  'an owner and a payer that have nothing in common': { ...everything, owning: [big], billing: [payer] },
  'a large owner in a rare country': { ...everything, owning: [big], countries: ['IE'] },
  'a large payer in a rare country': { ...everything, billing: [payer], countries: ['IE'] },
  'many owners in several systems': {
    ...everything,
    practiceManagementSystems: ['Epic', 'Exact'],
    owning: [big, ...owners],
  },
  'many payers in several systems': {
    ...everything,
    practiceManagementSystems: ['Epic', 'Exact'],
    billing: [payer, ...owners],
  },
  'many owners and many payers': { ...everything, owning: [big, ...owners], billing: [payer, ...owners] },
  'many owners in rare countries': { ...everything, owning: [big, ...owners], countries: ['FR', 'IE'] },
  'all together': { ...everything, owning: [big, ...owners], billing: [payer], countries: ['NZ', 'IE'] },
}

describe.for(Object.entries(filters))('a list by %s', ([, filter]) => {
  test.for([51, 1_000])('reads %i rows of a range at most, from the index for its level', async (depth) => {
    const { levels, first } = planList(filter)
    let open = first
    for (const [index, level] of levels.entries()) {
      // A few ranges and their parts are enough.
      if (index > 0) open = open.slice(0, 20).flatMap((range) => divide(filter, range, level))
      const scans = await scansOf(level, filter, open, depth)
      expect(scans.map((node) => [node['Node Type'], node['Index Name']])).toEqual([['Index Scan', indexOf(level)]])
      expect(scans[0]!['Rows Removed by Filter'] ?? 0).toBe(0)
      expect(scans[0]!['Actual Rows']).toBeLessThanOrEqual(depth)
    }
  })

  test('equals the result of a full scan of the table', async () => {
    const expected = await pool.query<{ slug: string }>(
      `select slug from sites
        where practice_management_system = any($1) and status = any($2) and ($3::text[] is null or owning_organisation = any($3))
          and ($4::text[] is null or billing_organisation = any($4)) and ($5::text[] is null or address ->> 'Country' = any($5))
        order by slug collate "C"`,
      [filter.practiceManagementSystems, filter.statuses, filter.owning, filter.billing, filter.countries],
    )
    const slugs = expected.rows.map((row) => row.slug)
    for (const [after, size] of [
      ['', 1],
      ['', 50],
      ['s8', 250],
      ['sff', 250],
    ] as const) {
      const page = await listSites(listPool, filter, after, size)
      const rest = slugs.filter((slug) => slug > after)
      expect(page.sites.map((site) => site.slug)).toEqual(rest.slice(0, size))
      expect(page.next).toBe(rest.length > size ? rest[size - 1] : undefined)
    }
  })
})

/** Returns the plan nodes that read the table of sites when these ranges are walked. */
async function scansOf(
  level: Level,
  filter: ListFilters,
  ranges: readonly Range[],
  depth: number,
): Promise<PlanNode[]> {
  const open = ranges.map((range) => ({ range, after: 'sa' }))
  const { text, values } = walkStatement(level, filter, open, '~', depth)
  const result = await listPool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  )
  return nodes(result.rows[0]!['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'sites')
}

function indexOf({ keyed }: Level): string {
  const parts = (['owning', 'billing', 'countries'] as const)
    .filter((part) => keyed.includes(part))
    .map((part) => (part === 'countries' ? 'country' : part))
  return ['sites', keyed.includes('group') ? 'list' : 'of', ...(keyed.length === 0 ? ['all'] : parts)].join('_')
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function nodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)]
}
