/**
 * The first step of docker-compose.yml: makes the keys and secrets that do not exist yet, gives each part the files that are its own,
 * and writes dev.json, from which `npm run demo` knows the system.
 *
 *   node scripts/compose/secrets.ts KEYS SECRETS STATE
 *
 * KEYS keeps everything; SECRETS has a folder for each part; STATE gets dev.json, which belongs to the owner of that folder.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { rolesOf } from '@frontdesk/database/roles'
import { hasDatabase, serviceNames } from '@frontdesk/database/service-databases'
import { roleUrl } from '@frontdesk/dev-stack/servers'
import { openCredentials } from '@frontdesk/dev-stack/services'

const [keys = '', secrets = '', state = ''] = process.argv.slice(2)
if (state === '') throw new Error('Usage: node scripts/compose/secrets.ts KEYS SECRETS STATE')
const services = serviceNames()
const credentials = openCredentials(keys, services, 'http://sandbox-provider:8080')

/** Only the parts that mount a folder can read its files, and each as a user of its own: all may read them there. */
const READABLE = 0o444

/** Writes a file of a part, unless it is as it should be: services read changed files again. */
function give(part: string, name: string, content: string): void {
  const file = join(secrets, part, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return
  mkdirSync(join(secrets, part), { recursive: true })
  writeFileSync(file, content, { flag: 'w' })
  chmodSync(file, READABLE)
}

const copy = (part: string, name: string, from: string): void => give(part, name, readFileSync(from, 'utf8'))
const busKey = (user: string): string => credentials.bus.settings('nats://nats:4222', user).NATS_CREDENTIALS_FILE

function administratorPassword(): string {
  const file = join(keys, 'postgres-password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

const password = administratorPassword()
const administrator = `postgresql://postgres:${password}@postgres:5432/postgres`

for (const service of services) {
  if (hasDatabase(service)) {
    const { runtime, database } = rolesOf(service)
    give(service, 'database-password', new URL(roleUrl(administrator, runtime, database)).password)
  }
  // The sandbox is no part of ours: it has nothing but its database.
  if (service === 'sandbox-provider') continue
  const internal = credentials.internalKeys(service)
  copy(service, 'internal.json', internal.INTERNAL_KEY_FILE)
  copy(service, 'internal-jwks.json', internal.INTERNAL_JWKS_FILE)
  copy(service, 'nats.nk', busKey(service))
  if (hasDatabase(service)) copy(service, 'encryption.json', credentials.encryptionKeysFile(service))
}
copy('gateway', 'clients.json', credentials.clientsFile)
copy('gateway', 'token-keys.json', credentials.tokenKeysFile)
copy('provision', 'nats.nk', busKey('provisioner'))
give('provision', 'postgres-password', password)
give('postgres', 'password', password)
give('nats', 'users.conf', credentials.bus.serverConfig)

const dev = {
  gateway: process.env['GATEWAY_URL'],
  sandbox: process.env['SANDBOX_URL'],
  receivers: process.env['RECEIVERS_HOST'],
  clients: credentials.clients,
}
const file = join(state, 'dev.json')
writeFileSync(file, `${JSON.stringify(dev, undefined, 2)}\n`, { mode: 0o600 })
const { uid, gid } = statSync(state)
chownSync(file, uid, gid)
console.log(`${services.length} services have their secrets`)
