import { Type, type Static } from 'typebox'

const duration = (preset: string) => Type.String({ default: preset, pattern: '^\\d+(\\.\\d+)?(ms|s|m|h)$' })

/** The environment of this service. Durations are like `500ms`, `5s`, `30m`, `2h`. */
export const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 0 }),
  WEBHOOK_DELIVERY_DATABASE_URL: Type.String(),
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 1, default: 6 }),
  /** Connections of the engine: intake, claims, recording, leases. */
  DELIVERY_POOL_SIZE: Type.Integer({ minimum: 3, default: 8 }),
  NATS_URL: Type.String(),
  /** The gateway's address as clients see it: sources and schemas of our events. */
  PUBLIC_URL: Type.String({ pattern: '^https?://[^/]+$' }),
  INTERNAL_JWKS_FILE: Type.String(),
  ENCRYPTION_KEYS_FILE: Type.String(),
  /** The waits after each failed attempt; the first attempt is always at once. */
  DELIVERY_RETRY_SCHEDULE: Type.String({
    default: '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    pattern: '^\\d+(\\.\\d+)?(ms|s|m|h)(\\s*,\\s*\\d+(\\.\\d+)?(ms|s|m|h))*$',
  }),
  /** How long a process may keep a delivery without renewing its lease before another takes it over. */
  DELIVERY_LEASE: duration('60s'),
  /** One deadline over connect, headers and body. */
  DELIVERY_DEADLINE: duration('15s'),
  /** How long events, deliveries and attempts are kept. */
  DELIVERY_RETENTION_DAYS: Type.Integer({ minimum: 15, default: 90 }),
  /** How often a subscription that was paused for failing is tried again. */
  DELIVERY_PROBE_INTERVAL: duration('1h'),
  /** Failing for this long, and for at least 50 attempts, pauses a subscription. */
  DELIVERY_PAUSE_AFTER: duration('120h'),
  /** Development only: receivers on this machine, and plain HTTP. */
  DELIVERY_ALLOW_LOOPBACK: Type.Boolean({ default: false }),
  DELIVERY_ALLOW_HTTP: Type.Boolean({ default: false }),
  SHUTDOWN_GRACE: Type.Integer({ minimum: 0, default: 25_000 }),
})
export type Config = Readonly<Static<typeof Config>>
