import { natsSettings } from '@frontdesk/events'
import { duration, processSettings, schedule } from '@frontdesk/service/process'
import { internalTlsSettings } from '@frontdesk/service/tls'
import { Type, type Static } from 'typebox'
import { portsPattern } from './guard/targets.ts'

/** The environment of this service. Durations are like `500ms`, `5s`, `30m`, `2h`. */
export const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 0 }),
  WEBHOOK_DELIVERY_DATABASE_URL: Type.String(),
  /** Postgres itself, if the address above is a pooler's: for locks and migrations. */
  WEBHOOK_DELIVERY_DIRECT_DATABASE_URL: Type.Optional(Type.String()),
  /** The password of both addresses, if they have none. Read again for each new connection. */
  WEBHOOK_DELIVERY_DATABASE_PASSWORD_FILE: Type.Optional(Type.String()),
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 1, default: 6 }),
  /** Connections of the engine: intake, claims, recording, leases. */
  DELIVERY_POOL_SIZE: Type.Integer({ minimum: 3, default: 8 }),
  ...natsSettings,
  /** The gateway's address as clients see it: sources and schemas of our events. */
  PUBLIC_URL: Type.String({ pattern: '^https?://[^/]+$' }),
  INTERNAL_KEY_FILE: Type.String(),
  INTERNAL_JWKS_FILE: Type.String(),
  ENCRYPTION_KEYS_FILE: Type.String(),
  /** The waits after each failed attempt; the first attempt is always at once. */
  DELIVERY_RETRY_SCHEDULE: schedule('5s,5m,30m,2h,5h,10h,14h,20h,24h'),
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
  /** How much each client may publish on a day (UTC): its share of the stream EVT_EXTERNAL, which is sized for it. */
  EXTERNAL_EVENTS_BYTES_PER_DAY: Type.Integer({ minimum: 1, default: 64 * 1024 * 1024 }),
  /** Development only: receivers on this machine, and plain HTTP. */
  DELIVERY_ALLOW_LOOPBACK: Type.Boolean({ default: false }),
  DELIVERY_ALLOW_HTTP: Type.Boolean({ default: false }),
  /** The ports that deliveries may go to, such as `443,8000-8999`; with `DELIVERY_ALLOW_HTTP` 80 too. */
  DELIVERY_PORTS: Type.String({ default: '443', pattern: portsPattern }),
  /** Hosts (with their subdomains), addresses and CIDR ranges that deliveries may reach though the guard closes them. */
  DELIVERY_OPENED_TARGETS: Type.Optional(Type.String()),
  /** The same that deliveries may not reach, whatever else is said. */
  DELIVERY_CLOSED_TARGETS: Type.Optional(Type.String()),
  /** A proxy that all deliveries go through by CONNECT: `http://[user:password@]host:port`. The guard checks before it. */
  DELIVERY_PROXY_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  ...processSettings,
  ...internalTlsSettings,
})
export type Config = Readonly<Static<typeof Config>>
