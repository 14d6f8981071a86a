import pg from 'pg'
import { expect, test } from 'vitest'
import { hasDatabase, serviceNames } from '@frontdesk/database/service-databases'
import { throwAwayDatabase } from '../src/throw-away-database.ts'

async function tables(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const found = await client.query<{ tables: number }>(
      `select count(*)::int as tables from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    return found.rows[0]?.tables ?? 0
  } finally {
    await client.end()
  }
}

test('A database for a test has the tables of its service', async () => {
  const services = serviceNames().filter(hasDatabase)
  expect(services).toContain('registry')
  await Promise.all(
    services.map(async (service) => {
      await using database = await throwAwayDatabase(service)
      expect(await tables(database.url), service).toBeGreaterThan(1)
    }),
  )
})

test('A second database of a service is another one, and takes less than a second', async () => {
  await using first = await throwAwayDatabase('registry')
  const startedAt = performance.now()
  await using second = await throwAwayDatabase('registry')
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  expect(first.url).not.toBe(second.url)
})
