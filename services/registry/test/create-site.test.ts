import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRegistry, type RegistryFixture } from './registry-fixture.ts'

let registry: RegistryFixture
beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry[Symbol.asyncDispose]())

const whole = {
  Name: '  Harbour Dental  ',
  Address: { AddressLine1: '1 Quay Street', Locality: 'Auckland', PostalCode: '1010', Country: 'NZ' },
  PostalAddress: { AddressLine1: 'PO Box 5', Country: 'NZ' },
  PhoneNumber: '+6495550100',
  EmailAddress: 'desk@harbour.example',
  Currency: 'NZD',
}

test('a new site gets a slug, an organisation of its own name, and two keys', async () => {
  const answer = await registry.client(['Exact']).call('createSite', { body: whole })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body).toEqual({
    Identity: {
      Name: 'Harbour Dental',
      PracticeManagementSoftware: 'Exact',
      PmsSpecificSiteId: expect.stringMatching(/^s[a-zA-Z0-9]{11}$/),
      SiteSlug: expect.stringMatching(/^s[a-zA-Z0-9]{11}$/),
      OwningOrganisationSlug: expect.stringMatching(/^o[a-zA-Z0-9]{11}$/),
      BillingOrganisationSlug: expect.stringMatching(/^o[a-zA-Z0-9]{11}$/),
    },
    PracticeSiteApiKeys: {
      PrimaryKey: expect.stringMatching(/^frontdesk_site_[a-zA-Z0-9]{43}$/),
      SecondaryKey: expect.stringMatching(/^frontdesk_site_[a-zA-Z0-9]{43}$/),
    },
  })
  const { Identity, PracticeSiteApiKeys } = answer.body as {
    Identity: Record<string, string>
    PracticeSiteApiKeys: Record<string, string>
  }
  expect(Identity['PmsSpecificSiteId']).toBe(Identity['SiteSlug'])
  expect(Identity['BillingOrganisationSlug']).toBe(Identity['OwningOrganisationSlug'])
  expect(PracticeSiteApiKeys['PrimaryKey']).not.toBe(PracticeSiteApiKeys['SecondaryKey'])

  const stored = await registry.pool.query('select name, owned_sites from organisations where slug = $1', [
    Identity['OwningOrganisationSlug'],
  ])
  expect(stored.rows).toEqual([{ name: 'Harbour Dental', owned_sites: 1 }])
})

test('the database holds no key in the clear', async () => {
  const { PracticeSiteApiKeys } = await registry.client(['Exact']).succeed('createSite', { body: { Name: 'Secret' } })
  const stored = await registry.pool.query(`select string_agg(site_keys::text, ' ') as text from site_keys`)
  expect(stored.rows[0]['text']).not.toContain(PracticeSiteApiKeys.PrimaryKey.slice(-20))
})

test('the list of sites shows every member of the creation request', async () => {
  const client = registry.client(['Merlin'])
  await client.succeed('createSite', { body: whole })
  const { Items } = await client.succeed('listSites')
  expect(Items).toEqual([
    {
      ...whole,
      Name: 'Harbour Dental',
      PracticeManagementSoftware: 'Merlin',
      PmsSpecificSiteId: expect.any(String),
      SiteSlug: expect.any(String),
      OwningOrganisationSlug: expect.any(String),
      BillingOrganisationSlug: expect.any(String),
      SiteStatus: 'Operational',
    },
  ])
})

