import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { databaseStatement, rolesOf } from '@frontdesk/database/roles'
import { grantRuntime, migrationsFolder, withDatabase } from '@frontdesk/database/service-databases'
import { prepareServiceDatabase, roleUrl } from '@frontdesk/dev-stack/servers'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { runStatements } from '../src/template-database.ts'

const root = resolve(import.meta.dirname, '../../..')

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Returns the statements of a service's migrations, and of what Prisma notes of them. */
function migrationsOf(service: string): string[] {
  const folder = migrationsFolder(service)
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  return [
    'create table _prisma_migrations (migration_name text, finished_at timestamptz, rolled_back_at timestamptz)',
    ...names
      .toSorted()
      .flatMap((name) => [
        readFileSync(join(folder, name, 'migration.sql'), 'utf8'),
        `insert into _prisma_migrations values ('${name}', now())`,
      ]),
  ]
}

test('a database that a superuser has made and migrated goes over to the two roles, with its rows', async () => {
  const administrator = inject('postgresUrl')
  const name = `test_upgrade_${process.pid}`
  const url = withDatabase(administrator, name)
  onTestFinished(() => runStatements(administrator, [`drop database if exists ${name} with (force)`]))
  const { owner, runtime } = rolesOf('webhook-delivery')
  const [ownerUrl, runtimeUrl] = [owner, runtime].map((role) => roleUrl(administrator, role, name))
  if (ownerUrl === undefined || runtimeUrl === undefined) throw new Error('there are no roles')
  await runStatements(administrator, [`create database ${name}`])
  await runStatements(url, [
    ...migrationsOf('webhook-delivery'),
    `insert into endpoints (client, url) values ('client:test', 'https://example.org')`,
    `select delivery.add_days(array['2026-01-01']::date[])`,
  ])
  await expect(rows(runtimeUrl, 'select url from endpoints')).rejects.toMatchObject({ code: '42501' })

  await prepareServiceDatabase('webhook-delivery', administrator, name)
  const { NATS_URL: _nats, ...environment } = process.env
  const env = { ...environment, WEBHOOK_DELIVERY_OWNER_DATABASE_URL: ownerUrl }
  const provisioned = await promisify(execFile)(process.execPath, ['scripts/provision.ts', 'webhook-delivery'], {
    cwd: root,
    env,
  })
  expect(provisioned.stdout).toContain('the database is up to date')

  expect(await rows(runtimeUrl, 'select url from endpoints')).toEqual([{ url: 'https://example.org' }])
  await runStatements(runtimeUrl, [`select delivery.add_days(array['2026-01-02']::date[])`])
  await expect(rows(runtimeUrl, 'drop table endpoints')).rejects.toMatchObject({ code: '42501' })
  // Nothing is left to the superuser, under whose rights a function would otherwise run.
  const others = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where nspname in ('public', 'delivery') and relowner <> '${owner}'::regrole
    union all select oid::regprocedure::text from pg_proc
      where pronamespace in ('public'::regnamespace, 'delivery'::regnamespace) and proowner <> '${owner}'::regrole
    union all select nspname::text from pg_namespace where nspname in ('public', 'delivery') and nspowner <> '${owner}'::regrole`
  expect(await rows(url, others)).toEqual([])
  await runStatements(ownerUrl, ['alter table endpoints add column note text', 'drop schema delivery cascade'])
})

test('a database that an administrator has only created for the owner role needs no more than provisioning', async () => {
  const administrator = inject('postgresUrl')
  const name = `test_fresh_${process.pid}`
  onTestFinished(() => runStatements(administrator, [`drop database if exists ${name} with (force)`]))
  const { owner, runtime } = rolesOf('registry')
  await runStatements(administrator, [databaseStatement('registry', name)])
  const ownerUrl = roleUrl(administrator, owner, name)
  await runStatements(ownerUrl, ['create table early (a int)', 'create schema more create table early (a int)'])
  await grantRuntime('registry', ownerUrl)
  await runStatements(ownerUrl, ['create table late (a int)'])
  const rights = ['early', 'more.early', 'late'].flatMap((table) => [
    `select * from ${table}`,
    `insert into ${table} values (1)`,
    `update ${table} set a = 2`,
    `delete from ${table}`,
  ])
  await runStatements(roleUrl(administrator, runtime, name), rights)
})

const psql = spawnSync('psql', ['--version']).status === 0

test.skipIf(!psql)(
  `psql runs what the script prints, as often as one likes${psql ? '' : ': psql is not installed'}`,
  async () => {
    const administrator = inject('postgresUrl')
    const script = await promisify(execFile)(process.execPath, ['scripts/print-postgres-roles.ts'], { cwd: root })
    expect(script.stdout).toContain('create database "webhook_delivery" owner "webhook_delivery_owner"')
    for (const _ of ['once', 'again']) {
      const run = spawnSync('psql', ['--no-psqlrc', administrator], { input: script.stdout, encoding: 'utf8' })
      expect([run.status, run.stderr.replaceAll(/^NOTICE.*\n/gm, '')]).toEqual([0, ''])
    }
    const owners = await rows(
      administrator,
      `select pg_get_userbyid(datdba) as owner from pg_database where datname in ('payments', 'registry') order by 1`,
    )
    expect(owners).toEqual([{ owner: 'payments_owner' }, { owner: 'registry_owner' }])
  },
)
