import { eventually } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRegistry, type Answer, type Client, type RegistryFixture } from './registry-fixture.ts'

let registry: RegistryFixture
let client: Client
beforeAll(async () => {
  registry = await startRegistry()
  client = registry.client(['Exact'])
})
afterAll(() => registry[Symbol.asyncDispose]())

const rounds = 15

async function newSite(body: Record<string, unknown> = {}) {
  const { Identity } = await client.succeed('createSite', { body: { Name: 'Racing', ...body } })
  return { organisation: Identity.OwningOrganisationSlug, params: { SiteIdentifier: Identity.SiteSlug } }
}

async function deletionsOf(organisation: string): Promise<number> {
  const result = await registry.pool.query(
    `select count(*)::int as count from outbox where aggregate_type = 'organisation' and aggregate_id = $1`,
    [organisation],
  )
  return result.rows[0]['count'] as number
}

test('of two deletions of the last two sites exactly one deletes the organisation', async () => {
  for (let round = 0; round < rounds; round++) {
    const first = await newSite()
    const second = await newSite({ OwningOrganisationSlug: first.organisation })
    const deleted = await Promise.all([first, second].map(({ params }) => client.succeed('deleteSite', { params })))
    const organisations = deleted.flatMap(({ DeletedOrganisation }) => DeletedOrganisation ?? [])
    expect(organisations.map(({ OrganisationSlug }) => OrganisationSlug)).toEqual([first.organisation])
    expect(await deletionsOf(first.organisation)).toBe(1)
  }
})

test('of many deletions of one site exactly one succeeds', async () => {
  for (let round = 0; round < rounds; round++) {
    const { params, organisation } = await newSite()
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.call('deleteSite', { params })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404])
    expect(await deletionsOf(organisation)).toBe(1)
  }
})

test('a creation that comes before the deletion of the last site keeps the organisation alive', async () => {
  const { params, organisation } = await newSite()
  const [created, deleted] = await inOrderOn(organisation, [
    () => client.call('createSite', { body: { Name: 'Just in time', OwningOrganisationSlug: organisation } }),
    () => client.call('deleteSite', { params }),
  ])
  expect(created).toMatchObject({ status: 201, body: { Identity: { OwningOrganisationSlug: organisation } } })
  expect(deleted.status).toBe(200)
  expect(deleted.body).not.toHaveProperty('DeletedOrganisation')
  expect(await deletionsOf(organisation)).toBe(0)
})

test('a creation that comes after the deletion of the last site is refused', async () => {
  for (const member of ['OwningOrganisationSlug', 'BillingOrganisationSlug']) {
    const { params, organisation } = await newSite()
    const [deleted, created] = await inOrderOn(organisation, [
      () => client.call('deleteSite', { params }),
      () => client.call('createSite', { body: { Name: 'Too late', [member]: organisation } }),
    ])
    expect(deleted).toMatchObject({ status: 200, body: { DeletedOrganisation: { OrganisationSlug: organisation } } })
    expect(created).toMatchObject({ status: 422, body: { code: 'organisation_unknown' } })
    expect(await deletionsOf(organisation)).toBe(1)
  }
})

/** Holds the organisation's row while the two requests line up for it in that order, then lets go. */
async function inOrderOn(organisation: string, requests: (() => Promise<Answer>)[]): Promise<[Answer, Answer]> {
  const holder = await registry.pool.connect()
  await holder.query('begin')
  await holder.query('select from organisations where slug = $1 for update', [organisation])
  const answers: Promise<Answer>[] = []
  for (const request of requests) {
    answers.push(request())
    await eventually(async () => {
      const waiting = await registry.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(waiting.rows).toHaveLength(answers.length)
    })
  }
  await holder.query('commit')
  holder.release()
  return (await Promise.all(answers)) as [Answer, Answer]
}

test('simultaneous creations and deletions leave an organisation with the right count of sites', async () => {
  for (let round = 0; round < rounds; round++) {
    const { params, organisation } = await newSite()
    const [deleted, ...created] = await Promise.all([
      client.call('deleteSite', { params }),
      ...[1, 2, 3].map(() =>
        client.call('createSite', { body: { Name: 'Racing', OwningOrganisationSlug: organisation } }),
      ),
    ])
    const owned = created.filter(({ status }) => status === 201).length
    const state = await registry.pool.query(
      `select owned_sites, deleted_at is null as alive,
              (select count(*)::int from sites where owning_organisation = organisations.slug and deleted_at is null) as sites
         from organisations where slug = $1`,
      [organisation],
    )
    expect(deleted.status).toBe(200)
    expect(state.rows).toEqual([{ owned_sites: owned, alive: owned > 0, sites: owned }])
  }
})

test('creations that name two organisations in opposite roles do not block each other', async () => {
  const [one, other] = [await newSite(), await newSite()]
  const bodies = Array.from({ length: 16 }, (_, index) => ({
    Name: 'Crossed',
    OwningOrganisationSlug: index % 2 === 0 ? one.organisation : other.organisation,
    BillingOrganisationSlug: index % 2 === 0 ? other.organisation : one.organisation,
  }))
  const answers = await Promise.all(bodies.map((body) => client.call('createSite', { body })))
  expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201))
  const counts = await registry.pool.query('select owned_sites from organisations where slug = any($1)', [
    [one.organisation, other.organisation],
  ])
  expect(counts.rows).toEqual([{ owned_sites: 9 }, { owned_sites: 9 }])
})

test('a rotation against a deletion leaves no key behind', async () => {
  for (let round = 0; round < rounds; round++) {
    const { params } = await newSite()
    const [rotated] = await Promise.all([
      client.call('rotateSiteKey', { params: { ...params, Key: 'Primary' } }),
      client.succeed('deleteSite', { params }),
    ])
    expect([200, 404]).toContain(rotated.status)
  }
  const left = await registry.pool.query(
    'select count(*)::int as count from site_keys join sites on sites.id = site_id where deleted_at is not null',
  )
  expect(left.rows).toEqual([{ count: 0 }])
})

test('rotations of both keys at once lose neither, and every version of the site is one event', async () => {
  const { params } = await newSite()
  const keys = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? 'Primary' : 'Secondary'))
  await Promise.all(keys.map((Key) => client.succeed('rotateSiteKey', { params: { ...params, Key } })))
  const versions = await registry.pool.query(
    'select aggregate_version as version from outbox where aggregate_id = $1 order by seq',
    [params.SiteIdentifier],
  )
  expect(versions.rows.map((row) => row['version'])).toEqual([1, 2, 3, 4, 5, 6, 7])
})
