import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '@frontdesk/dev-stack/servers'
import { startPostgresContainer, wantsContainers } from './containers.ts'
import { prepareTestPostgres } from './prepared-postgres.ts'
import { sweepThrowAwayFolders, throwAwayFolder } from './throw-away-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Maintenance database of the Postgres of this run. */
    postgresUrl: string
  }
}

/**
 * Starts one Postgres for a run of integration tests, and stops it afterwards. All test databases are on it, except those
 * of a service whose `*_DATABASE_URL` names another server.
 */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  await sweepThrowAwayFolders()
  const postgres = wantsContainers() ? await startPostgresContainer() : await startPostgresProcess()
  project.provide('postgresUrl', postgres.url)
  return postgres.stop
}

async function startPostgresProcess(): Promise<{ url: string; stop(): Promise<void> }> {
  await prepareTestPostgres()
  const folder = await throwAwayFolder()
  const dataDir = `${folder.path}/postgres`
  const postgres = await startPostgres({ dataDir, onSpawn: (pid) => folder.record('postgres', pid) })
  return {
    url: postgres.url,
    async stop() {
      const kept = await keptDatabases(postgres.url)
      await postgres.stop()
      if (kept.length === 0) return await folder[Symbol.asyncDispose]()
      await folder.keep()
      console.log(
        `Databases of failed tests: ${kept.join(', ')}. To open them: node scripts/open-postgres.ts ${dataDir}`,
      )
    },
  }
}

/** Lists the databases that failed tests have kept. */
async function keptDatabases(url: string): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const found = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'test\\_%'`,
    )
    return found.rows.map(({ datname }) => datname)
  } finally {
    await client.end()
  }
}
