import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRegistry, type Client, type RegistryFixture } from './registry-fixture.ts'

let registry: RegistryFixture
let client: Client
beforeAll(async () => {
  registry = await startRegistry()
  client = registry.client(['Exact'])
})
afterAll(() => registry[Symbol.asyncDispose]())

const header = 'X-Practice-Management-Software'

async function newSite(by: Client = client, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const { Identity, PracticeSiteApiKeys } = await by.succeed('createSite', {
    body: { Name: 'Practice', ...body },
    headers,
  })
  return {
    identity: Identity,
    keys: PracticeSiteApiKeys,
    slug: Identity.SiteSlug,
    params: { SiteIdentifier: Identity.SiteSlug },
  }
}

const resolveKey = (key: string) =>
  registry.internal('gateway', 'resolveSiteKey', { KeyHash: createHash('sha256').update(key).digest('hex') })

describe('identity', () => {
  test('a site keeps the identity and keys of its creation, in a reply that is not cacheable', async () => {
    const site = await newSite()
    const answer = await client.call('getSiteIdentity', { params: site.params })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({ Identity: site.identity, PracticeSiteApiKeys: site.keys })
  })

  test('an unknown site, a site of another system and a deleted site get the same refusal', async () => {
    const foreign = await newSite(registry.client(['Epic']))
    const gone = await newSite()
    await client.succeed('deleteSite', { params: gone.params })
    for (const SiteIdentifier of ['sUnknown1234', foreign.slug, gone.slug, 'not-a-slug', 'oUnknown1234']) {
      for (const id of ['getSiteIdentity', 'deleteSite', 'changeSite'] as const) {
        const refusal = await client.refused(id, {
          params: { SiteIdentifier },
          ...(id === 'changeSite' ? { body: {} } : {}),
        })
        expect(refusal).toMatchObject({ status: 404, code: 'site_not_found' })
        expect(refusal.detail).toBeUndefined()
      }
    }
  })

  test('a faulty change of an unknown site is answered with 404, not with 400', async () => {
    const params = { SiteIdentifier: 'sUnknown1234' }
    expect(await client.refused('changeSite', { params, body: { Name: '' } })).toMatchObject({ status: 404 })
  })

  test('an identifier may have spaces and letters of any alphabet, in either form of Unicode', async () => {
    const multi = registry.client(['Exact'])
    const site = await newSite(multi)
    for (const PmsSpecificSiteId of ['Site 12', 'Zürich', 'Zu\u0308rich Süd', '歯科 1/2']) {
      await multi.succeed('changeSite', { params: site.params, body: { PmsSpecificSiteId } })
      for (const SiteIdentifier of [PmsSpecificSiteId.normalize('NFC'), PmsSpecificSiteId.normalize('NFD')]) {
        const { Identity } = await multi.succeed('getSiteIdentity', { params: { SiteIdentifier } })
        expect(Identity.PmsSpecificSiteId).toBe(PmsSpecificSiteId.normalize('NFC'))
      }
    }
  })

  test('an identifier with a space at its end or a control character is malformed', async () => {
    await client.refused('getSiteIdentity', { params: { SiteIdentifier: 'a\u0007b' } })
    const refusal = await client.refused('getSiteIdentity', { params: { SiteIdentifier: 'a ' } })
    expect(refusal).toMatchObject({ status: 400, errors: [{ pointer: '/path/SiteIdentifier' }] })
  })
})

