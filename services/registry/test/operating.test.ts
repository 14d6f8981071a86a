import { readFileSync, writeFileSync } from 'node:fs'
import { runCommand } from '@frontdesk/operate/testing'
import { readKeyRing } from '@frontdesk/service/encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program } from '../src/commands.ts'
import { newSiteKey, openSiteKeys } from '../src/site-keys/domain.ts'
import { siteKeys } from '../src/site-keys/store.ts'
import { startRegistry, type RegistryFixture } from './registry-fixture.ts'

let fixture: RegistryFixture
beforeAll(async () => {
  fixture = await startRegistry()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const run = (args: string[], env: Record<string, string> = {}) => runCommand(program, args, { ...fixture.env, ...env })

test('encrypt again renews 11,000 site keys page by page, and leaves one that cannot be decrypted', async () => {
  const file = fixture.env['ENCRYPTION_KEYS_FILE'] ?? ''
  const { keys } = JSON.parse(readFileSync(file, 'utf8')) as { keys: Record<string, string> }
  const both = `${file}.both`
  writeFileSync(both, JSON.stringify({ current: 'k2', keys: { k2: Buffer.alloc(32, 2).toString('base64'), ...keys } }))
  const ring = readKeyRing(file)
  await fixture.pool.query(
    `insert into organisations (slug, name, practice_management_system, pms_specific_id, owned_sites, created_at)
     select 'oAbc123', 'x', code, 'x', 1, now() from practice_management_systems limit 1`,
  )
  const sites = 5_500
  const { rows } = await fixture.pool.query<{ id: string }>(
    `insert into sites (id, slug, name, practice_management_system, pms_specific_id, owning_organisation, billing_organisation,
                        status, version, created_at, changed_at)
     select gen_random_uuid(), 's' || lpad(n::text, 8, '0'), 'x', (select practice_management_system from organisations),
            n::text, 'oAbc123', 'oAbc123', 'Operational', 1, now(), now()
       from generate_series(1, ${sites}) n returning id`,
  )
  const made = rows.flatMap(({ id }) =>
    (['Primary', 'Secondary'] as const).map((kind) => newSiteKey(ring, id, kind, id)),
  )
  await fixture.pool.query(
    `insert into site_keys (site_id, kind, hash, encrypted, made_by, created_at)
     select *, now() from unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[], $5::uuid[])`,
    [
      made.map(({ siteId }) => siteId),
      made.map(({ kind }) => kind),
      made.map(({ hash }) => hash),
      made.map(({ encrypted }) => encrypted),
      made.map(({ madeBy }) => madeBy),
    ],
  )

  const env = { ENCRYPTION_KEYS_FILE: both }
  expect((await run(['encrypt', 'again', '--dry-run'], env)).text).toContain(`older key k1: ${2 * sites}`)
  expect((await run(['encrypt', 'again'], env)).text).toContain(`encrypted again ${2 * sites}`)
  const someId = rows[1_234]?.id ?? ''
  const renewed = openSiteKeys(readKeyRing(both), await siteKeys(fixture.pool, someId))
  expect(renewed).toEqual(
    openSiteKeys(
      ring,
      made.filter(({ siteId }) => siteId === someId),
    ),
  )

  await fixture.pool.query(`update site_keys set encrypted = 'k0.x' where site_id = $1 and kind = 'Primary'`, [someId])
  const left = await run(['encrypt', 'again'], env)
  expect(left).toMatchObject({ code: 1, text: expect.stringContaining('key k0 is not in the ring') })
  expect(left.text).toContain('values of the older key k0: 1')
})

test('outbox replay makes the events pending that were published since a time', async () => {
  await fixture.pool.query(
    `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload, published_at, stream)
     select gen_random_uuid(), 'site', n::text, 1, 0, 'evt.int.registry.x', '{}', 'x', now() - n * interval '1 hour', 'EVT_REGISTRY'
       from generate_series(1, 10) n`,
  )
  expect((await run(['outbox', 'replay', '--since', '210m', '--dry-run'])).text).toContain('3 events')
  expect((await run(['outbox', 'replay', '--since', '210m'])).code).toBe(0)
  const { rows } = await fixture.pool.query(
    'select aggregate_id as id from outbox where published_at is null order by 1',
  )
  expect(rows.map(({ id }) => id)).toEqual(['1', '2', '3'])
})

test('an event that was set aside is listed, and published once its cause is gone', async () => {
  expect(await run(['outbox', 'set-aside'])).toEqual({ code: 0, text: '0 set aside' })
  await fixture.pool.query(
    `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload,
                         set_aside_at, set_aside_reason)
     values (gen_random_uuid(), 'site', 'set-aside', 1, 0, 'evt.int.registry.site.created.v1.sAbc', '{}', 'x', now(), 'too large')`,
  )
  const listed = await run(['outbox', 'set-aside'])
  expect(listed).toMatchObject({ code: 1, text: expect.stringContaining('evt.int.registry.site.created.v1.sAbc') })
  expect(listed.text).toMatch(/too large[^]*1 set aside/)
  const planned = await run(['outbox', 'retry', '--dry-run'])
  expect(planned.text).toContain('1 events are to be published')
  expect((await run(['outbox', 'set-aside'])).code).toBe(1)
  expect((await run(['outbox', 'retry'])).text).toContain('1 events are to be published')
  expect((await run(['outbox', 'set-aside'])).code).toBe(0)
  expect((await run(['outbox', 'retry'])).text).toContain('0 events are to be published')
})
