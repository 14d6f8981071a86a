import { eventually, noPgBouncer, openTcpProxy, throwAwayPgBouncer } from '@frontdesk/testing'
import { expect, inject, test } from 'vitest'
import { startRegistry, type RegistryFixture } from './registry-fixture.ts'

const body = { Name: 'Known', Currency: 'EUR' }

/** Probes readiness, which must answer soon: within a second, if the machine is not busy with other things. */
async function probe(registry: RegistryFixture): Promise<{ status: number; body: unknown }> {
  const began = performance.now()
  const answer = await fetch(`${registry.url}/readyz`)
  expect(performance.now() - began).toBeLessThan(2_500)
  return { status: answer.status, body: await answer.json() }
}

test('while Postgres accepts no writes they are 503 with Retry-After, reads work, and the service says why', async () => {
  await using registry = await startRegistry()
  const client = registry.client(['Exact'])
  const name = new URL(registry.databaseUrl).pathname.slice(1)
  const setReadOnly = async (readOnly: boolean): Promise<void> => {
    const change = readOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'
    await registry.pool.query(`begin; set local transaction read write; alter database ${name} ${change}; commit`)
    await registry.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  }
  await setReadOnly(true)
  await eventually(async () => expect((await client.call('listSites')).status).toBe(200))
  const refused = await client.call('createSite', { body })
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  expect(refused.headers.get('retry-after')).toBe('1')
  await eventually(async () =>
    expect(await probe(registry)).toMatchObject({ status: 503, body: { reason: 'Postgres accepts no writes' } }),
  )
  await setReadOnly(false)
  await eventually(async () => expect((await client.call('createSite', { body })).status).toBe(201))
  await eventually(async () => expect((await probe(registry)).status).toBe(200))
})

test('a request is 503 while a column is missing, as before a migration that is late', async () => {
  await using registry = await startRegistry()
  await registry.pool.query('alter table sites rename column name to later')
  const refused = await registry.client(['Exact']).call('createSite', { body })
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  expect(refused.headers.get('retry-after')).toBe('1')
})

test('when the connections to Postgres go nowhere, requests are answered again within 5 s', async () => {
  await using proxy = await openTcpProxy(Number(new URL(inject('postgresUrl')).port))
  await using registry = await startRegistry({ through: proxy.through, env: { DATABASE_POOL_SIZE: '5' } })
  const client = registry.client(['Exact'])
  const create = async () => (await client.call('createSite', { body })).status
  // All connections of the pool are open.
  expect(await Promise.all(Array.from({ length: 10 }, create))).toEqual(Array.from({ length: 10 }, () => 201))

  proxy.blackHole()
  const began = performance.now()
  const statuses = await Promise.all(Array.from({ length: 10 }, create))
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(new Set([...statuses, 201, 503])).toEqual(new Set([201, 503]))
  await probe(registry)
  await eventually(async () => expect(await create()).toBe(201), { within: 2_000 })
  expect(await Promise.all(Array.from({ length: 10 }, create))).toEqual(Array.from({ length: 10 }, () => 201))
  await eventually(async () => expect((await probe(registry)).status).toBe(200))
})

test.skipIf(noPgBouncer !== undefined)(
  `the service works through PgBouncer in transaction mode${noPgBouncer === undefined ? '' : `: ${noPgBouncer}`}`,
  async () => {
    await using direct = await startRegistry()
    await using bouncer = await throwAwayPgBouncer(direct.databaseUrl, 2)
    await using registry = await startRegistry({
      through: () => bouncer.url,
      env: { REGISTRY_DIRECT_DATABASE_URL: direct.databaseUrl },
    })
    await eventually(async () => expect((await probe(registry)).status).toBe(200))
    const client = registry.client(['Exact'])
    const created = await Promise.all(Array.from({ length: 12 }, () => client.call('createSite', { body })))
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
    const listed = await Promise.all(Array.from({ length: 12 }, () => client.call('listSites')))
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set([200]))
  },
)
