import { join } from 'node:path'
import { rolesOf } from '@frontdesk/database/roles'
import { hasDatabase, serviceNames, serviceVariable } from '@frontdesk/database/service-databases'
import { givenPasswordFile, passwordFile } from './databases.ts'
import { choosePorts } from './ports.ts'
import type { ServiceAddresses } from './services/environment.ts'

/** Addresses of all parts of the dev stack. */
export interface Addresses extends ServiceAddresses {
  passwordFiles: Record<string, string | undefined>
  services: readonly string[]
  natsStoreDir: string
  /** Maintenance database of our own Postgres, without the administrator's password. */
  postgresUrl: string
  /** Services whose database `*_DATABASE_URL` names: its roles are its administrator's business. */
  givenDatabases: readonly string[]
  postgresDataDir: string
}

/** Ports other than those of the services. */
const OTHER_PORTS = ['gateway-metrics', 'nats', 'postgres'] as const

/**
 * Chooses an address for every part: `NATS_URL` and `*_DATABASE_URL` if they are set, else a port on loopback.
 *
 * @param home the state folder
 * @param ports required ports, by part
 * @throws PortTakenError
 */
export async function chooseAddresses(home: string, ports: Record<string, number>): Promise<Addresses> {
  const services = serviceNames()
  const chosen = await choosePorts(home, [...services, ...OTHER_PORTS], ports)
  const postgresUrl = `postgresql://postgres@127.0.0.1:${chosen.postgres}/postgres`
  const databaseUrl = (service: string): string => {
    const { runtime, database } = rolesOf(service)
    return givenDatabase(service) ?? `postgresql://${runtime}@127.0.0.1:${chosen.postgres}/${database}`
  }
  const passwordFileOf = (service: string): string | undefined =>
    givenDatabase(service) === undefined ? passwordFile(home, service) : givenPasswordFile(service)
  const withDatabases = services.filter(hasDatabase)
  return {
    services,
    ports: chosen,
    natsUrl: process.env['NATS_URL'] ?? `nats://127.0.0.1:${chosen.nats}`,
    natsStoreDir: join(home, 'nats'),
    postgresUrl,
    postgresDataDir: join(home, 'postgres'),
    databaseUrls: Object.fromEntries(withDatabases.map((service) => [service, databaseUrl(service)])),
    passwordFiles: Object.fromEntries(withDatabases.map((service) => [service, passwordFileOf(service)])),
    givenDatabases: withDatabases.filter((service) => givenDatabase(service) !== undefined),
  }
}

/** Whether the dev stack must start a nats-server. */
export function needsNats(): boolean {
  return process.env['NATS_URL'] === undefined
}

/** Whether the dev stack must start Postgres. */
export function needsPostgres(services: readonly string[]): boolean {
  return services.some((service) => hasDatabase(service) && givenDatabase(service) === undefined)
}

function givenDatabase(service: string): string | undefined {
  return process.env[serviceVariable(service, 'DATABASE_URL')]
}
