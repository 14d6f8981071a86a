import { generateKeyPairSync } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The settings that name a service's key files. */
export type KeySettings = Record<'INTERNAL_KEY_FILE' | 'INTERNAL_JWKS_FILE', string>

/** Returns a new private Ed25519 key as a JWK, and the public one. */
export function newInternalKey(kid: string): { own: object; open: object } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const more = { kid, alg: 'EdDSA' }
  return {
    own: { ...privateKey.export({ format: 'jwk' }), ...more },
    open: { ...publicKey.export({ format: 'jwk' }), ...more },
  }
}

/** Writes files with the keys of services, which have each other's public ones. Returns the settings of each service. */
export function writeInternalKeys<Service extends string>(
  folder: string,
  services: readonly Service[],
): (service: Service) => KeySettings {
  const jwks = join(folder, 'internal-jwks.json')
  const fileOf = (service: string) => join(folder, `internal-${service}.json`)
  const keys = services.map((service) => {
    const { own, open } = newInternalKey(`${service}:1`)
    replaceFile(fileOf(service), own)
    return open
  })
  replaceFile(jwks, { keys })
  return (service) => ({ INTERNAL_KEY_FILE: fileOf(service), INTERNAL_JWKS_FILE: jwks })
}

/** Replaces a JSON file in one step, as a mounted secret is. */
export function replaceFile(path: string, content: object): void {
  writeFileSync(`${path}.new`, JSON.stringify(content))
  renameSync(`${path}.new`, path)
}
