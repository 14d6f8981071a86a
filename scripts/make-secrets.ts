/**
 * Makes the Secrets of a deployment as files, FOLDER/<Secret>/<key>: the keys and passwords that nobody else gives out. What is there already
 * stays as it is. Keep the folder where you keep secrets, and nowhere else.
 *
 *   node scripts/make-secrets.ts FOLDER --client open-dental-uk=OpenDental [--client ...] [--sandbox]
 *
 * A new client's secret is printed once: its file has only the hash. How the files become Secrets: docs/deploying.md.
 */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { busUsers, scopes } from '@frontdesk/contracts'
import { rolesOf } from '@frontdesk/database/roles'
import { hasDatabase, serviceNames } from '@frontdesk/database/service-databases'
import { openBusCredentials } from '@frontdesk/events'

const usage = `Usage: node scripts/make-secrets.ts FOLDER --client ID=SYSTEM [--client ID=SYSTEM ...] [--sandbox]

  --client   a client of the API and its practice management system, if there is no file of clients yet
  --sandbox  also what the sandbox needs, for the development overlay`

class UsageError extends Error {}

/** Writes a file unless it exists, and returns its content. Only its owner may read it. */
function made(file: string, content: () => string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const text = content()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, text, { mode: 0o600 })
  return text
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`
const random = (): string => randomBytes(32).toString('base64url')

/** A private EdDSA key, as a JWK. */
function signingKey(kid: string): object {
  return { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }
}

/** A client's entry, and its secret on standard output. */
function registration(text: string): object {
  const [id = '', system = ''] = text.split('=')
  if (id === '' || system === '') throw new UsageError(usage)
  const secret = random()
  console.log(`client ${id} has the secret ${secret}`)
  return {
    id,
    secretSha256: createHash('sha256').update(secret).digest('hex'),
    scopes,
    practiceManagementSoftware: [system],
  }
}

function makeSecrets(): void {
  const { positionals, values } = parseCommandLine()
  const [folder, more] = positionals
  if (folder === undefined || more !== undefined) throw new UsageError(usage)
  const services = serviceNames().filter((name) => name !== 'sandbox-provider')
  const clients = join(folder, 'gateway-clients/clients.json')
  if (!existsSync(clients) && values.client === undefined) throw new UsageError(usage)
  made(clients, () => json({ clients: (values.client ?? []).map(registration) }))
  made(join(folder, 'gateway-keys/token-keys.json'), () => json({ keys: [signingKey('access:1')] }))

  const publicKeys = services.map((service) => {
    const key = made(join(folder, `${service}-keys/internal-key.json`), () => json(signingKey(`${service}:1`)))
    const { d: _private, ...publicKey } = JSON.parse(key) as Record<string, unknown>
    return publicKey
  })
  // Of public keys alone: a ConfigMap.
  made(join(folder, 'internal-jwks/internal-jwks.json'), () => json({ keys: publicKeys }))

  if (values.sandbox === true) made(join(folder, 'sandbox/webhook-secret'), () => `whsec_${random()}`)
  for (const service of services.filter(hasDatabase)) {
    const ring = () => json({ current: 'k1', keys: { k1: randomBytes(32).toString('base64') } })
    made(join(folder, `${service}-keys/encryption-keys.json`), ring)
  }
  for (const service of values.sandbox === true ? serviceNames().filter(hasDatabase) : services.filter(hasDatabase)) {
    const { owner, runtime } = rolesOf(service)
    for (const [part, role] of [
      ['owner', owner],
      ['runtime', runtime],
    ] as const) {
      const secret = join(folder, `${service}-postgres-${part}`)
      made(join(secret, 'username'), () => role)
      const password = made(join(secret, 'password'), random)
      // One a line: two while it is being replaced.
      made(join(secret, 'passwords'), () => `${password}\n`)
    }
  }

  // The administrator's key stays here: no Secret is made of it.
  const { serverConfig } = openBusCredentials(join(folder, 'nats'), busUsers)
  for (const user of [...services, 'provisioner'])
    made(join(folder, `${user}-nats/nats.nk`), () => readFileSync(join(folder, `nats/${user}.nk`), 'utf8'))
  mkdirSync(join(folder, 'nats-users'), { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'nats-users/users.conf'), serverConfig, { mode: 0o600 })
}

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { client: { type: 'string', multiple: true }, sandbox: { type: 'boolean' } },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`)
  }
}

try {
  makeSecrets()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