describe('the address for webhooks', () => {
  const addressOf = async (slug: string) => {
    const { body } = await registry.internal('gateway', 'resolveSite', { SiteSlug: slug })
    return (body as { webhookUrl?: string }).webhookUrl
  }

  test('is the one of the request, else the one that is registered for the client; a change sets or removes it', async () => {
    const registered = registry.client(['Exact'], { webhookUrl: 'https://client.example/hook' })
    expect(await addressOf((await newSite()).slug)).toBeUndefined()
    expect(await addressOf((await newSite(registered)).slug)).toBe('https://client.example/hook')
    const site = await newSite(registered, { WebhookUrl: 'https://site.example/hook' })
    expect(await addressOf(site.slug)).toBe('https://site.example/hook')
    const change = (WebhookUrl: string | null) =>
      client.succeed('changeSite', { params: site.params, body: { WebhookUrl } })
    expect((await change('https://other.example/')).WebhookUrl).toBe('https://other.example/')
    expect(await addressOf(site.slug)).toBe('https://other.example/')
    expect(await change(null)).not.toHaveProperty('WebhookUrl')
    expect(await addressOf(site.slug)).toBeUndefined()
  })

  test('must be an http address', async () => {
    const refused = await client.refused('createSite', { body: { Name: 'Practice', WebhookUrl: 'ftp://a.example/' } })
    expect(refused).toMatchObject({ status: 400, errors: [{ pointer: '/WebhookUrl' }] })
  })
})

describe('identifiers of practice management systems', () => {
  const multi = () => registry.client(['Exact', 'Epic'])

  test('a client of one system needs no header', async () => {
    const site = await newSite()
    await client.succeed('changeSite', { params: site.params, body: { PmsSpecificSiteId: 'branch-1' } })
    const found = await client.succeed('getSiteIdentity', { params: { SiteIdentifier: 'branch-1' } })
    expect(found.Identity).toEqual({ ...site.identity, PmsSpecificSiteId: 'branch-1' })
  })

  test('a client of several systems must name one, unless it sends a slug', async () => {
    const exact = await newSite(multi(), {}, { [header]: 'Exact' })
    const epic = await newSite(multi(), {}, { [header]: 'Epic' })
    for (const site of [exact, epic]) {
      await multi().succeed('changeSite', { params: site.params, body: { PmsSpecificSiteId: 'branch-2' } })
    }
    const params = { SiteIdentifier: 'branch-2' }
    expect(await multi().refused('getSiteIdentity', { params })).toMatchObject({
      status: 400,
      code: 'practice_management_software_required',
    })
    for (const [system, site] of [['Exact', exact] as const, ['Epic', epic] as const]) {
      const found = await multi().succeed('getSiteIdentity', { params, headers: { [header]: system } })
      expect(found.Identity.SiteSlug).toBe(site.slug)
    }
    const bySlug = await multi().succeed('getSiteIdentity', { params: exact.params, headers: { [header]: 'Epic' } })
    expect(bySlug.Identity.SiteSlug).toBe(exact.slug)
  })

  test('a PMS-specific id in the form of a slug needs the header too; an unknown slug is not found', async () => {
    const site = await newSite(multi(), {}, { [header]: 'Exact' })
    await multi().succeed('changeSite', { params: site.params, body: { PmsSpecificSiteId: 'surgery42' } })
    expect(await multi().refused('getSiteIdentity', { params: { SiteIdentifier: 'surgery42' } })).toMatchObject({
      status: 400,
    })
    expect(await multi().refused('getSiteIdentity', { params: { SiteIdentifier: 'surgery43' } })).toMatchObject({
      status: 404,
    })
  })

  test('a PMS-specific id is unique in its system, and free again once its site is deleted', async () => {
    const [first, second] = [await newSite(), await newSite()]
    const other = registry.client(['Epic'])
    const elsewhere = await newSite(other)
    const body = { PmsSpecificSiteId: 'branch-3' }
    await client.succeed('changeSite', { params: first.params, body })
    expect(await client.refused('changeSite', { params: second.params, body })).toMatchObject({
      status: 409,
      code: 'pms_specific_id_taken',
      errors: [{ pointer: '/PmsSpecificSiteId' }],
    })
    await other.succeed('changeSite', { params: elsewhere.params, body })
    await client.succeed('deleteSite', { params: { SiteIdentifier: 'branch-3' } })
    await client.succeed('changeSite', { params: second.params, body })
  })

  test('a slug takes precedence over an equal PMS-specific id', async () => {
    const [named, sly] = [await newSite(), await newSite()]
    await client.succeed('changeSite', { params: named.params, body: { PmsSpecificSiteId: 'moved-on' } })
    await client.succeed('changeSite', { params: sly.params, body: { PmsSpecificSiteId: named.slug } })
    const found = await client.succeed('getSiteIdentity', { params: named.params })
    expect(found.Identity.SiteSlug).toBe(named.slug)
  })
})