describe('organisations', () => {
  test('a site joins the organisations that it names', async () => {
    const client = registry.client(['Exact'])
    const first = await client.succeed('createSite', { body: { Name: 'First' } })
    const second = await client.succeed('createSite', { body: { Name: 'Second' } })
    const third = await client.succeed('createSite', {
      body: {
        Name: 'Third',
        OwningOrganisationSlug: first.Identity.OwningOrganisationSlug,
        BillingOrganisationSlug: second.Identity.OwningOrganisationSlug,
      },
    })
    expect(third.Identity.OwningOrganisationSlug).toBe(first.Identity.OwningOrganisationSlug)
    expect(third.Identity.BillingOrganisationSlug).toBe(second.Identity.OwningOrganisationSlug)
  })

  test('a new organisation may be billed to an existing one', async () => {
    const client = registry.client(['Exact'])
    const payer = await client.succeed('createSite', { body: { Name: 'Payer' } })
    const BillingOrganisationSlug = payer.Identity.OwningOrganisationSlug
    const site = await client.succeed('createSite', { body: { Name: 'Own', BillingOrganisationSlug } })
    expect(site.Identity.BillingOrganisationSlug).toBe(BillingOrganisationSlug)
    expect(site.Identity.OwningOrganisationSlug).not.toBe(BillingOrganisationSlug)
  })

  test('an unknown organisation, a deleted one and one of another system are refused in the same words', async () => {
    const client = registry.client(['Exact'])
    const gone = await client.succeed('createSite', { body: { Name: 'Gone' } })
    await client.succeed('deleteSite', { params: { SiteIdentifier: gone.Identity.SiteSlug } })
    const foreign = await registry.client(['Epic']).succeed('createSite', { body: { Name: 'Foreign' } })
    const slugs = ['oUnknown1234', gone.Identity.OwningOrganisationSlug, foreign.Identity.OwningOrganisationSlug]
    for (const slug of slugs) {
      for (const member of ['OwningOrganisationSlug', 'BillingOrganisationSlug']) {
        const refusal = await client.refused('createSite', { body: { Name: 'New', [member]: slug } })
        expect(refusal).toMatchObject({
          status: 422,
          code: 'organisation_unknown',
          errors: [{ pointer: `/${member}`, detail: 'is not an organisation of yours' }],
        })
      }
    }
  })

  test('a client restricted to one organisation creates sites in it; with several it must name one', async () => {
    const made = await registry.client(['Exact']).succeed('createSite', { body: { Name: 'Group' } })
    const own = made.Identity.OwningOrganisationSlug
    const ofOne = registry.client(['Exact'], { organisations: [own] })
    const ofTwo = registry.client(['Exact'], { organisations: [own, 'oOther123456'] })
    const ofNone = registry.client(['Exact'], { organisations: [] })

    const site = await ofOne.succeed('createSite', { body: { Name: 'Branch' } })
    expect(site.Identity.OwningOrganisationSlug).toBe(own)
    expect(await ofTwo.refused('createSite', { body: { Name: 'Branch' } })).toMatchObject({
      status: 422,
      code: 'organisation_required',
    })
    expect(await ofNone.refused('createSite', { body: { Name: 'Branch' } })).toMatchObject({
      code: 'organisation_required',
    })
    await ofTwo.succeed('createSite', { body: { Name: 'Branch', OwningOrganisationSlug: own } })
  })

  test('a client that is restricted to organisations cannot use others, nor see their sites', async () => {
    const [own, other] = await Promise.all(
      ['Own', 'Other'].map((Name) => registry.client(['Exact']).succeed('createSite', { body: { Name } })),
    )
    const client = registry.client(['Exact'], { organisations: [own!.Identity.OwningOrganisationSlug] })
    const foreign = other!.Identity.OwningOrganisationSlug
    for (const member of ['OwningOrganisationSlug', 'BillingOrganisationSlug']) {
      const refusal = await client.refused('createSite', { body: { Name: 'New', [member]: foreign } })
      expect(refusal).toMatchObject({ status: 422, code: 'organisation_unknown' })
    }
    const params = { SiteIdentifier: other!.Identity.SiteSlug }
    expect(await client.refused('getSiteIdentity', { params })).toMatchObject({ status: 404, code: 'site_not_found' })
  })
})

describe('X-Practice-Management-Software', () => {
  const header = 'X-Practice-Management-Software'

  test('a client of several systems must name one of them', async () => {
    const client = registry.client(['Exact', 'Epic'])
    expect(await client.refused('createSite', { body: { Name: 'New' } })).toMatchObject({
      status: 400,
      code: 'practice_management_software_required',
    })
    const site = await client.succeed('createSite', { body: { Name: 'New' }, headers: { [header]: 'Epic' } })
    expect(site.Identity.PracticeManagementSoftware).toBe('Epic')
  })

  test('an unknown system gets 400 and a system of other clients 403, before the body is validated', async () => {
    const client = registry.client(['Exact', 'Epic'])
    const body = { NotAMember: true }
    expect(await client.refused('createSite', { body, headers: { [header]: 'Unheard' } })).toMatchObject({
      status: 400,
      code: 'practice_management_software_unknown',
    })
    expect(await client.refused('createSite', { body, headers: { [header]: 'Dentally' } })).toMatchObject({
      status: 403,
      code: 'practice_management_software_forbidden',
    })
    expect(await client.refused('createSite', { body, headers: { [header]: 'Epic' } })).toMatchObject({
      status: 400,
      code: 'malformed_request',
    })
  })

  test('a client without any system cannot create a site', async () => {
    expect(await registry.client([]).refused('createSite', { body: { Name: 'New' } })).toMatchObject({ status: 403 })
  })
})

