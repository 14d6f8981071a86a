import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BusLogin } from '@frontdesk/events'
import type { Addresses } from './addresses.ts'
import type { Databases } from './databases.ts'
import type { Credentials, DevelopmentClient } from './services/credentials.ts'
import { serviceUrl } from './services/environment.ts'

/** Content of `.frontdesk/dev.json`, which describes the running dev stack. */
export interface DevFile {
  gateway: string
  /** Where the gateway serves its metrics; the other services do at their own address. */
  gatewayMetrics: string
  sandbox: string
  clients: readonly DevelopmentClient[]
  /** `administrator` may do everything with NATS. Process and folder are absent if `NATS_URL` or `*_DATABASE_URL` name another server. */
  nats: { url: string; provisioner: BusLogin; administrator: BusLogin; pid?: number; storeDir?: string }
  postgres: { url: string; pid?: number; dataDir?: string }
  services: Record<string, DevService>
}

interface DevService {
  url: string
  pid: number
  /** Its database as the administrator of Postgres, for people and tests. */
  databaseUrl?: string
  /** Its database as the service logs in. */
  login?: { url: string; passwordFile?: string }
}

export function describeDevStack(
  addresses: Addresses,
  databases: Databases,
  credentials: Credentials,
  pids: Readonly<Record<string, number>>,
): DevFile {
  return {
    gateway: serviceUrl(addresses, 'gateway'),
    gatewayMetrics: serviceUrl(addresses, 'gateway-metrics'),
    sandbox: serviceUrl(addresses, 'sandbox-provider'),
    clients: credentials.clients,
    nats: {
      url: addresses.natsUrl,
      provisioner: credentials.bus.settings(addresses.natsUrl, 'provisioner'),
      administrator: credentials.bus.settings(addresses.natsUrl, 'administrator'),
      ...(pids['nats'] === undefined ? {} : { pid: pids['nats'], storeDir: addresses.natsStoreDir }),
    },
    postgres: {
      url: databases.postgresUrl,
      ...(pids['postgres'] === undefined ? {} : { pid: pids['postgres'], dataDir: addresses.postgresDataDir }),
    },
    services: Object.fromEntries(
      addresses.services.map((service) => {
        const entry = { url: serviceUrl(addresses, service), pid: pids[service] ?? 0 }
        const url = addresses.databaseUrls[service]
        const databaseUrl = databases.byService[service]?.administratorUrl
        if (url === undefined || databaseUrl === undefined) return [service, entry]
        const passwordFile = addresses.passwordFiles[service]
        const login = passwordFile === undefined ? { url } : { url, passwordFile }
        return [service, { ...entry, databaseUrl, login }]
      }),
    ),
  }
}

function devFilePath(home: string): string {
  return join(home, 'dev.json')
}

/** Replaces the file in one step, so that a reader never sees half of it. */
export function writeDevFile(home: string, content: DevFile): void {
  const file = devFilePath(home)
  writeFileSync(`${file}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export function removeDevFile(home: string): void {
  rmSync(devFilePath(home), { force: true })
}
