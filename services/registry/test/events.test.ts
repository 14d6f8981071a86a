import { hash } from 'node:crypto'
import { consumers, streams } from '@frontdesk/contracts'
import { connectNats, ownedBy, parseEvent, provisionStreams, type ReceivedEvent } from '@frontdesk/events'
import { siteKeyIdOf } from '@frontdesk/service/tokens'
import { eventually, throwAwayNats, type ThrowAwayNats } from '@frontdesk/testing'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRegistry, type Client, type RegistryFixture } from './registry-fixture.ts'

let nats: ThrowAwayNats
let connection: NatsConnection
let registry: RegistryFixture
let client: Client
beforeAll(async () => {
  nats = await throwAwayNats()
  connection = await connectNats(nats.settings())
  const owned = ownedBy('registry', { streams, consumers: Object.values(consumers) })
  await provisionStreams(connection, owned.streams, owned.consumers)
  registry = await startRegistry({ nats: nats.settings('registry') })
  client = registry.client(['Exact'])
})
afterAll(async () => {
  await registry[Symbol.asyncDispose]()
  await connection.close()
  await nats[Symbol.asyncDispose]()
})

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

interface Published {
  subject: string
  event: ReceivedEvent
  id: string | undefined
}

/** Returns the events of a site or an organisation on the registry's stream, oldest first. */
async function published(about: string): Promise<Published[]> {
  const manager = await jetstreamManager(connection)
  const { state } = await manager.streams.info('EVT_REGISTRY')
  const found: Published[] = []
  for (let seq = state.first_seq; seq <= state.last_seq && seq > 0; seq++) {
    const message = await manager.streams.getMessage('EVT_REGISTRY', { seq })
    if (message === null) continue
    const event = parseEvent(message.data)
    if (event.subject === about) found.push({ subject: message.subject, event, id: message.header.get('Nats-Msg-Id') })
  }
  return found
}

test('creation, change, rotation and deletion are published in order, each with the full state and its version', async () => {
  const { Identity, PracticeSiteApiKeys } = await client.succeed('createSite', {
    body: { Name: 'Published', Currency: 'EUR' },
    headers: { traceparent },
  })
  const slug = Identity.SiteSlug
  const oldKeyHash = hash('sha256', PracticeSiteApiKeys.PrimaryKey)
  const params = { SiteIdentifier: slug }
  await client.succeed('changeSite', { params, body: { SiteStatus: 'Suspended', PmsSpecificSiteId: 'p-1' } })
  await client.succeed('rotateSiteKey', { params: { ...params, Key: 'Primary' } })
  await client.succeed('deleteSite', { params })

  const events = await eventually(async () => {
    const found = await published(slug)
    expect(found).toHaveLength(4)
    return found
  })
  const state = {
    siteSlug: slug,
    name: 'Published',
    practiceManagementSoftware: 'Exact',
    pmsSpecificSiteId: slug,
    owningOrganisationSlug: Identity.OwningOrganisationSlug,
    billingOrganisationSlug: Identity.BillingOrganisationSlug,
    siteStatus: 'Operational',
    currency: 'EUR',
  }
  const changed = { ...state, siteStatus: 'Suspended', pmsSpecificSiteId: 'p-1' }
  expect(events.map(({ event }) => [event.type, event.data])).toEqual([
    ['site.created', { ...state, version: 1 }],
    ['site.updated', { ...changed, version: 2 }],
    ['site.updated', { ...changed, version: 3, replacedSiteKeyId: siteKeyIdOf(oldKeyHash) }],
    ['site.deleted', { ...changed, version: 4, deletedAt: expect.any(String) }],
  ])
  const [created] = events
  expect(created?.subject).toBe(`evt.int.registry.site.created.v1.${slug}`)
  expect(created?.id).toBe(created?.event.id)
  expect(created?.event).toMatchObject({
    specversion: '1.0',
    source: 'https://frontdesk.example/registry',
    dataschema: 'https://frontdesk.example/schemas/site.created/v1.json',
    datacontenttype: 'application/json',
    siteslug: slug,
    organisationslug: Identity.OwningOrganisationSlug,
    billingorganisationslug: Identity.BillingOrganisationSlug,
    product: 'Exact',
    pmsspecificid: slug,
    visibility: 0,
    traceparent: expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-/),
  })
})