describe('changes', () => {
  test('a merge patch sets members, removes those that are null, and leaves the others', async () => {
    const site = await newSite(client, {
      Address: { AddressLine1: '1 Quay Street', Locality: 'Auckland', Country: 'NZ' },
      PhoneNumber: '+6495550100',
      EmailAddress: 'desk@harbour.example',
    })
    const changed = await client.succeed('changeSite', {
      params: site.params,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: {
        Name: ' Renamed ',
        Address: { Locality: null, PostalCode: '1011' },
        PostalAddress: { Country: 'AU' },
        PhoneNumber: null,
        Currency: 'AUD',
        Coordinates: { Latitude: -36.84, Longitude: 174.76 },
        MapPlaceId: 'place-1',
        ApplicationVersion: '12.4',
        SiteStatus: 'Suspended',
      },
    })
    const expected = {
      ...site.identity,
      Name: 'Renamed',
      Address: { AddressLine1: '1 Quay Street', PostalCode: '1011', Country: 'NZ' },
      PostalAddress: { Country: 'AU' },
      EmailAddress: 'desk@harbour.example',
      Currency: 'AUD',
      Coordinates: { Latitude: -36.84, Longitude: 174.76 },
      MapPlaceId: 'place-1',
      ApplicationVersion: '12.4',
      SiteStatus: 'Suspended',
    }
    expect(changed).toEqual(expected)
    expect((await client.succeed('listSites', { query: `Sites=${site.slug}` })).Items).toEqual([expected])
  })

  test('a member that cannot be changed and an invalid value are refused', async () => {
    const site = await newSite()
    const cases: [Record<string, unknown>, string][] = [
      [{ Name: null }, '/Name'],
      [{ SiteStatus: 'Open' }, '/SiteStatus'],
      [{ OwningOrganisationSlug: 'oOther123456' }, '/OwningOrganisationSlug'],
      [{ PmsSpecificSiteId: '' }, '/PmsSpecificSiteId'],
      [{ Coordinates: { Latitude: 91, Longitude: 0 } }, '/Coordinates/Latitude'],
    ]
    for (const [body, pointer] of cases) {
      const refusal = await client.refused('changeSite', { params: site.params, body })
      expect(refusal).toMatchObject({ status: 400, code: 'malformed_request' })
      expect(refusal.errors?.map((fault) => fault.pointer)).toContain(pointer)
    }
  })

  test('simultaneous changes of different members all take effect', async () => {
    const site = await newSite()
    const bodies = [{ Name: 'Both' }, { Currency: 'GBP' }, { MapPlaceId: 'place-2' }, { SiteStatus: 'Closed' }]
    await Promise.all(bodies.map((body) => client.succeed('changeSite', { params: site.params, body })))
    const { Items } = await client.succeed('listSites', { query: `Sites=${site.slug}` })
    expect(Items).toMatchObject([{ Name: 'Both', Currency: 'GBP', MapPlaceId: 'place-2', SiteStatus: 'Closed' }])
  })
})

