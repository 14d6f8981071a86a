import { Type, type Static } from 'typebox'

const port = { minimum: 0, maximum: 65_535 }
const Origin = Type.String({ pattern: '^https?://[^/]+$' })

/** The gateway's settings, from the environment. */
export const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ ...port, default: 0 }),
  /** The port of `/metrics`, which clients must not reach; 0 is any free port. Absent: metrics are not served. */
  METRICS_PORT: Type.Optional(Type.Integer(port)),
  /** The gateway's address for clients; also the issuer and audience of access tokens. */
  PUBLIC_URL: Origin,
  /** Addresses and CIDR ranges, separated by commas, of proxies whose `X-Forwarded-For` is trusted. */
  TRUSTED_PROXIES: Type.Optional(Type.String()),
  NATS_URL: Type.String(),
  REGISTRY_URL: Origin,
  ACCOUNTS_URL: Origin,
  PAYMENTS_URL: Origin,
  WEBHOOK_DELIVERY_URL: Origin,
  INTERNAL_KEY_FILE: Type.String(),
  /** Requests under way, in all and to one service. More are refused with 503. */
  MAX_IN_FLIGHT: Type.Integer({ minimum: 1, default: 1_000 }),
  MAX_IN_FLIGHT_PER_SERVICE: Type.Integer({ minimum: 1, default: 400 }),
  /** The average delay of timers, such as `500ms`, above which a part of the requests is refused with 503. */
  MAX_EVENT_LOOP_DELAY: Type.String({ pattern: '^\\d+(\\.\\d+)?(ms|s|m|h)$', default: '500ms' }),
  /** The same for the share of time in which the event loop is busy. Absent: a busy loop alone is no overload. */
  MAX_EVENT_LOOP_UTILISATION: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** The clients of the API: see tokens/clients.ts. Read again when it changes. */
  CLIENTS_FILE: Type.String(),
  /** A private JWKS. The first key signs access tokens; the public keys of all are published. Read again when it changes. */
  TOKEN_KEYS_FILE: Type.String(),
  /** Other issuers whose tokens are accepted: see tokens/external-issuers.ts. Read again when it changes. */
  EXTERNAL_ISSUERS_FILE: Type.Optional(Type.String()),
})
export type Config = Readonly<Static<typeof Config>>
