import { providerSettings } from '@frontdesk/providers'
import { Type, type Static } from 'typebox'

/** The environment of this service. */
export const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 0 }),
  PAYMENTS_DATABASE_URL: Type.String(),
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 1, default: 10 }),
  NATS_URL: Type.String(),
  /** The gateway's address as clients see it: landing page, event sources. */
  PUBLIC_URL: Type.String({ pattern: '^https?://[^/]+$' }),
  ACCOUNTS_URL: Type.String(),
  INTERNAL_KEY_FILE: Type.String(),
  INTERNAL_JWKS_FILE: Type.String(),
  ENCRYPTION_KEYS_FILE: Type.String(),
  /** Waits from a payment's creation to each of its first checks; see payment/schedule.ts. */
  PAYMENTS_CHECK_SCHEDULE: Type.String({ default: '1m,5m,15m,1h,6h' }),
  ...providerSettings,
})
export type Config = Readonly<Static<typeof Config>>
