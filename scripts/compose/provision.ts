/**
 * The step of docker-compose.yml before the services start: creates roles and databases as the administrator of Postgres, then runs
 * `scripts/provision.ts` for each service, as a deployment does.
 *
 *   POSTGRES_URL=... POSTGRES_PASSWORD_FILE=... NATS_URL=... node scripts/compose/provision.ts
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { rolesOf } from '@frontdesk/database/roles'
import { hasDatabase, serviceNames, serviceVariable } from '@frontdesk/database/service-databases'
import { prepareServiceDatabase, roleUrl } from '@frontdesk/dev-stack/servers'

const administrator = new URL(process.env['POSTGRES_URL'] ?? '')
administrator.password = readFileSync(process.env['POSTGRES_PASSWORD_FILE'] ?? '', 'utf8')
const url = administrator.toString()
const script = join(import.meta.dirname, '..', 'provision.ts')

for (const service of serviceNames()) {
  const env = { ...process.env }
  if (hasDatabase(service)) {
    const { owner, database } = rolesOf(service)
    await prepareServiceDatabase(service, url)
    env[serviceVariable(service, 'OWNER_DATABASE_URL')] = roleUrl(url, owner, database)
  }
  const { status } = spawnSync(process.execPath, [script, service], { env, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