test('an organisation that is deleted with its last site publishes one event', async () => {
  const { Identity } = await client.succeed('createSite', { body: { Name: 'Gone group' } })
  const organisation = Identity.OwningOrganisationSlug
  const other = await client.succeed('createSite', { body: { Name: 'Branch', OwningOrganisationSlug: organisation } })
  await client.succeed('deleteSite', { params: { SiteIdentifier: Identity.SiteSlug } })
  await client.succeed('deleteSite', { params: { SiteIdentifier: other.Identity.SiteSlug } })
  const events = await eventually(async () => {
    const found = await published(organisation)
    expect(found.length).toBeGreaterThan(0)
    return found
  })
  expect(events.map(({ event, subject }) => [subject, event.type, event.data])).toEqual([
    [
      'evt.int.registry.organisation.deleted.v1.-',
      'organisation.deleted',
      {
        version: 1,
        organisationSlug: organisation,
        name: 'Gone group',
        practiceManagementSoftware: 'Exact',
        pmsSpecificOrganisationId: organisation,
        deletedAt: expect.any(String),
      },
    ],
  ])
})

test('a change without effect and a refused request publish nothing', async () => {
  const { Identity } = await client.succeed('createSite', {
    body: { Name: 'Quiet', Address: { Locality: 'Auckland', Country: 'NZ' } },
  })
  const params = { SiteIdentifier: Identity.SiteSlug }
  const same = { Name: ' Quiet ', Address: { Country: 'NZ' }, PhoneNumber: null, PmsSpecificSiteId: Identity.SiteSlug }
  await client.succeed('changeSite', { params, body: same })
  await client.succeed('changeSite', { params, body: {} })
  await client.refused('changeSite', { params, body: { Name: '' } })
  await client.refused('createSite', { body: { Name: 'Refused', OwningOrganisationSlug: 'oUnknown1234' } })
  const rows = await registry.pool.query('select aggregate_version from outbox where aggregate_id = $1', [
    Identity.SiteSlug,
  ])
  expect(rows.rows).toEqual([{ aggregate_version: 1 }])
})

test('no event contains a key', async () => {
  const { Identity, PracticeSiteApiKeys } = await client.succeed('createSite', { body: { Name: 'Discreet' } })
  const rotated = await client.succeed('rotateSiteKey', {
    params: { SiteIdentifier: Identity.SiteSlug, Key: 'Primary' },
  })
  const rows = await registry.pool.query<{ payload: Buffer }>('select payload from outbox where aggregate_id = $1', [
    Identity.SiteSlug,
  ])
  const payloads = rows.rows.map((row) => row.payload.toString('utf8')).join('\n')
  for (const key of [...Object.values(PracticeSiteApiKeys), rotated.PrimaryKey]) expect(payloads).not.toContain(key)
})

test('sites are created while NATS is down, and their events are published when it is back', async () => {
  await nats.stop('SIGKILL')
  const { Identity } = await client.succeed('createSite', { body: { Name: 'Patient' } })
  // Only of this site: events of earlier tests may not be marked as published yet.
  const waiting = await registry.pool.query('select from outbox where published_at is null and subject like $1', [
    `%.${Identity.SiteSlug}`,
  ])
  expect(waiting.rows).toHaveLength(1)
  expect((await fetch(`${registry.url}/readyz`)).status).toBe(200)
  await nats.start()
  await eventually(async () => expect(await published(Identity.SiteSlug)).toHaveLength(1), { within: 20_000 })
})
