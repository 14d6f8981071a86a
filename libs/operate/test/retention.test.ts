import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  deleteChunk,
  deletionChunk,
  deletionSettings,
  deletionSql,
  openPool,
  transaction,
  type DeletionRule,
  type Pool,
  type Retentions,
} from '@frontdesk/database'
import { hasDatabase, serviceFolder, serviceNames } from '@frontdesk/database/service-databases'
import { eventRetentions } from '@frontdesk/events'
import { throwAwayDatabase } from '@frontdesk/testing'
import { expect, test } from 'vitest'

const services = serviceNames().filter(hasDatabase)

async function retentionsOf(service: string): Promise<Retentions> {
  const module = (await import(join(serviceFolder(service), 'src/retention.ts'))) as { retentions: Retentions }
  return module.retentions
}

/** Returns the plan of a deleting statement, as the clean-up runs it. */
async function planOf(pool: Pool, rule: DeletionRule): Promise<string> {
  return transaction(pool, async (tx) => {
    await tx.query(deletionSettings)
    const { rows } = await tx.query(`explain ${deletionSql(rule).replace('$1', `'-infinity'`)}`)
    return rows.map((row) => Object.values(row).join()).join('\n')
  })
}

test.each(services)('every table of %s has a retention rule', async (service) => {
  await using database = await throwAwayDatabase(service)
  const pool = openPool({ url: database.url, name: 'retention test', size: 1 })
  const { rows } = await pool.query<{ name: string }>(
    // Partitions go with their table.
    `select case when nspname = 'public' then relname else nspname || '.' || relname end as name
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p') and not relispartition and nspname !~ '^(pg_|information_schema)'
        and relname <> '_prisma_migrations'`,
  )
  await pool.end()
  const tables = rows.map(({ name }) => name)
  expect(Object.keys(await retentionsOf(service)).toSorted()).toEqual(tables.toSorted())
})

test('docs/operating.md lists every rule in these words', async () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  const documented = text.split('\n').filter((line) => /^\| [a-z-]+ \| `[a-z_.]+` \|/.test(line))
  const rules: string[] = []
  for (const service of services) {
    for (const [table, retention] of Object.entries(await retentionsOf(service))) {
      const by = 'by' in retention ? retention.by : 'the clean-up'
      rules.push(`| ${service} | \`${table}\` | ${retention.rule} | ${by} |`)
    }
  }
  expect(documented).toEqual(rules)
})

test.each(services)('every deletion of %s finds its rows by an index', async (service) => {
  await using database = await throwAwayDatabase(service)
  const pool = openPool({ url: database.url, name: 'retention test', size: 1 })
  for (const retention of Object.values(await retentionsOf(service))) {
    if (!('deletion' in retention)) continue
    const plan = await planOf(pool, retention.deletion)
    expect(plan).toMatch(/Tid Scan/)
    expect(plan).toMatch(/Index Scan/)
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  }
  await pool.end()
})

test('among 50,000 rows a chunk reads the index and no more rows than it deletes', async () => {
  await using database = await throwAwayDatabase('payments')
  const pool = openPool({ url: database.url, name: 'retention test', size: 1 })
  await pool.query(
    `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload, published_at)
     select gen_random_uuid(), 'test', n::text, 1, 0, 'x', '{}', 'x', now() - interval '14 days' + n * interval '24 seconds'
       from generate_series(1, 50000) n`,
  )
  const { deletion } = eventRetentions.outbox
  // Right after the insert there are no statistics; later there are.
  for (const prepare of ['select 1', 'analyze outbox']) {
    await pool.query(prepare)
    const plan = await planOf(pool, deletion)
    expect(plan).toContain('Index Scan using outbox_published')
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  }
  const first = await deleteChunk(pool, deletion)
  const second = await deleteChunk(pool, deletion, first.latest)
  expect([first.deleted, second.deleted]).toEqual([deletionChunk, deletionChunk])
  await pool.end()
})
