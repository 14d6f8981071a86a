import { hash, timingSafeEqual } from 'node:crypto'
import { PracticeManagementSoftware, scopes, type Scope } from '@frontdesk/contracts'
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const closed = { additionalProperties: false }
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const HttpUrl = Type.String({ pattern: '^https?://' })

const ClientEntry = Type.Object(
  {
    // No spaces: they separate the parts of cache and rate limit keys.
    id: Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$' }),
    /** SHA-256 of the secret, hex; several while the secret is being replaced; none for a client of an external issuer. */
    secretSha256: Type.Optional(Type.Union([Sha256, Type.Array(Sha256, { minItems: 1, maxItems: 4 })])),
    scopes: Type.Array(Type.Enum([...scopes])),
    practiceManagementSoftware: Type.Array(PracticeManagementSoftware),
    /** The only organisations that the client may touch; absent: all. */
    organisations: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** The prefix of `source` of the events that the client publishes. */
    eventSource: Type.Optional(HttpUrl),
    /** The address of its webhooks if a subscription names none. */
    webhookUrl: Type.Optional(HttpUrl),
    /** Whether the platform gives back its fee, in the proportion of the refund, when this client refunds; absent: it does. */
    refundsReturnFee: Type.Optional(Type.Boolean()),
    rateLimit: Type.Optional(
      Type.Union([
        Type.Literal('unlimited'),
        Type.Object(
          { requests: Type.Integer({ minimum: 1 }), windowSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }) },
          closed,
        ),
      ]),
    ),
    /** The external issuer whose tokens are accepted for this client; absent: only our own. */
    issuer: Type.Optional(HttpUrl),
  },
  closed,
)

// Closed: otherwise a misspelt `organisations` would make a client without that restriction.
const clientsFile = Compile(
  Type.Object(
    {
      clients: Type.Array(ClientEntry),
      /** Whether these are the ready-made clients of `npm start`. */
      development: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
)

/** A client of the API with its rights, from the clients file. */
export interface Client extends Omit<Static<typeof ClientEntry>, 'secretSha256' | 'scopes'> {
  scopes: readonly Scope[]
  secretHashes: readonly Buffer[]
}

export type Clients = ReadonlyMap<string, Client>

/**
 * Parses the clients file: `{ "clients": [...] }`. Throws with every fault if it is not one, if two clients have one id, or if
 * they are ready-made clients, which only development mode accepts.
 */
export function parseClients(text: string, mode: 'production' | 'development' = 'production'): Clients {
  const value: unknown = JSON.parse(text)
  if (!clientsFile.Check(value)) {
    const faults = clientsFile.Errors(value).map((fault) => `${fault.instancePath} ${fault.message}`)
    throw new TypeError(`not a clients file: ${faults.join('; ')}`)
  }
  if (value.development === true && mode !== 'development') {
    throw new TypeError(
      "CLIENTS_FILE needs FRONTDESK_MODE=development: it has the ready-made clients of npm start, whose secrets lie on a developer's machine",
    )
  }
  const clients = new Map<string, Client>()
  for (const { secretSha256 = [], ...entry } of value.clients) {
    if (clients.has(entry.id)) throw new TypeError(`client ${entry.id} is there twice`)
    clients.set(entry.id, { ...entry, secretHashes: [secretSha256].flat().map((hex) => Buffer.from(hex, 'hex')) })
  }
  return clients
}

const nobody = Buffer.alloc(32)

/** Whether `secret` is the client's. Takes the same time for a client that does not exist. */
export function isSecretOf(client: Client | undefined, secret: string): boolean {
  const given = hash('sha256', secret, 'buffer')
  const hashes = client === undefined || client.secretHashes.length === 0 ? [nobody] : client.secretHashes
  return hashes.map((wanted) => timingSafeEqual(given, wanted)).includes(true)
}
