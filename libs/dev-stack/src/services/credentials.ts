import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Scope, scopes } from '@frontdesk/contracts'
import { type BusCredentials, openBusCredentials } from '@frontdesk/events'

/** A client of the dev stack's API, with its secret. */
export interface DevelopmentClient {
  id: string
  secret: string
  scopes: readonly Scope[]
  practiceManagementSoftware: readonly string[]
  /** Prefix of the `source` of the events that the client publishes. */
  eventSource?: string
  /** Where its webhooks go if a subscription names no address. */
  webhookUrl?: string
}

/** Files with the keys and secrets of one dev stack. */
export interface Credentials {
  clients: DevelopmentClient[]
  clientsFile: string
  tokenKeysFile: string
  /** The settings that name the files with a service's own key, and with the public keys of all. */
  internalKeys(service: string): Record<'INTERNAL_KEY_FILE' | 'INTERNAL_JWKS_FILE', string>
  /** File with a service's ring of encryption keys. */
  encryptionKeysFile(service: string): string
  sandboxWebhookSecret: string
  /** The users of NATS. */
  bus: BusCredentials
}

type ClientSettings = Omit<DevelopmentClient, 'secret'> & { rateLimit?: 'unlimited' }

const CLIENTS: readonly ClientSettings[] = [
  {
    id: 'demo',
    scopes,
    practiceManagementSoftware: ['OpenDental'],
    eventSource: 'https://demo.frontdesk.example/',
  },
  { id: 'multi', scopes, practiceManagementSoftware: ['OpenDental', 'Optomate'] },
  {
    id: 'reader',
    scopes: scopes.filter((scope) => scope.endsWith(':read')),
    practiceManagementSoftware: ['OpenDental'],
  },
  { id: 'bench', scopes, practiceManagementSoftware: ['OpenDental'], rateLimit: 'unlimited' },
]

/**
 * Reads the keys and secrets of a dev stack; creates them the first time. So stored ciphertexts, tokens and client secrets
 * stay valid after a restart.
 *
 * @param home the state folder
 * @param sandboxUrl the address of sandbox-provider, which has an inbox for the webhooks of each client; without it the clients
 * have no address for webhooks
 */
export function openCredentials(home: string, services: readonly string[], sandboxUrl?: string): Credentials {
  const folder = join(home, 'keys')
  for (const name of ['internal', 'encryption']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  const internalKeyFile = (service: string): string => join(folder, 'internal', `${service}.json`)
  const encryptionKeysFile = (service: string): string => join(folder, 'encryption', `${service}.json`)

  const publicKeys = services.map((service) => {
    const { d: _private, ...publicKey } = remembered(internalKeyFile(service), () => signingKey(`${service}:1`))
    remembered(encryptionKeysFile(service), () => ({ current: 'k1', keys: { k1: randomBytes(32).toString('base64') } }))
    return publicKey
  })
  const internalJwksFile = join(folder, 'internal-jwks.json')
  writeSecret(internalJwksFile, { keys: publicKeys })

  const tokenKeysFile = join(folder, 'token-keys.json')
  remembered(tokenKeysFile, () => ({ keys: [signingKey('access:1')] }))

  const secretsFile = join(folder, 'secrets.json')
  const secrets = remembered(secretsFile, () => ({
    clients: Object.fromEntries(CLIENTS.map(({ id }) => [id, randomBytes(32).toString('base64url')])),
    sandboxWebhook: `whsec_${randomBytes(24).toString('base64url')}`,
  }))
  const settings = CLIENTS.map((client) => ({
    ...client,
    ...(sandboxUrl === undefined ? {} : { webhookUrl: `${sandboxUrl}/inbox/${client.id}` }),
  }))
  const clientsFile = join(folder, 'clients.json')
  writeSecret(clientsFile, {
    // A gateway refuses the file unless it runs in development mode.
    development: true,
    clients: settings.map((client) => registration(client, secrets.clients[client.id] ?? '')),
  })

  return {
    clients: settings.map(({ id, rateLimit: _rateLimit, ...client }) => ({
      id,
      secret: secrets.clients[id] ?? '',
      ...client,
    })),
    clientsFile,
    tokenKeysFile,
    internalKeys: (service) => ({
      INTERNAL_KEY_FILE: internalKeyFile(service),
      INTERNAL_JWKS_FILE: internalJwksFile,
    }),
    encryptionKeysFile,
    sandboxWebhookSecret: secrets.sandboxWebhook,
    bus: openBusCredentials(join(folder, 'nats')),
  }
}

/** Returns a client's entry in the gateway's file, which has only the hash of its secret. */
function registration(client: ClientSettings, secret: string): object {
  return { ...client, secretSha256: createHash('sha256').update(secret).digest('hex') }
}

/** Generates a private EdDSA key, as a JWK. */
function signingKey(kid: string): Record<string, unknown> {
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { ...key, kid, alg: 'EdDSA', use: 'sig' }
}

/** Reads a file; makes and writes its content first if the file does not exist. */
function remembered<Value extends object>(file: string, make: () => Value): Value {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Value
  const value = make()
  writeSecret(file, value)
  return value
}

function writeSecret(file: string, value: object): void {
  writeFileSync(file, JSON.stringify(value, undefined, 2), { mode: 0o600 })
}
