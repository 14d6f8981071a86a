import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Practice } from './practice.ts'

/** Returns every secret of the dev stack's key files and of the practices, with the name of each. */
export function secretsOf(home: string, practices: readonly Pick<Practice, 'slug' | 'site'>[]): Map<string, string> {
  const secrets = new Map<string, string>()
  const keys = join(home, 'keys')
  for (const file of readdirSync(keys, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.nk')) secrets.set(readFileSync(join(keys, file), 'utf8').trim(), file)
    if (file.startsWith('postgres/')) secrets.set(readFileSync(join(keys, file), 'utf8'), `password of ${file}`)
    if (!file.endsWith('.json') || file === 'clients.json' || file === 'internal-jwks.json') continue
    collect(JSON.parse(readFileSync(join(keys, file), 'utf8')), file, secrets)
  }
  for (const { slug, site } of practices) {
    secrets.set(site.keys.PrimaryKey, `primary key of ${slug}`)
    secrets.set(site.keys.SecondaryKey, `secondary key of ${slug}`)
  }
  return secrets
}

/** The members of key files that are public. */
const isPublic = new Set(['x', 'kid', 'kty', 'crv', 'alg', 'use', 'current'])

function collect(value: unknown, name: string, secrets: Map<string, string>): void {
  if (typeof value === 'string') secrets.set(value, name)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!isPublic.has(key)) collect(member, `${name} ${key}`, secrets)
    }
  }
}
