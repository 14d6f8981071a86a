import { throwAwayDatabase, type ThrowAwayDatabase } from '@frontdesk/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientConfig } from '../src/login.ts'
import { rolesOf } from '../src/roles.ts'
import { hasDatabase, isDatabaseCurrent, serviceNames, withDatabase } from '../src/service-databases.ts'

const services = serviceNames().filter(hasDatabase)
const databases = new Map<string, ThrowAwayDatabase>()

beforeAll(async () => {
  await Promise.all(services.map(async (service) => databases.set(service, await throwAwayDatabase(service))))
})
// All at once: each drop waits for a checkpoint, and they share one.
afterAll(() => Promise.all([...databases.values()].map((database) => database[Symbol.asyncDispose]())))

function databaseOf(service: string): ThrowAwayDatabase {
  const database = databases.get(service)
  if (database === undefined) throw new Error(`${service} has no database`)
  return database
}

/** Returns the SQLSTATE of each statement's refusal, and `done` for one that was carried out. Leaves nothing behind. */
async function attempts(url: string, statements: readonly string[]): Promise<string[]> {
  const client = new pg.Client(clientConfig(url))
  try {
    await client.connect()
    const all = statements.map((statement) => pg.escapeLiteral(statement)).join(',\n')
    // One round trip for all of them: each is undone by an error, and the last error brings the outcomes.
    await client.query(`do $attempts$
      declare statement text; outcomes text[];
      begin
        foreach statement in array array[${all}] loop
          begin
            execute statement;
            raise exception 'undo' using errcode = 'UNDO0';
          exception when others then outcomes := outcomes || sqlstate::text;
          end;
        end loop;
        raise exception using message = array_to_string(outcomes, ' '), errcode = 'TOLD0';
      end $attempts$`)
    throw new Error('there is no outcome')
  } catch (error) {
    if (codeOf(error) !== 'TOLD0') throw error
    return (error as Error).message.split(' ').map((code) => (code === 'UNDO0' ? 'done' : code))
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

test('the roles of a service may connect to its own database alone', async () => {
  const names = [...services.map((service) => databaseOf(service).name), 'postgres', 'template1']
  const client = new pg.Client(databaseOf('registry').url)
  await client.connect()
  const { rows } = await client.query<{ role: string; name: string }>(
    `select r.rolname as role, d.datname as name from pg_roles r cross join pg_database d
      where has_database_privilege(r.oid, d.oid, 'connect') and not r.rolsuper and datname = any($1)
        and r.rolname = any($2)`,
    [names, services.flatMap((service) => [rolesOf(service).owner, rolesOf(service).runtime])],
  )
  await client.end()
  const allowed = services.flatMap((service) => {
    const { owner, runtime } = rolesOf(service)
    return [owner, runtime].map((role) => ({ role, name: databaseOf(service).name }))
  })
  const inOrder = (all: typeof rows) => all.toSorted((a, b) => a.role.localeCompare(b.role))
  expect(inOrder(rows)).toEqual(inOrder(allowed))
  for (const other of [databaseOf('payments').name, 'postgres'])
    await expect(attempts(withDatabase(databaseOf('registry').runtimeUrl, other), ['select 1'])).rejects.toMatchObject({
      code: denied,
    })
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

test.each(services.filter((service) => service !== 'sandbox-provider'))(
  'an entry of the audit trail of %s is neither changed nor removed, not even by the owner of its table',
  async (service) => {
    const made = `insert into audit_entries (id, principal, operation, outcome, targets)
                  values ('0199a9a0-0000-7000-8000-000000000001', 'client:a', 'deleteSite', 'Succeeded', '{}')`
    const sealed = `update audit_entries set position = 1, hash = 'a' where position is null`
    const lines = [
      [made, sealed],
      [made, `update audit_entries set principal = 'client:b'`],
      [made, `update audit_entries set position = 1, hash = 'a', principal = 'client:b'`],
      [made, 'delete from audit_entries'],
      [made, sealed, `update audit_entries set hash = 'b'`],
      [made, sealed, 'update audit_entries set position = null, hash = null'],
      [made, sealed, 'delete from audit_entries'],
      ['truncate audit_entries'],
    ].map((statements) => `do $$ begin ${statements.join('; ')}; end $$`)
    const { runtimeUrl, ownerUrl } = databaseOf(service)
    for (const url of [runtimeUrl, ownerUrl])
      expect(await attempts(url, lines)).toEqual(['done', ...lines.slice(1).map(() => denied)])
  },
)

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
    expect(await isDatabaseCurrent(service, databaseOf(service).ownerUrl)).toBe(true)
    const outcomes = await attempts(databaseOf(service).ownerUrl, [
      ...tables.flatMap((table) => [`alter table ${table} add column extra int`, `drop table ${table} cascade`]),
      'create schema mine',
    ])
    expect([service, new Set(outcomes)]).toEqual([service, new Set(['done'])])
  }
})
