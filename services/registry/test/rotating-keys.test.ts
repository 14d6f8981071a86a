import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { operations } from '@frontdesk/contracts'
import { openTokenIssuer, type TokenIssuer } from '@frontdesk/service/tokens'
import { eventually } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startRegistry, type Client, type RegistryFixture } from './registry-fixture.ts'

let registry: RegistryFixture
beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry[Symbol.asyncDispose]())

/** Replaces a file in one step, as a mounted secret is. */
function replace(path: string, content: object): void {
  writeFileSync(`${path}.new`, JSON.stringify(content))
  renameSync(`${path}.new`, path)
}

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
  replace(path, { current: 'k1', keys: both })
  await wait(1_500)
  replace(path, { current: 'k2', keys: both })
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
  replace(path, { current: 'k3', keys: {} })
  await wait(1_500)
  await registry.client(['Exact']).succeed('createSite', { body: { Name: 'Meanwhile' } })
  replace(path, valid)
})

test("a service's internal key is rotated while it calls, and the removed one is refused within seconds", async () => {
  const client = registry.client(['Exact'])
  const { Identity } = await client.succeed('createSite', { body: { Name: 'Called' } })
  const requests = load(client, Identity.SiteSlug)
  const path = registry.env['INTERNAL_JWKS_FILE'] ?? ''
  const { keys } = read<{ keys: { kid: string }[] }>(path)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const names = { kid: 'gateway:2', alg: 'EdDSA' }
  const keyFile = `${path}.gateway-2`
  replace(keyFile, { ...privateKey.export({ format: 'jwk' }), ...names })
  const later = await openTokenIssuer('gateway', keyFile)

  const statusWith = async (issuer: TokenIssuer) => {
    const { method, path } = operations.listSites
    const headers = { authorization: `Bearer ${await issuer.mint('registry', { principal: client.principal })}` }
    return (await fetch(`${registry.url}${path}`, { headers: issuer.sign({ method, path, headers }) })).status
  }
  expect(await statusWith(later)).toBe(401)
  replace(path, { keys: [...keys, { ...publicKey.export({ format: 'jwk' }), ...names }] })
  await eventually(async () => expect(await statusWith(later)).toBe(200), { within: 10_000 })
  expect(await requests.stop()).toEqual([])

  replace(path, { keys: keys.filter(({ kid }) => !kid.startsWith('gateway:')) })
  await eventually(async () => expect(await statusWith(later)).toBe(401), { within: 10_000 })
  expect((await client.call('listSites')).status).toBe(401)
})
