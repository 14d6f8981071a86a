import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'
import { migrationUrl, withPassword } from './login.ts'

/**
 * Returns the Prisma configuration of a service: the schema and migrations in its `prisma` folder, the database that
 * `urlVariable` names, and the schema engine that comes from npm.
 *
 * The Prisma CLI loads the configuration before it looks for its engine. So plain `prisma generate` and `prisma migrate
 * deploy` work in a service's folder and download nothing. `PRISMA_SCHEMA_ENGINE_BINARY` may name a native engine.
 *
 * @param urlVariable environment variable with the service's database URL, such as `PAYMENTS_DATABASE_URL`. The variables
 *   `PAYMENTS_OWNER_DATABASE_URL` and `PAYMENTS_DIRECT_DATABASE_URL` go before it. Only `migrate` commands need one of them.
 */
export function prismaConfig(urlVariable: string): ReturnType<typeof defineConfig> {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= fileURLToPath(new URL('./schema-engine.mjs', import.meta.url))
  // Without it the CLI asks Prisma's servers for a newer version of itself.
  process.env['CHECKPOINT_DISABLE'] ??= '1'
  const url = migrationUrl(urlVariable.replace(/_DATABASE_URL$/, ''), process.env)
  return defineConfig({
    schema: 'prisma/schema.prisma',
    migrations: { path: 'prisma/migrations' },
    datasource: { url: url === undefined ? '' : withPassword(url) },
  })
}
