import { natsSettings } from '@frontdesk/events'
import { providerSettings } from '@frontdesk/providers'
import { processSettings, schedule } from '@frontdesk/service/process'
import { internalTlsSettings } from '@frontdesk/service/tls'
import { Type, type Static } from 'typebox'

/** The environment of this service. */
export const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 0 }),
  PAYMENTS_DATABASE_URL: Type.String(),
  /** Postgres itself, if the address above is a pooler's: for locks and migrations. */
  PAYMENTS_DIRECT_DATABASE_URL: Type.Optional(Type.String()),
  /** The password of both addresses, if they have none. Read again for each new connection. */
  PAYMENTS_DATABASE_PASSWORD_FILE: Type.Optional(Type.String()),
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 1, default: 10 }),
  ...natsSettings,
  /** The gateway's address as clients see it: landing page, event sources. */
  PUBLIC_URL: Type.String({ pattern: '^https?://[^/]+$' }),
  ACCOUNTS_URL: Type.String(),
  INTERNAL_KEY_FILE: Type.String(),
  INTERNAL_JWKS_FILE: Type.String(),
  ENCRYPTION_KEYS_FILE: Type.String(),
  /** Waits from a payment's creation to each of its first checks; see payment/schedule.ts. */
  PAYMENTS_CHECK_SCHEDULE: schedule('1m,5m,15m,1h,6h'),
  /** The part of each provider's rate limit that this service may use, in percent; accounts has the rest. */
  PROVIDER_CALLS_PERCENT: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 85 }),
  ...processSettings,
  ...internalTlsSettings,
  ...providerSettings,
})
export type Config = Readonly<Static<typeof Config>>
