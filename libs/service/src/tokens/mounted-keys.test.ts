import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import type { InternalClaims } from './internal-tokens.ts'
import { openMountedIssuer } from './mounted-keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'mounted-keys-'))
const keyFile = join(folder, 'key.json')
afterAll(() => rmSync(folder, { recursive: true }))

const claims: InternalClaims = { principal: { id: 'client:demo', scopes: [], practiceManagementSystems: [] } }

function writeKey(kid: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(`${keyFile}.new`, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA' }))
  renameSync(`${keyFile}.new`, keyFile)
}

test('an issuer signs with the key that its file has now, and never with one of another service', async () => {
  writeKey('gateway:1')
  using issuer = await openMountedIssuer('gateway', keyFile, pino({ level: 'silent' }))
  const kid = async () => decodeProtectedHeader(await issuer.mint('payments', claims)).kid
  expect(await kid()).toBe('gateway:1')
  writeKey('gateway:2')
  await vi.waitFor(async () => expect(await kid()).toBe('gateway:2'), 10_000)
  writeKey('payments:1')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await kid()).toBe('gateway:2')
})
