import { Type, type Static } from 'typebox'

const port = { minimum: 0, maximum: 65_535 }
const Origin = Type.String({ pattern: '^https?://[^/]+$' })

/** The environment of the gateway. It has no database. */
export const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ ...port, default: 0 }),
  /** The port of `/metrics`, away from what clients can reach; 0 is any free one. Absent: metrics are not served. */
  METRICS_PORT: Type.Optional(Type.Integer(port)),
  /** The gateway's address as clients see it: the tokens' issuer and audience. */
  PUBLIC_URL: Origin,
  /** Addresses and CIDR ranges, by comma, of the proxies whose `X-Forwarded-For` tells the caller's address. */
  TRUSTED_PROXIES: Type.Optional(Type.String()),
  NATS_URL: Type.String(),
  REGISTRY_URL: Origin,
  ACCOUNTS_URL: Origin,
  PAYMENTS_URL: Origin,
  WEBHOOK_DELIVERY_URL: Origin,
  INTERNAL_KEY_FILE: Type.String(),
  /** Requests under way at a time before more are refused with 503; in all, and to one service. */
  MAX_IN_FLIGHT: Type.Integer({ minimum: 1, default: 1_000 }),
  MAX_IN_FLIGHT_PER_SERVICE: Type.Integer({ minimum: 1, default: 400 }),
  /** Milliseconds that timers may be late on average before a part of the requests is refused with 503. */
  MAX_EVENT_LOOP_DELAY: Type.Integer({ minimum: 1, default: 500 }),
  /** The same for the part of the time in which the event loop is busy. Absent: busy alone is no reason. */
  MAX_EVENT_LOOP_UTILISATION: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** Who may ask for tokens: see tokens/clients.ts. Read again when it changes. */
  CLIENTS_FILE: Type.String(),
  /** A private JWKS; the first key signs access tokens, all are published. Read again when it changes. */
  TOKEN_KEYS_FILE: Type.String(),
  /** Issuers besides our own whose tokens are accepted: see tokens/external-issuers.ts. Read again when it changes. */
  EXTERNAL_ISSUERS_FILE: Type.Optional(Type.String()),
})
export type Config = Readonly<Static<typeof Config>>
