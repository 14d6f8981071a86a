import pg from 'pg'
import { expect, test } from 'vitest'
import { throwAwayDatabase } from '../src/throw-away-database.ts'
import { hasDatabase, serviceNames } from '@frontdesk/dev-stack'

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

test('every service with a database gets one with its tables', async () => {
  const services = serviceNames().filter(hasDatabase)
  expect(services).toContain('registry')
  await Promise.all(
    services.map(async (service) => {
      await using database = await throwAwayDatabase(service)
      expect(await tables(database.url), service).toBeGreaterThan(1)
    }),
  )
})

test('two databases of a service have nothing in common, and are made quickly', async () => {
  await using first = await throwAwayDatabase('registry')
  const startedAt = performance.now()
  await using second = await throwAwayDatabase('registry')
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  expect(first.url).not.toBe(second.url)
})
