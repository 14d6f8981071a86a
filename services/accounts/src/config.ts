import { natsSettings } from '@frontdesk/events'
import { providerSettings } from '@frontdesk/providers'
import { processSettings } from '@frontdesk/service/process'
import { internalTlsSettings } from '@frontdesk/service/tls'
import { Type } from 'typebox'

/** The environment of this service. */
export const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 0 }),
  ACCOUNTS_DATABASE_URL: Type.String(),
  /** Postgres itself, if the address above is a pooler's: for locks and migrations. */
  ACCOUNTS_DIRECT_DATABASE_URL: Type.Optional(Type.String()),
  /** The password of both addresses, if they have none. Read again for each new connection. */
  ACCOUNTS_DATABASE_PASSWORD_FILE: Type.Optional(Type.String()),
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 1, default: 10 }),
  ...natsSettings,
  /** The gateway's base URL as clients see it, for onboarding links and the `source` of events. */
  PUBLIC_URL: Type.String({ pattern: '^https?://[^/]+$' }),
  /** Whether `returnUrl` may be an address with `http`. Only in development: a practice's browser would go there in the clear. */
  RETURN_URL_ALLOW_HTTP: Type.Boolean({ default: false }),
  PAYMENTS_URL: Type.String(),
  INTERNAL_KEY_FILE: Type.String(),
  INTERNAL_JWKS_FILE: Type.String(),
  ENCRYPTION_KEYS_FILE: Type.String(),
  /** The part of each provider's rate limit that this service may use, in percent; payments has the rest. */
  PROVIDER_CALLS_PERCENT: Type.Number({ exclusiveMinimum: 0, maximum: 100, default: 15 }),
  ...processSettings,
  ...internalTlsSettings,
  ...providerSettings,
})
