import type { AuditEntry } from '@frontdesk/contracts'
import { runCommand } from '@frontdesk/operate/testing'
import { sealEntries } from '@frontdesk/service/audit'
import { eventually } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program } from '../src/commands.ts'
import { startRegistry, type Client, type RegistryFixture } from './registry-fixture.ts'

let fixture: RegistryFixture
let client: Client
beforeAll(async () => {
  fixture = await startRegistry()
  client = fixture.client(['OpenDental'], { siteKeyId: 'key-1' })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const headers = { 'x-client-address': '192.0.2.7', 'x-request-id': 'request-1' }

interface NewSite {
  slug: string
  organisation: string
  keys: string[]
}

async function newSite(): Promise<NewSite> {
  const { Identity, PracticeSiteApiKeys } = (await client.succeed('createSite', {
    body: { Name: 'Audited' },
    headers,
  })) as { Identity: { SiteSlug: string; OwningOrganisationSlug: string }; PracticeSiteApiKeys: object }
  return {
    slug: Identity.SiteSlug,
    organisation: Identity.OwningOrganisationSlug,
    keys: Object.values(PracticeSiteApiKeys) as string[],
  }
}

/** Returns what the gateway reads about a site, newest first. */
async function entriesOf(slug: string, query = 'limit=50'): Promise<AuditEntry[]> {
  const answer = await fixture.internal('gateway', 'listRegistryAudit', { SiteSlug: slug }, query)
  expect(answer.status).toBe(200)
  return answer.body as AuditEntry[]
}

const verify = (...args: string[]) => runCommand(program, ['audit', 'verify', ...args], fixture.env)

/** Runs a statement as somebody who owns the tables and has switched off their triggers. */
async function asOwner(sql: string, values: unknown[] = []): Promise<void> {
  await fixture.pool.query('alter table audit_entries disable trigger user')
  try {
    await fixture.pool.query(sql, values)
  } finally {
    await fixture.pool.query('alter table audit_entries enable trigger user')
  }
}

/** Waits until the running registry has sealed all entries. */
const sealed = () =>
  eventually(async () => {
    const { rows } = await fixture.pool.query('select from audit_entries where hash is null')
    expect(rows).toHaveLength(0)
  })

test('every act on a site leaves one entry: who, from where, what, about what, and how it ended', async () => {
  const { slug, organisation } = await newSite()
  const params = { SiteIdentifier: slug }
  await client.succeed('changeSite', { params, body: { Name: 'Renamed' }, headers })
  await client.succeed('getSiteIdentity', { params, headers })
  await client.succeed('rotateSiteKey', { params: { ...params, Key: 'Primary' }, headers })
  await client.refused('changeSite', { params, body: { PmsSpecificSiteId: (await newSite()).slug }, headers })
  await client.succeed('deleteSite', { params, headers })

  const entries = (await entriesOf(slug)).toReversed()
  expect(entries.map(({ Operation, Outcome, Code, Targets }) => [Operation, Outcome, Code, Targets])).toEqual([
    ['createSite', 'Succeeded', undefined, [`site:${slug}`]],
    ['changeSite', 'Succeeded', undefined, [`site:${slug}`]],
    ['getSiteIdentity', 'Succeeded', undefined, [`site:${slug}`]],
    ['rotateSiteKey', 'Succeeded', undefined, [`site:${slug}`, 'key:Primary']],
    ['changeSite', 'Refused', 'pms_specific_id_taken', [`site:${slug}`]],
    ['deleteSite', 'Succeeded', undefined, [`site:${slug}`, `organisation:${organisation}`]],
  ])
  for (const entry of entries) {
    expect(entry).toMatchObject({
      Service: 'registry',
      Principal: 'client:test',
      SiteKeyId: 'key-1',
      ClientAddress: '192.0.2.7',
      SiteSlug: slug,
      OrganisationSlug: organisation,
      RequestId: 'request-1',
      TraceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  }
})

test('a request that is repeated under its key leaves an entry of its own, for it gets the keys again', async () => {
  const call = { body: { Name: 'Twice' }, headers: { ...headers, 'idempotency-key': 'audit-twice' } }
  const { Identity } = (await client.succeed('createSite', call)) as { Identity: { SiteSlug: string } }
  await client.succeed('createSite', call)
  const { rows } = await fixture.pool.query(
    'select outcome from audit_entries where request_id = $1 and operation = $2',
    ['request-1', 'createSite'],
  )
  expect(rows.filter(({ outcome }) => outcome === 'Replayed')).toHaveLength(1)
  expect((await entriesOf(Identity.SiteSlug)).map(({ Outcome }) => Outcome)).toEqual(['Succeeded'])
})

test('who names a site that it may not see leaves an entry, and who sends nonsense does not', async () => {
  const probing = fixture.client(['OpenDental'], { id: 'client:probing' })
  await probing.refused('getSiteIdentity', { params: { SiteIdentifier: 'sUnknown0001' } })
  await probing.refused('createSite', { body: { Nonsense: true } })
  const { rows } = await fixture.pool.query(
    `select operation, outcome, code from audit_entries where principal = 'client:probing'`,
  )
  expect(rows).toEqual([{ operation: 'getSiteIdentity', outcome: 'Refused', code: 'site_not_found' }])
})

test('no entry holds a key', async () => {
  const { slug, keys } = await newSite()
  const rotated = await client.succeed('rotateSiteKey', { params: { SiteIdentifier: slug, Key: 'Secondary' } })
  const { rows } = await fixture.pool.query<{ text: string }>(
    'select audit_entries::text as text from audit_entries where site_slug = $1',
    [slug],
  )
  expect(rows).toHaveLength(2)
  const secrets = [...keys, rotated.PrimaryKey, rotated.SecondaryKey]
  for (const { text } of rows) for (const secret of secrets) expect(text).not.toContain(secret)
})

test('an effect without its entry is not possible: if the entry cannot be stored, nothing changes and no key is shown', async () => {
  const { slug } = await newSite()
  await fixture.pool.query(
    `alter table audit_entries add constraint no_more check (id < '00000000-0000-0000-0000-000000000000') not valid`,
  )
  const params = { SiteIdentifier: slug }
  try {
    const name = 'Never made'
    expect((await client.call('createSite', { body: { Name: name } })).status).toBe(500)
    expect((await fixture.pool.query('select from sites where name = $1', [name])).rowCount).toBe(0)
    expect((await client.call('getSiteIdentity', { params })).status).toBe(500)
    expect((await client.call('rotateSiteKey', { params: { ...params, Key: 'Primary' } })).status).toBe(500)
    expect((await client.call('deleteSite', { params })).status).toBe(500)
    const { rows } = await fixture.pool.query('select version, deleted_at from sites where slug = $1', [slug])
    expect(rows).toEqual([{ version: 1, deleted_at: null }])
  } finally {
    await fixture.pool.query('alter table audit_entries drop constraint no_more')
  }
})

test('entries are read newest first, by time, page by page', async () => {
  const { slug } = await newSite()
  const params = { SiteIdentifier: slug }
  for (const Name of ['A', 'B', 'C']) await client.succeed('changeSite', { params, body: { Name } })
  const all = await entriesOf(slug)
  expect(all.map(({ Operation }) => Operation)).toEqual(['changeSite', 'changeSite', 'changeSite', 'createSite'])
  const [, second, third] = all
  const rest = await entriesOf(slug, `limit=1&BeforeTime=${second?.RecordedAt}&BeforeId=${second?.EntryId}`)
  expect(rest).toEqual([third])
  expect(await entriesOf(slug, `limit=9&RecordedTo=${all.at(-1)?.RecordedAt}`)).toEqual([])
  expect(await entriesOf(slug, `limit=9&RecordedFrom=${all.at(-1)?.RecordedAt}`)).toHaveLength(4)
})

test('an entry can be neither changed nor deleted, nor can the table be emptied', async () => {
  const { slug } = await newSite()
  await sealEntries(fixture.pool)
  for (const statement of [
    `update audit_entries set principal = 'client:innocent' where site_slug = '${slug}'`,
    `update audit_entries set hash = null, position = null where site_slug = '${slug}'`,
    `delete from audit_entries where site_slug = '${slug}'`,
    'truncate audit_entries',
  ])
    await expect(fixture.pool.query(statement)).rejects.toThrow('append-only')
})

test('entries are sealed within seconds, and whoever changes, removes or exchanges one afterwards is found out', async () => {
  const { slug } = await newSite()
  for (const Name of ['A', 'B', 'C'])
    await client.succeed('changeSite', { params: { SiteIdentifier: slug }, body: { Name } })
  await sealed()
  const whole = await verify()
  expect(whole).toMatchObject({
    code: 0,
    text: expect.stringMatching(/entries verified: \d+; waiting to be sealed: 0/),
  })
  const head = /head: (\d+:[0-9a-f]{64})/.exec(whole.text)?.[1] ?? ''
  const last = Number(head.split(':')[0])
  await fixture.pool.query('create table kept as select * from audit_entries')
  await fixture.pool.query('create table kept_chain as select * from audit_chain')
  const restore = async () => {
    await asOwner('delete from audit_entries')
    await fixture.pool.query('insert into audit_entries select * from kept')
    await fixture.pool.query('delete from audit_chain')
    await fixture.pool.query('insert into audit_chain select * from kept_chain')
  }

  await asOwner('update audit_entries set principal = $1 where position = $2', ['client:innocent', last - 2])
  expect(await verify()).toMatchObject({ code: 1, text: expect.stringContaining(`entry ${last - 2} (`) })
  await restore()
  await asOwner('delete from audit_entries where position = $1', [last - 1])
  expect(await verify()).toMatchObject({ code: 1, text: expect.stringContaining(`entry ${last - 1} is missing`) })
  await restore()
  await asOwner('delete from audit_entries where position >= $1', [last - 1])
  expect((await verify()).text).toContain(`entries ${last - 1} to ${last} are missing`)
  await restore()

  // Who also makes the rest of the chain anew is found out by a head that was noted before.
  await asOwner('delete from audit_entries where position > $1', [last - 2])
  await asOwner(
    `update audit_chain set (position, hash) = (select position, hash from audit_entries where position = $1)`,
    [last - 2],
  )
  await client.succeed('changeSite', { params: { SiteIdentifier: slug }, body: { Name: 'D' } })
  await sealEntries(fixture.pool)
  expect((await verify()).code).toBe(0)
  expect(await verify('--noted', head)).toMatchObject({ code: 1, text: expect.stringContaining('noted head') })
  await restore()
  expect((await verify('--noted', head)).code).toBe(0)
})

test('nobody waits for the sealing: a site is created while its lock is held', async () => {
  const other = await fixture.pool.connect()
  try {
    await other.query('begin')
    await other.query('select from audit_chain for update')
    await newSite()
  } finally {
    await other.query('rollback')
    other.release()
  }
})

test('entries are deleted after 400 days, and the chain then begins after them', async () => {
  await newSite()
  await sealEntries(fixture.pool)
  await asOwner(`update audit_entries set recorded_at = recorded_at - interval '401 days'`)
  const { slug } = await newSite()
  await sealEntries(fixture.pool)
  const { rowCount } = await fixture.pool.query(
    `delete from audit_entries where recorded_at < now() - interval '400 days'`,
  )
  expect(rowCount).toBeGreaterThan(1)
  const { code, text } = await verify()
  expect([code, text]).toEqual([0, expect.stringContaining('entries verified: 1;')])
  await asOwner('delete from audit_entries where site_slug = $1', [slug])
  expect((await verify()).code).toBe(1)
})
