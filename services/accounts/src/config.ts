import { providerSettings } from '@frontdesk/providers'
import { Type } from 'typebox'

/** The environment of this service. */
export const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 0 }),
  ACCOUNTS_DATABASE_URL: Type.String(),
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 1, default: 10 }),
  NATS_URL: Type.String(),
  /** The gateway's base URL as clients see it, for onboarding links and the `source` of events. */
  PUBLIC_URL: Type.String({ pattern: '^https?://[^/]+$' }),
  PAYMENTS_URL: Type.String(),
  INTERNAL_KEY_FILE: Type.String(),
  INTERNAL_JWKS_FILE: Type.String(),
  ENCRYPTION_KEYS_FILE: Type.String(),
  ...providerSettings,
})
