import { serviceVariable } from './service-databases.ts'
import type { Credentials } from './credentials.ts'

/** Where the parts of a constellation are, or will be. */
export interface Addresses {
  services: readonly string[]
  /** Ports by part. */
  ports: Record<string, number>
  natsUrl: string
  natsStoreDir: string
  /** Maintenance database of our own Postgres. */
  postgresUrl: string
  postgresDataDir: string
  /** By service name, for those that have a database. */
  databaseUrls: Record<string, string>
}

export function serviceUrl(addresses: Addresses, service: string): string {
  return `http://127.0.0.1:${addresses.ports[service]}`
}

/**
 * The environment of one service in a development constellation: what a deployment sets for it, and no more. Other
 * services' database URLs are not in it.
 */
export function serviceEnvironment(
  service: string,
  addresses: Addresses,
  credentials: Credentials,
): Record<string, string> {
  const publicUrl = serviceUrl(addresses, 'gateway')
  const databaseUrl = addresses.databaseUrls[service]
  const shared = {
    HOST: '127.0.0.1',
    PORT: String(addresses.ports[service]),
    PUBLIC_URL: publicUrl,
    NATS_URL: addresses.natsUrl,
    INTERNAL_KEY_FILE: credentials.internalKeyFile(service),
    INTERNAL_JWKS_FILE: credentials.internalJwksFile,
    ENCRYPTION_KEYS_FILE: credentials.encryptionKeysFile(service),
    ...(databaseUrl === undefined ? {} : { [serviceVariable(service, 'DATABASE_URL')]: databaseUrl }),
    ...Object.fromEntries(
      ['registry', 'accounts', 'payments', 'webhook-delivery'].map((name) => [
        serviceVariable(name, 'URL'),
        serviceUrl(addresses, name),
      ]),
    ),
  }
  const provider = {
    SANDBOX_PROVIDER_URL: serviceUrl(addresses, 'sandbox-provider'),
    SANDBOX_WEBHOOK_SECRETS: credentials.sandboxWebhookSecret,
  }
  switch (service) {
    case 'gateway':
      return {
        ...shared,
        METRICS_PORT: String(addresses.ports['gateway-metrics']),
        CLIENTS_FILE: credentials.clientsFile,
        TOKEN_KEYS_FILE: credentials.tokenKeysFile,
      }
    case 'accounts':
    case 'payments':
      return { ...shared, ...provider }
    case 'webhook-delivery':
      // Subscribers of a development machine are on the same machine, without TLS.
      return { ...shared, DELIVERY_ALLOW_LOOPBACK: 'true', DELIVERY_ALLOW_HTTP: 'true' }
    case 'sandbox-provider':
      return {
        ...shared,
        PUBLIC_URL: serviceUrl(addresses, 'sandbox-provider'),
        SANDBOX_WEBHOOK_URL_PAYMENTS: `${publicUrl}/providers/sandbox/webhooks/payments`,
        SANDBOX_WEBHOOK_URL_ACCOUNTS: `${publicUrl}/providers/sandbox/webhooks/accounts`,
        SANDBOX_WEBHOOK_SECRET: credentials.sandboxWebhookSecret,
      }
    default:
      return shared
  }
}
