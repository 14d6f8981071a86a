import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newInternalKey, replaceFile, writeInternalKeys } from '@frontdesk/testing/internal-keys'
import { decodeProtectedHeader } from 'jose'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import type { InternalClaims } from './internal-tokens.ts'
import { openMountedIssuer } from './mounted-keys.ts'

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
