import { join } from 'node:path'
import { hasDatabase, serviceNames, serviceVariable, withDatabase } from '@frontdesk/database/service-databases'
import { choosePorts } from './ports.ts'
import type { ServiceAddresses } from './services/environment.ts'

/** Addresses of all parts of the dev stack. */
export interface Addresses extends ServiceAddresses {
  services: readonly string[]
  natsStoreDir: string
  /** Maintenance database of our own Postgres. */
  postgresUrl: string
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
  const databaseUrl = (service: string): string =>
    givenDatabase(service) ?? withDatabase(postgresUrl, service.replaceAll('-', '_'))
  return {
    services,
    ports: chosen,
    natsUrl: process.env['NATS_URL'] ?? `nats://127.0.0.1:${chosen.nats}`,
    natsStoreDir: join(home, 'nats'),
    postgresUrl,
    postgresDataDir: join(home, 'postgres'),
    databaseUrls: Object.fromEntries(services.filter(hasDatabase).map((service) => [service, databaseUrl(service)])),
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
