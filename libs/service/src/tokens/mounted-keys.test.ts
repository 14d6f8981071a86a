import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newInternalKey, replaceFile, writeInternalKeys } from '@frontdesk/testing/internal-keys'
import { decodeProtectedHeader } from 'jose'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { openTokenIssuer, type InternalClaims, type TokenIssuer } from './internal-tokens.ts'
import { openMountedIssuer, openMountedVerifier } from './mounted-keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'mounted-keys-'))
const files = writeInternalKeys(folder, ['gateway', 'payments'])('gateway')
afterAll(() => rmSync(folder, { recursive: true }))

const claims: InternalClaims = { principal: { id: 'client:demo', scopes: [], practiceManagementSystems: [] } }

test('an issuer signs with the first key that its file has now, and never with one of another service', async () => {
  using issuer = await openMountedIssuer('gateway', files, pino({ level: 'silent' }))
  const kid = async () => decodeProtectedHeader(await issuer.mint('payments', claims)).kid
  expect(await kid()).toBe('gateway:1')
  const [second, third] = [newInternalKey('gateway:2').own, newInternalKey('gateway:3').own]
  replaceFile(files.INTERNAL_KEY_FILE, second)
  await vi.waitFor(async () => expect(await kid()).toBe('gateway:2'), 10_000)
  replaceFile(files.INTERNAL_KEY_FILE, { keys: [third, second] })
  await vi.waitFor(async () => expect(await kid()).toBe('gateway:3'), 10_000)
  replaceFile(files.INTERNAL_KEY_FILE, newInternalKey('payments:1').own)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await kid()).toBe('gateway:3')
})

test('a request that was served is refused the second time, also after a change of the keys', async () => {
  const settingsOf = writeInternalKeys(mkdtempSync(join(folder, 'served-')), ['gateway', 'payments'])
  const { INTERNAL_JWKS_FILE: jwks } = settingsOf('gateway')
  using verify = await openMountedVerifier('gateway', settingsOf('gateway'), pino({ level: 'silent' }))
  const request = async (issuer: TokenIssuer, method: string) => {
    const headers = { authorization: `Bearer ${await issuer.mint('gateway', claims)}` }
    return { method, url: '/x', headers: issuer.sign('gateway', { method, path: '/x', headers }) }
  }
  const issuer = openTokenIssuer('payments', settingsOf('payments'))
  const [served, read] = [await request(issuer, 'POST'), await request(issuer, 'GET')]
  for (const each of [served, read, read]) await verify(each)
  const detail = expect.stringContaining('it was served before')
  const refusal = expect.objectContaining({ options: expect.objectContaining({ detail }) })
  await expect(verify(served)).rejects.toEqual(refusal)

  const second = newInternalKey('payments:2')
  const { keys } = JSON.parse(readFileSync(jwks, 'utf8')) as { keys: object[] }
  replaceFile(jwks, { keys: [...keys, second.open] })
  replaceFile(settingsOf('payments').INTERNAL_KEY_FILE, second.own)
  const next = openTokenIssuer('payments', settingsOf('payments'))
  await vi.waitFor(async () => verify(await request(next, 'POST')), 10_000)
  await expect(verify(served)).rejects.toEqual(refusal)
})
