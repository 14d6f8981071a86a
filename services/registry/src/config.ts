import { natsSettings } from '@frontdesk/events'
import { processSettings } from '@frontdesk/service/process'
import { internalTlsSettings } from '@frontdesk/service/tls'
import { Type } from 'typebox'

/** The environment of this service. */
export const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  /** 0: any free port. */
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 0 }),
  REGISTRY_DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://' }),
  /** Postgres itself, if the address above is a pooler's: for locks and migrations. */
  REGISTRY_DIRECT_DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  /** The password of both addresses, if they have none. Read again for each new connection. */
  REGISTRY_DATABASE_PASSWORD_FILE: Type.Optional(Type.String({ minLength: 1 })),
  /** Connections of this replica at most; lists of sites have half as many besides. */
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 1, maximum: 200, default: 10 }),
  ...natsSettings,
  /** The gateway's base URL as clients see it; it makes the `source` of events absolute. */
  PUBLIC_URL: Type.String({ pattern: '^https?://.*[^/]$' }),
  /** Told at once which site key was replaced, so that what the key began ends. */
  WEBHOOK_DELIVERY_URL: Type.String({ pattern: '^https?://' }),
  INTERNAL_KEY_FILE: Type.String({ minLength: 1 }),
  INTERNAL_JWKS_FILE: Type.String({ minLength: 1 }),
  ENCRYPTION_KEYS_FILE: Type.String({ minLength: 1 }),
  /** The operator's entries for the catalogue of practice management systems: new ones and replacements. */
  PMS_CATALOG_FILE: Type.Optional(Type.String({ minLength: 1 })),
  ...processSettings,
  ...internalTlsSettings,
})
