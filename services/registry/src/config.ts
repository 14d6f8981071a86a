import { readConfig } from '@frontdesk/service/process'
import { Type, type Static } from 'typebox'

const Config = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  /** 0: any free one. */
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 0 }),
  REGISTRY_DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://' }),
  /** Connections of this copy at most. */
  REGISTRY_DATABASE_POOL: Type.Integer({ minimum: 1, maximum: 200, default: 10 }),
  NATS_URL: Type.String({ minLength: 1 }),
  /** The gateway's base URL, as clients see it: it makes the `source` of events absolute. */
  PUBLIC_URL: Type.String({ pattern: '^https?://.*[^/]$' }),
  INTERNAL_JWKS_FILE: Type.String({ minLength: 1 }),
  ENCRYPTION_KEYS_FILE: Type.String({ minLength: 1 }),
  /** Additions to the catalogue of practice management systems, and changes to its entries. */
  PMS_CATALOG_FILE: Type.Optional(Type.String({ minLength: 1 })),
})
export type Config = Readonly<Static<typeof Config>>

/** Reads the environment. Throws ConfigError with every fault at once. */
export function registryConfig(env: Record<string, string | undefined>): Config {
  return readConfig(Config, env)
}