describe('keys', () => {
  test('a rotated key is replaced at once, and the other key still works', async () => {
    const site = await newSite()
    const params = { ...site.params, Key: 'Primary' }
    const answer = await client.call('rotateSiteKey', { params })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const keys = answer.body as { PrimaryKey: string; SecondaryKey: string }
    expect(keys.SecondaryKey).toBe(site.keys.SecondaryKey)
    expect(keys.PrimaryKey).not.toBe(site.keys.PrimaryKey)
    expect((await client.succeed('getSiteIdentity', { params: site.params })).PracticeSiteApiKeys).toEqual(keys)

    expect((await resolveKey(site.keys.PrimaryKey)).status).toBe(404)
    for (const key of Object.values(keys)) {
      expect((await resolveKey(key)).body).toMatchObject({ slug: site.slug })
    }
  })

  test('a third kind of key is refused', async () => {
    const site = await newSite()
    const params = { ...site.params, Key: 'Tertiary' }
    expect(await client.refused('rotateSiteKey', { params })).toMatchObject({ status: 400 })
  })

  test('a rotation is done once for one Idempotency-Key, also when it is resumed after a crash', async () => {
    const site = await newSite()
    const params = { ...site.params, Key: 'Secondary' }
    const headers = { 'Idempotency-Key': 'rotate-once' }
    const first = await client.succeed('rotateSiteKey', { params, headers })
    expect(await client.succeed('rotateSiteKey', { params, headers })).toEqual(first)
    await registry.pool.query(
      `update idempotency_keys set status = null, body = null, lease_until = now() - interval '1 s' where key = 'rotate-once'`,
    )
    expect(await client.succeed('rotateSiteKey', { params, headers })).toEqual(first)
    const { PrimaryKey } = await client.succeed('rotateSiteKey', { params: { ...params, Key: 'Primary' } })
    expect(PrimaryKey).not.toBe(first.PrimaryKey)
  })
})

describe('deletion', () => {
  test('the deletion of its last site deletes an organisation', async () => {
    const site = await newSite(client, { Name: 'Lonely' })
    const answer = await client.call('deleteSite', { params: site.params })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      Identity: site.identity,
      DeletedOrganisation: {
        Name: 'Lonely',
        PracticeManagementSoftware: 'Exact',
        PmsSpecificOrganisationId: site.identity.OwningOrganisationSlug,
        OrganisationSlug: site.identity.OwningOrganisationSlug,
      },
    })
    expect(await client.refused('deleteSite', { params: site.params })).toMatchObject({ status: 404 })
  })

  test('an organisation that owns another site stays', async () => {
    const first = await newSite()
    const OwningOrganisationSlug = first.identity.OwningOrganisationSlug
    const second = await newSite(client, { OwningOrganisationSlug })
    expect(await client.succeed('deleteSite', { params: first.params })).toEqual({ Identity: first.identity })
    const last = await client.succeed('deleteSite', { params: second.params })
    expect(last.DeletedOrganisation?.OrganisationSlug).toBe(OwningOrganisationSlug)
  })

  test('a site billed to a deleted organisation keeps the slug of that organisation', async () => {
    const payer = await newSite()
    const BillingOrganisationSlug = payer.identity.OwningOrganisationSlug
    const billed = await newSite(client, { BillingOrganisationSlug })
    await client.succeed('deleteSite', { params: payer.params })
    const found = await client.succeed('getSiteIdentity', { params: billed.params })
    expect(found.Identity.BillingOrganisationSlug).toBe(BillingOrganisationSlug)
  })

  test('a deleted site is found nowhere, and neither are its keys', async () => {
    const site = await newSite()
    await client.succeed('deleteSite', { params: site.params })
    expect((await client.succeed('listSites', { query: `Sites=${site.slug}` })).Items).toEqual([])
    expect((await registry.internal('gateway', 'resolveSite', { SiteSlug: site.slug })).status).toBe(404)
    expect((await resolveKey(site.keys.PrimaryKey)).status).toBe(404)
    expect((await resolveKey(site.keys.SecondaryKey)).status).toBe(404)
    const refusal = await client.refused('rotateSiteKey', { params: { ...site.params, Key: 'Primary' } })
    expect(refusal).toMatchObject({ status: 404 })
  })
})