describe('Idempotency-Key', () => {
  const create = (client: ReturnType<RegistryFixture['client']>, key: string, body: Record<string, unknown>) =>
    client.call('createSite', { body, headers: { 'Idempotency-Key': key } })
  const sites = async (name: string): Promise<number> => {
    const result = await registry.pool.query('select count(*)::int as count from sites where name = $1', [name])
    return result.rows[0]['count'] as number
  }

  test('the same request gets the same site and the same keys again', async () => {
    const client = registry.client(['Exact'])
    const first = await create(client, 'replay', { Name: 'Replayed', Currency: 'EUR' })
    const second = await create(client, 'replay', { Currency: 'EUR', Name: 'Replayed' })
    expect(second.status).toBe(201)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(second.body).toEqual(first.body)
    expect(await sites('Replayed')).toBe(1)
  })

  test('of many simultaneous requests one creates the site; the others get its reply or are told to wait', async () => {
    const client = registry.client(['Exact'])
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create(client, 'simultaneous', { Name: 'Simultaneous' })),
    )
    expect(new Set(answers.map((answer) => answer.status))).toSatisfy((seen: Set<number>) =>
      [...seen].every((status) => status === 201 || status === 409),
    )
    expect(answers.filter((answer) => answer.status === 201).length).toBeGreaterThan(0)
    expect(await sites('Simultaneous')).toBe(1)
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(answer.body).toMatchObject({ code: 'idempotency_key_in_use' })
    }
  })

  test('another body under the same key is refused', async () => {
    const client = registry.client(['Exact'])
    await create(client, 'reused', { Name: 'One' })
    const answer = await create(client, 'reused', { Name: 'Two' })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'idempotency_key_reused' })
  })

  test('a refusal is not stored: the same key works once the request is corrected', async () => {
    const client = registry.client(['Exact'])
    const refused = await create(client, 'refused', { Name: 'New', OwningOrganisationSlug: 'oUnknown1234' })
    expect(refused.status).toBe(422)
    expect((await create(client, 'refused', { Name: 'New' })).status).toBe(201)
  })

  test('a request that crashed between its commit and its reply is resumed: the same site, the same keys, one event', async () => {
    const client = registry.client(['Exact'])
    const owner = await client.succeed('createSite', { body: { Name: 'Resuming' } })
    const OwningOrganisationSlug = owner.Identity.OwningOrganisationSlug
    for (const body of [{ Name: 'Resumed alone' }, { Name: 'Resumed in a group', OwningOrganisationSlug }]) {
      const key = randomUUID()
      const first = await create(client, key, body)
      await crashBeforeReply(key)
      const second = await create(client, key, body)
      expect(second.body).toEqual(first.body)
      expect(second.headers.get('idempotency-replayed')).toBeNull()
      expect(await sites(body.Name)).toBe(1)
    }
    const events = await registry.pool.query(
      `select count(*)::int as count from outbox where convert_from(payload, 'utf8') like '%"name":"Resumed%'`,
    )
    expect(events.rows).toEqual([{ count: 2 }])
    const group = await registry.pool.query('select owned_sites from organisations where slug = $1', [
      OwningOrganisationSlug,
    ])
    expect(group.rows).toEqual([{ owned_sites: 2 }])
  })

  test('a resumed request gets its site even if the rules would refuse it now', async () => {
    const client = registry.client(['Exact'])
    const owner = await client.succeed('createSite', { body: { Name: 'Payer for a while' } })
    const body = { Name: 'Billed elsewhere', BillingOrganisationSlug: owner.Identity.OwningOrganisationSlug }
    const first = await create(client, 'late', body)
    await client.succeed('deleteSite', { params: { SiteIdentifier: owner.Identity.SiteSlug } })
    await crashBeforeReply('late')
    expect((await create(client, 'late', body)).body).toEqual(first.body)
  })

  test('a resumed request whose site was deleted meanwhile creates no second site', async () => {
    const client = registry.client(['Exact'])
    const first = await create(client, 'deleted', { Name: 'Short-lived' })
    const { Identity } = first.body as { Identity: { SiteSlug: string } }
    await client.succeed('deleteSite', { params: { SiteIdentifier: Identity.SiteSlug } })
    await crashBeforeReply('deleted')
    expect((await create(client, 'deleted', { Name: 'Short-lived' })).status).toBe(409)
    expect(await sites('Short-lived')).toBe(1)
  })

  /** Restores the state after a crash: the site exists, and its key has no outcome and an expired lease. */
  async function crashBeforeReply(key: string): Promise<void> {
    const result = await registry.pool.query(
      `update idempotency_keys set status = null, headers = null, body = null, lease_until = now() - interval '1 s' where key = $1`,
      [key],
    )
    expect(result.rowCount).toBe(1)
  }
})

test('a malformed body is refused with a pointer to the faulty member', async () => {
  const client = registry.client(['Exact'])
  const cases: [Record<string, unknown>, string][] = [
    [{}, '/Name'],
    [{ Name: '   ' }, '/Name'],
    [{ Name: 'x'.repeat(201) }, '/Name'],
    [{ Name: 'New', Unknown: 1 }, '/Unknown'],
    [{ Name: 'New', PhoneNumber: '0201234' }, '/PhoneNumber'],
    [{ Name: 'New', EmailAddress: 'nobody' }, '/EmailAddress'],
    [{ Name: 'New', Currency: 'XYZ' }, '/Currency'],
    [{ Name: 'New', Address: { Country: 'XX' } }, '/Address/Country'],
    [{ Name: 'New', OwningOrganisationSlug: 'x1' }, '/OwningOrganisationSlug'],
  ]
  for (const [body, pointer] of cases) {
    const refusal = await client.refused('createSite', { body })
    expect(refusal).toMatchObject({ status: 400, code: 'malformed_request' })
    expect(refusal.errors?.map((fault) => fault.pointer)).toContain(pointer)
  }
})

test('a client without the scope is refused', async () => {
  const reader = registry.client(['Exact'], { scopes: ['sites:read'] })
  expect(await reader.refused('createSite', { body: { Name: 'New' } })).toMatchObject({
    status: 403,
    code: 'scope_missing',
  })
})
