import { natsSettings } from '@frontdesk/events'
import { duration, processSettings } from '@frontdesk/service/process'
import { internalTlsSettings } from '@frontdesk/service/tls'
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
  /**
   * Addresses and CIDR ranges, separated by commas, of proxies whose `X-Forwarded-For` is trusted. Limits by
   * address need it: without it all callers behind a proxy have its address. A number of proxies would not do: who reaches the gateway
   * without them could write any address.
   */
  TRUSTED_PROXIES: Type.Optional(Type.String()),
  ...natsSettings,
  REGISTRY_URL: Origin,
  ACCOUNTS_URL: Origin,
  PAYMENTS_URL: Origin,
  WEBHOOK_DELIVERY_URL: Origin,
  INTERNAL_KEY_FILE: Type.String(),
  INTERNAL_JWKS_FILE: Type.String(),
  /** Connections to services are left at this age, between two requests: only new ones find new replicas. */
  UPSTREAM_CONNECTION_AGE: duration('30s'),
  /**
   * Requests under way, in all and to one service. More are refused with 503. In an overload each request that is admitted waits
   * for the others: requests under way are throughput times latency (Little's law). A service that completes 400 requests
   * a second on one core (payments created, measured) answers within 0.5 s if 200 are under way, and with 1,000 it would
   * be at the deadline of its clients. Far lower would refuse healthy traffic: 200 creates a second, while a provider
   * takes a second, are 200 requests under way.
   */
  MAX_IN_FLIGHT: Type.Integer({ minimum: 1, default: 300 }),
  MAX_IN_FLIGHT_PER_SERVICE: Type.Integer({ minimum: 1, default: 200 }),
  /**
   * Webhooks of payment providers under way, beside the requests of clients. One is stored within 10 ms; 200 are also those of a
   * second while a service takes a second for each. A provider may try a refused one again only after minutes.
   */
  MAX_WEBHOOKS_IN_FLIGHT: Type.Integer({ minimum: 1, default: 200 }),
  /** Logins and webhooks whose bodies are on their way. They take the place of no request that is worked on. */
  MAX_UNPROVEN_ARRIVING: Type.Integer({ minimum: 1, default: 500 }),
  /** The average delay of timers, such as `500ms`, above which a part of the requests is refused with 503. */
  MAX_EVENT_LOOP_DELAY: duration('500ms'),
  /** The same for the share of time in which the event loop is busy. Absent: a busy loop alone is no overload. */
  MAX_EVENT_LOOP_UTILISATION: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** The clients of the API: see tokens/clients.ts. Read again when it changes. */
  CLIENTS_FILE: Type.String(),
  /** A private JWKS. The first key signs access tokens; the public keys of all are published. Read again when it changes. */
  TOKEN_KEYS_FILE: Type.String(),
  /** Other issuers whose tokens are accepted: see tokens/external-issuers.ts. Read again when it changes. */
  EXTERNAL_ISSUERS_FILE: Type.Optional(Type.String()),
  /** The folder of the built documentation site (`npm run docs`), read at start. Absent: `/docs/` says how to build it. */
  DOCS_FOLDER: Type.Optional(Type.String()),
  ...processSettings,
  ...internalTlsSettings,
})
export type Config = Readonly<Static<typeof Config>>
