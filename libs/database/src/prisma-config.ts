import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'

/**
 * What a service's `prisma.config.ts` exports: the schema and migrations beside it, the database from the service's own
 * environment variable, and the schema engine that comes from npm.
 *
 * The Prisma CLI reads this file before it looks for its engine, so that plain `prisma generate` or `prisma migrate
 * deploy` works in a service's folder with nothing downloaded. Whoever has a native engine names it in
 * `PRISMA_SCHEMA_ENGINE_BINARY`.
 *
 * @param urlVariable name of the environment variable with the service's database URL; only `migrate` commands need it
 */
export function prismaConfig(urlVariable: string): ReturnType<typeof defineConfig> {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= fileURLToPath(new URL('./schema-engine.mjs', import.meta.url))
  // The CLI otherwise asks Prisma's servers for a newer version of itself.
  process.env['CHECKPOINT_DISABLE'] ??= '1'
  return defineConfig({
    schema: 'prisma/schema.prisma',
    migrations: { path: 'prisma/migrations' },
    datasource: { url: process.env[urlVariable] ?? '' },
  })
}
