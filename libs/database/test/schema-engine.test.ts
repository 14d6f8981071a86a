import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { eventually } from '@frontdesk/testing'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import pg from 'pg'
import { expect, inject, test } from 'vitest'

// The engine speaks an internal protocol of Prisma. These tests run the commands that people and deployments rely on.

const SCHEMA = `
generator client {
  provider               = "prisma-client"
  output                 = "../src/generated/prisma"
  runtime                = "nodejs"
  moduleFormat           = "esm"
  generatedFileExtension = "ts"
  importFileExtension    = "ts"
}

datasource db {
  provider = "postgresql"
}
`
const SITE = `
model Site {
  id   String @id
  kind Kind
}

enum Kind {
  Dental
  Optical
}
`

/** Creates a folder that Prisma takes for a service. Its database does not exist yet. */
async function scratchService(folder: string, schema: string) {
  await mkdir(join(folder, 'prisma/migrations'), { recursive: true })
  const configModule = new URL('../src/prisma-config.ts', import.meta.url).pathname
  await writeFile(
    join(folder, 'prisma.config.ts'),
    `import { prismaConfig } from '${configModule}'\nexport default prismaConfig('SCRATCH_DATABASE_URL')\n`,
  )
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/scratch_${process.pid}_${Date.now()}`
  const service = {
    url: url.toString(),
    setSchema: (text: string) => writeFile(join(folder, 'prisma/schema.prisma'), SCHEMA + text),
    async addMigration(name: string, sql: string) {
      await mkdir(join(folder, 'prisma/migrations', name), { recursive: true })
      await writeFile(join(folder, 'prisma/migrations', name, 'migration.sql'), sql)
    },
    /** Runs the CLI and returns its output; throws if it fails. */
    async prisma(...args: string[]): Promise<string> {
      const cli = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build/index.js')
      const env = {
        ...process.env,
        SCRATCH_DATABASE_URL: service.url,
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      }
      return await new Promise((resolve, reject) => {
        execFile(process.execPath, [cli, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
          error ? reject(new Error(stdout + stderr)) : resolve(stdout + stderr),
        )
      })
    },
    async query(sql: string): Promise<Record<string, unknown>[]> {
      const client = new pg.Client(service.url)
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows
      } finally {
        await client.end()
      }
    },
  }
  await service.setSchema(schema)
  return service
}

test('Prisma makes a client, a migration and tables from a schema, and the next migration from a change', async () => {
  await using folder = await throwAwayFolder()
  const service = await scratchService(folder.path, SITE)
  await service.prisma('generate')
  expect(await readdir(join(folder.path, 'src/generated/prisma'))).toContain('client.ts')

  await service.prisma('migrate', 'dev', '--name', 'first')
  await service.setSchema(SITE.replace('kind Kind', 'kind Kind\n  name String?'))
  await service.prisma('migrate', 'dev', '--name', 'second')
  expect(await service.prisma('migrate', 'status')).toContain('Database schema is up to date!')
  await service.query(`insert into "Site" values ('a', 'Dental', 'b')`)
})

test('Deploy runs hand-written SQL unchanged, also outside the schema that Prisma manages', async () => {
  await using folder = await throwAwayFolder()
  const service = await scratchService(folder.path, '')
  await service.addMigration(
    '0001_init',
    `create schema delivery;
     create table delivery.events (id uuid primary key, note text) partition by range (id);
     create function delivery.two() returns text language plpgsql as $$ begin perform 1; return 'a;b'; end; $$;`,
  )
  await service.prisma('migrate', 'deploy')
  expect(await service.query('select delivery.two() as two')).toEqual([{ two: 'a;b' }])
  const diff = await service.prisma(
    'migrate',
    'diff',
    '--from-config-datasource',
    '--to-schema',
    'prisma/schema.prisma',
  )
  expect(diff).toContain('No difference detected')
})

test('A failed migration leaves nothing behind, and Prisma reports it until it is resolved', async () => {
  await using folder = await throwAwayFolder()
  const service = await scratchService(folder.path, '')
  await service.addMigration('0001_init', 'create table half (id int); select 1 / 0;')
  await expect(service.prisma('migrate', 'deploy')).rejects.toThrow(/division by zero/)
  expect(await service.query(`select to_regclass('half') as found`)).toEqual([{ found: null }])
  await expect(service.prisma('migrate', 'deploy')).rejects.toThrow(/P3009/)
})

test('Simultaneous deploys apply each migration once', async () => {
  await using folder = await throwAwayFolder()
  const service = await scratchService(folder.path, '')
  await service.addMigration('0001_init', 'create table once (id int); insert into once values (1);')
  await Promise.all(Array.from({ length: 3 }, () => service.prisma('migrate', 'deploy')))
  expect(await service.query('select count(*)::int as rows from once')).toEqual([{ rows: 1 }])
})

test('Deploy reports a database that does not answer', async () => {
  await using folder = await throwAwayFolder()
  const service = await scratchService(folder.path, '')
  service.url = 'postgresql://postgres@127.0.0.1:1/none'
  await service.addMigration('0001_init', 'select 1;')
  await expect(service.prisma('migrate', 'deploy')).rejects.toThrow(/P1001/)
})

test('A migration that waits for a lock lets readers of the table pass, and is applied once the lock is free', async () => {
  await using folder = await throwAwayFolder()
  const service = await scratchService(folder.path, '')
  await service.addMigration('0001_init', 'create table busy (id int);')
  await service.prisma('migrate', 'deploy')
  const holder = new pg.Client(service.url)
  await holder.connect()
  await holder.query('begin; select * from busy')

  await service.addMigration('0002_column', 'alter table busy add column note text;')
  const deployed = service.prisma('migrate', 'deploy')
  const waits = `select count(*)::int as waits from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  await eventually(async () => expect(await service.query(waits)).toEqual([{ waits: 1 }]), { within: 10_000 })
  const began = performance.now()
  await service.query('select * from busy')
  expect(performance.now() - began).toBeLessThan(4_500)

  await holder.query('commit')
  await holder.end()
  await deployed
  expect(await service.query('select note from busy')).toEqual([])
})
