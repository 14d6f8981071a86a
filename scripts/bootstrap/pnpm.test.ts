import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { expect, test } from 'vitest'
import { ensurePnpm } from './pnpm.mjs'

const locked = join(import.meta.dirname, 'pnpm')
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const { packageManager } = read(join(import.meta.dirname, '../../package.json')) as { packageManager: string }

interface Locked {
  packages: Record<string, { version?: string; integrity?: string }>
}

test('the locked pnpm is that of package.json, and every package of it has a hash', () => {
  const { packages } = read(join(locked, 'package-lock.json')) as Locked
  const programs = Object.entries(packages).filter(([path]) => path !== '')
  expect(programs.length).toBeGreaterThan(0)
  for (const [, { version, integrity }] of programs) {
    expect(`pnpm@${version}`).toBe(packageManager)
    expect(integrity).toMatch(/^sha512-.{80,}/)
  }
})

test.skipIf(process.platform !== 'linux')('a pnpm with another hash is refused', async () => {
  await using folder = await throwAwayFolder()
  const other = join(folder.path, 'other')
  cpSync(locked, other, { recursive: true })
  const file = join(other, 'package-lock.json')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/sha512-..../g, 'sha512-AAAA'))
  await expect(ensurePnpm(packageManager, folder.path, other)).rejects.toThrow(/with the hash of its lockfile/)
})
