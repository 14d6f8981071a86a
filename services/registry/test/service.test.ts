import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@frontdesk/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { start } from '../src/start.ts'
import { startRegistry, type RegistryFixture } from './registry-fixture.ts'

let registry: RegistryFixture
beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry[Symbol.asyncDispose]())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('site access for the gateway', () => {
  test('the gateway resolves a site by its slug, and by the hash of either key', async () => {
    const client = registry.client(['Exact'])
    const { Identity, PracticeSiteApiKeys } = await client.succeed('createSite', {
      body: {
        Name: 'Known',
        Currency: 'EUR',
        Address: { Locality: 'Cork', Country: 'IE' },
        EmailAddress: 'desk@known.example',
        PhoneNumber: '+353215550100',
      },
    })
    const params = { SiteIdentifier: Identity.SiteSlug }
    await client.succeed('changeSite', { params, body: { SiteStatus: 'Suspended', PmsSpecificSiteId: 'p-1' } })
    const expected = {
      slug: Identity.SiteSlug,
      name: 'Known',
      practiceManagementSystem: 'Exact',
      pmsSpecificId: 'p-1',
      owningOrganisation: Identity.OwningOrganisationSlug,
      billingOrganisation: Identity.BillingOrganisationSlug,
      status: 'Suspended',
      currency: 'EUR',
      country: 'IE',
      emailAddress: 'desk@known.example',
      phoneNumber: '+353215550100',
    }
    const answers = await Promise.all([
      registry.internal('gateway', 'resolveSite', { SiteSlug: Identity.SiteSlug }),
      ...Object.values(PracticeSiteApiKeys).map((key) =>
        registry.internal('gateway', 'resolveSiteKey', { KeyHash: sha256(key) }),
      ),
    ])
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: expected })
  })

  test('a site without an address is in the country of its postal address, and without either in none', async () => {
    const client = registry.client(['Exact'])
    const countryOf = async (addresses: object) => {
      const { Identity } = await client.succeed('createSite', { body: { Name: 'Abroad', ...addresses } })
      const site = await registry.internal('gateway', 'resolveSite', { SiteSlug: Identity.SiteSlug })
      return (site.body as { country?: string }).country
    }
    const postal = { PostalAddress: { Country: 'NZ' } }
    expect(await countryOf(postal)).toBe('NZ')
    expect(await countryOf({ ...postal, Address: { Locality: 'Sydney' } })).toBe('NZ')
    expect(await countryOf({ ...postal, Address: { Country: 'AU' } })).toBe('AU')
    expect(await countryOf({})).toBeUndefined()
  })

  test('unknown slugs and keys are not found', async () => {
    const slug = await registry.internal('gateway', 'resolveSite', { SiteSlug: 'sUnknown1234' })
    const key = await registry.internal('gateway', 'resolveSiteKey', { KeyHash: sha256('unknown') })
    for (const answer of [slug, key]) expect(answer).toMatchObject({ status: 404, body: { code: 'site_not_found' } })
  })

  test('other services are refused', async () => {
    const answer = await registry.internal('payments', 'resolveSite', { SiteSlug: 'sUnknown1234' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  test('a request without an internal token is refused', async () => {
    for (const path of ['/internal/sites/sUnknown1234', '/api/v1/sites', '/api/v1/management/sites/x/identity']) {
      const response = await fetch(`${registry.url}${path}`, { headers: { authorization: 'Bearer x' } })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('Bearer')
    }
  })
})

describe('readiness', () => {
  test('the registry is ready with a migrated database, with or without NATS', async () => {
    const body = await eventually(async () => {
      const response = await fetch(`${registry.url}/readyz`)
      expect(response.status).toBe(200)
      return response.json()
    })
    expect(body).toMatchObject({ service: 'registry', status: 'ready', nats: 'disconnected' })
  })

  test('without a database the registry starts, is alive, is not ready, and answers 503', async () => {
    await using lonely = await startRegistry({
      env: { REGISTRY_DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/none' },
    })
    expect((await fetch(`${lonely.url}/livez`)).status).toBe(200)
    expect((await fetch(`${lonely.url}/readyz`)).status).toBe(503)
    const answer = await lonely.client(['Exact']).call('createSite', { body: { Name: 'New' } })
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('1')
    const asked = await lonely.internal('gateway', 'resolveSite', { SiteSlug: 'sUnknown1234' })
    expect(asked).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  })

  test('an invalid configuration is refused with all its faults', async () => {
    const starting = start({ env: { PORT: 'x' }, log: pino({ level: 'silent' }), signal: new AbortController().signal })
    await expect(starting).rejects.toThrow(
      /PORT[^]*REGISTRY_DATABASE_URL is missing|REGISTRY_DATABASE_URL is missing[^]*PORT/,
    )
  })
})

describe('the catalogue of practice management systems', () => {
  function catalogueFile(content: unknown): string {
    const folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'catalogue.json')
    writeFileSync(file, JSON.stringify(content))
    return file
  }

  test("is saved with the operator's additions and changes", async () => {
    const file = catalogueFile([
      { code: 'HouseBrand', displayName: 'House Brand', sector: 'Dental', enabled: true },
      { code: 'Exact', displayName: 'Exact, retired', sector: 'Dental', enabled: false },
    ])
    await using own = await startRegistry({ env: { PMS_CATALOG_FILE: file } })
    const rows = await eventually(async () => {
      const result = await own.pool.query(
        `select code, display_name, enabled from practice_management_systems where code in ('HouseBrand', 'Exact', 'Epic') order by code`,
      )
      expect(result.rows).toHaveLength(3)
      return result.rows
    })
    expect(rows).toEqual([
      { code: 'Epic', display_name: 'Epic', enabled: true },
      { code: 'Exact', display_name: 'Exact, retired', enabled: false },
      { code: 'HouseBrand', display_name: 'House Brand', enabled: true },
    ])
    const site = await own.client(['HouseBrand']).succeed('createSite', { body: { Name: 'New' } })
    expect(site.Identity.PracticeManagementSoftware).toBe('HouseBrand')
    expect(await own.client(['Exact']).refused('createSite', { body: { Name: 'New' } })).toMatchObject({ status: 403 })
  })

  test('a malformed catalogue file stops the start', async () => {
    const file = catalogueFile([{ code: 'lower case' }])
    await expect(startRegistry({ env: { PMS_CATALOG_FILE: file } })).rejects.toThrow(/is not a catalogue/)
  })
})
