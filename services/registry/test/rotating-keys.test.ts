import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { operations } from '@frontdesk/contracts'
import { openTokenIssuer, type TokenIssuer } from '@frontdesk/service/tokens'
import { eventually } from '@frontdesk/testing'
import { newInternalKey, replaceFile } from '@frontdesk/testing/internal-keys'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startRegistry, type Client, type RegistryFixture } from './registry-fixture.ts'

let registry: RegistryFixture
beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry[Symbol.asyncDispose]())

function read<Content>(path: string): Content {
  return JSON.parse(readFileSync(path, 'utf8')) as Content
}

/** Reads the keys of a site again and again, each time anew from the service, until `stop`. Returns the statuses other than 200. */
function load(client: Client, SiteSlug: string) {
  const failures: unknown[] = []
  let answers = 0
  let stopped = false
  onTestFinished(() => void (stopped = true))
  const working = Array.from({ length: 3 }, async () => {
    while (!stopped) {
      const answer = await client.call('getSiteIdentity', { params: { SiteIdentifier: SiteSlug } })
      if (answer.status === 200) answers++
      else failures.push(answer)
      await wait(5)
    }
  })
  return {
    async stop() {
      stopped = true
      await Promise.all(working)
      expect(answers).toBeGreaterThan(10)
      return failures
    },
  }
}

test('a key ring is rotated while the service runs: a new key is added, then used, and no request fails', async () => {
  const client = registry.client(['Exact'])
  const { Identity } = await client.succeed('createSite', { body: { Name: 'First' } })
  const requests = load(client, Identity.SiteSlug)
  const path = registry.env['ENCRYPTION_KEYS_FILE'] ?? ''
  const { keys } = read<{ keys: Record<string, string> }>(path)
  const both = { ...keys, k2: randomBytes(32).toString('base64') }
  const keysOf = async (name: string) => {
    const { rows } = await registry.pool.query<{ key: string }>(
      `select distinct split_part(encrypted, '.', 1) as key from site_keys k join sites s on s.id = k.site_id where s.name = $1`,
      [name],
    )
    return rows.map(({ key }) => key)
  }
  replaceFile(path, { current: 'k1', keys: both })
  await wait(1_500)
  replaceFile(path, { current: 'k2', keys: both })
  await eventually(
    async () => {
      await client.succeed('createSite', { body: { Name: 'Later' } })
      expect(await keysOf('Later')).toContain('k2')
    },
    { within: 10_000 },
  )
  expect(await keysOf('First')).toEqual(['k1'])
  expect(await requests.stop()).toEqual([])
})

test('a ring file that is not valid changes nothing', async () => {
  const path = registry.env['ENCRYPTION_KEYS_FILE'] ?? ''
  const valid = read<object>(path)
  replaceFile(path, { current: 'k3', keys: {} })
  await wait(1_500)
  await registry.client(['Exact']).succeed('createSite', { body: { Name: 'Meanwhile' } })
  replaceFile(path, valid)
})

test("a caller's internal key is rotated while it calls, and the removed one is refused within seconds", async () => {
  const client = registry.client(['Exact'])
  const { Identity } = await client.succeed('createSite', { body: { Name: 'Called' } })
  const requests = load(client, Identity.SiteSlug)
  const path = registry.env['INTERNAL_JWKS_FILE'] ?? ''
  const { keys } = read<{ keys: { kid: string }[] }>(path)
  const { own, open } = newInternalKey('gateway:2')
  const keyFile = `${path}.gateway-2`
  replaceFile(keyFile, own)
  const later = openTokenIssuer('gateway', { INTERNAL_KEY_FILE: keyFile, INTERNAL_JWKS_FILE: path })

  expect(await statusWith(later, client)).toBe(401)
  replaceFile(path, { keys: [...keys, open] })
  await eventually(async () => expect(await statusWith(later, client)).toBe(200), { within: 10_000 })
  expect(await requests.stop()).toEqual([])

  replaceFile(path, { keys: keys.filter(({ kid }) => !kid.startsWith('gateway:')) })
  await eventually(async () => expect(await statusWith(later, client)).toBe(401), { within: 10_000 })
  expect((await client.call('listSites')).status).toBe(401)
  replaceFile(path, { keys })
  await eventually(async () => expect((await client.call('listSites')).status).toBe(200), { within: 10_000 })
})

test('the internal key of a called service is rotated, and callers of either list of keys are served until it ends', async () => {
  const client = registry.client(['Exact'])
  const { Identity } = await client.succeed('createSite', { body: { Name: 'Called too' } })
  // Its callers know the first key of registry alone.
  const requests = load(client, Identity.SiteSlug)
  const { INTERNAL_KEY_FILE: keyFile = '', INTERNAL_JWKS_FILE: path = '' } = registry.env
  const { keys } = read<{ keys: { kid: string }[] }>(path)
  const first = read<object>(keyFile)
  const { own, open } = newInternalKey('registry:2')
  // As callers see the list once the new key stands first.
  const laterList = `${path}.later`
  replaceFile(laterList, { keys: [open, ...keys] })
  const later = openTokenIssuer('gateway', { ...registry.keysOf('gateway'), INTERNAL_JWKS_FILE: laterList })

  expect(await statusWith(later, client)).toBe(401)
  replaceFile(keyFile, { keys: [first, own] })
  await eventually(async () => expect(await statusWith(later, client)).toBe(200), { within: 10_000 })
  replaceFile(keyFile, { keys: [own, first] })
  await wait(1_500)
  expect(await statusWith(later, client)).toBe(200)
  expect(await requests.stop()).toEqual([])

  replaceFile(keyFile, own)
  await eventually(async () => expect((await client.call('listSites')).status).toBe(401), { within: 10_000 })
  expect(await statusWith(later, client)).toBe(200)
  replaceFile(keyFile, first)
})

/** Returns the status that an issuer's request gets. */
async function statusWith(issuer: TokenIssuer, { principal }: Client): Promise<number> {
  const { method, path } = operations.listSites
  const headers = { authorization: `Bearer ${await issuer.mint('registry', { principal })}` }
  const signed = issuer.sign('registry', { method, path, headers })
  return (await fetch(`${registry.url}${path}`, { headers: signed })).status
}
