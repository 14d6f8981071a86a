import { throwAwayDatabase, type ThrowAwayDatabase } from '@frontdesk/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientConfig } from '../src/login.ts'
import { rolesOf } from '../src/roles.ts'
import { hasDatabase, migrationsFolder, serviceNames, withDatabase } from '../src/service-databases.ts'
import { newestMigration } from '../src/migrations.ts'

const services = serviceNames().filter(hasDatabase)
const stack = new AsyncDisposableStack()
const databases = new Map<string, ThrowAwayDatabase>()

beforeAll(async () => {
  for (const service of services) databases.set(service, stack.use(await throwAwayDatabase(service)))
})
afterAll(() => stack.disposeAsync())

function databaseOf(service: string): ThrowAwayDatabase {
  const database = databases.get(service)
  if (database === undefined) throw new Error(`${service} has no database`)
  return database
}

/** Returns the SQLSTATE of each statement's refusal, and `done` for one that was carried out. Leaves nothing behind. */
async function attempts(url: string, statements: readonly string[]): Promise<string[]> {
  const client = new pg.Client(clientConfig(url))
  await client.connect()
  const found: string[] = []
  try {
    for (const statement of statements) {
      await client.query('begin')
      found.push(await client.query(statement).then(() => 'done', codeOf))
      await client.query('rollback')
    }
    return found
  } finally {
    await client.end()
  }
}

function codeOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? String(error.code) : String(error)
}

/** Lists the tables of a service, such as `public.outbox`, without the partitions, whose rights nobody needs. */
async function tablesOf(service: string): Promise<string[]> {
  const client = new pg.Client(databaseOf(service).url)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where relkind in ('r', 'p') and not relispartition and nspname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

const denied = '42501'

test.each(services)('the runtime role of %s reads and writes the rows of its tables', async (service) => {
  const tables = (await tablesOf(service)).filter((table) => table !== 'public._prisma_migrations')
  expect(tables.length).toBeGreaterThan(1)
  const statements = tables.flatMap((table) => [
    `select 1 from ${table} limit 1`,
    `delete from ${table} where false`,
    `insert into ${table} select * from ${table} where false`,
  ])
  // Identity columns refuse a value (428C9), which is after the check of the rights.
  const outcomes = await attempts(databaseOf(service).runtimeUrl, statements)
  expect(outcomes.filter((outcome) => outcome !== 'done' && outcome !== '428C9')).toEqual([])
})

test.each(services)('the runtime role of %s defines, changes and drops nothing', async (service) => {
  const { owner, database } = rolesOf(service)
  const tables = await tablesOf(service)
  const statements = [
    ...tables.flatMap((table) => [
      `drop table ${table}`,
      `truncate ${table} cascade`,
      `alter table ${table} add column extra int`,
      `alter table ${table} disable trigger all`,
      `create index on ${table} ((1))`,
    ]),
    'create table public.mine (a int)',
    'create table pg_temp.mine (a int)',
    'create schema mine',
    'create schema if not exists public',
    `create function public.mine() returns int language sql as 'select 1'`,
    `insert into _prisma_migrations (id, checksum, migration_name) values ('1', '1', '1')`,
    'update _prisma_migrations set finished_at = null',
    'delete from _prisma_migrations',
    `alter database ${database} set log_statement = 'none'`,
    `drop owned by ${owner}`,
  ]
  const outcomes = await attempts(databaseOf(service).runtimeUrl, statements)
  expect(statements.filter((_, place) => outcomes[place] !== denied)).toEqual([])
})

test.each(services)('the runtime role of %s does nothing for which one must be a superuser', async (service) => {
  const { owner, runtime } = rolesOf(service)
  const others = services.filter((other) => other !== service).map((other) => rolesOf(other))
  const statements = [
    `set role ${owner}`,
    'set role postgres',
    ...others.map((other) => `set role ${other.runtime}`),
    `set session_replication_role = 'replica'`,
    'create role mine',
    `alter role ${runtime} superuser`,
    `alter role ${owner} password 'mine'`,
    'alter role postgres rename to mine',
    `select pg_read_file('postgresql.conf')`,
    `select pg_ls_dir('.')`,
    `copy (select 1) to program 'true'`,
    `copy _prisma_migrations to '/tmp/mine'`,
    'select rolpassword from pg_authid',
    `select pg_reload_conf()`,
    `select lo_import('/etc/passwd')`,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'`,
  ]
  const outcomes = await attempts(databaseOf(service).runtimeUrl, statements)
  expect(statements.filter((_, place) => outcomes[place] !== denied)).toEqual([])
})

test.each(services)('the roles of %s connect to no other database', async (service) => {
  const { runtimeUrl, ownerUrl } = databaseOf(service)
  const others = services.filter((other) => other !== service).map((other) => databaseOf(other).name)
  const connect = (url: string) =>
    attempts(url, ['select 1']).then(
      () => 'connected',
      (error: unknown) => codeOf(error),
    )
  for (const url of [runtimeUrl, ownerUrl]) {
    expect(await connect(url)).toBe('connected')
    for (const name of [...others, 'postgres', 'template1'])
      expect([name, await connect(withDatabase(url, name))]).toEqual([name, denied])
  }
})

test('without its password a role does not log in, and neither does the administrator', async () => {
  const { url, runtimeUrl } = databaseOf('registry')
  for (const login of [url, runtimeUrl]) {
    const changed = new URL(login)
    changed.password = 'guessed'
    await expect(attempts(changed.toString(), ['select 1'])).rejects.toMatchObject({ code: '28P01' })
    changed.password = ''
    await expect(attempts(changed.toString(), ['select 1'])).rejects.toThrow(/password/)
  }
})

test('the functions of the owner add and drop days of the tables of deliveries, and nothing else', async () => {
  const { runtimeUrl } = databaseOf('webhook-delivery')
  const outcomes = await attempts(runtimeUrl, [
    `select delivery.add_days(array['2026-01-01', '2026-01-02']::date[])`,
    `select delivery.drop_day('attempts', '2026-01-01')`,
    `select delivery.drop_day('waiting_queues', '2026-01-01')`,
    `select delivery.drop_day('events; drop table public.outbox; --', '2026-01-01')`,
  ])
  expect(outcomes).toEqual(['done', 'done', 'P0001', 'P0001'])
})

test('the owner of each database has the newest migration, and changes and drops every table', async () => {
  for (const service of services) {
    const tables = await tablesOf(service)
    const newest = newestMigration(migrationsFolder(service))
    const outcomes = await attempts(databaseOf(service).ownerUrl, [
      `select 1 / count(*) from _prisma_migrations where migration_name = '${newest}' and finished_at is not null`,
      ...tables.flatMap((table) => [`alter table ${table} add column extra int`, `drop table ${table} cascade`]),
      'create schema mine',
    ])
    expect([service, new Set(outcomes)]).toEqual([service, new Set(['done'])])
  }
})
