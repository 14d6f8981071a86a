import { join } from 'node:path'
import { hasDatabase, serviceNames, serviceVariable, withDatabase } from './service-databases.ts'
import type { Addresses } from './environment.ts'
import { choosePorts } from './ports.ts'

/** Parts besides the services that listen on a port. */
const OTHER_PORTS = ['gateway-metrics', 'nats', 'postgres'] as const

/**
 * Decides where everything is: NATS and databases where `NATS_URL` and `*_DATABASE_URL` say, the rest on loopback.
 *
 * @param home the state folder
 * @param ports those that must be used, by part
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

/** Whether a NATS server of our own is needed. */
export function needsNats(): boolean {
  return process.env['NATS_URL'] === undefined
}

/** Whether a Postgres of our own is needed. */
export function needsPostgres(services: readonly string[]): boolean {
  return services.some((service) => hasDatabase(service) && givenDatabase(service) === undefined)
}

function givenDatabase(service: string): string | undefined {
  return process.env[serviceVariable(service, 'DATABASE_URL')]
}
