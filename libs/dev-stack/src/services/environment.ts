import { resolve } from 'node:path'
import { serviceVariable } from '@frontdesk/database/service-databases'
import type { Credentials } from './credentials.ts'

/** Where bootstrap, and `npm run docs`, build the documentation site. */
const docsFolder = resolve(import.meta.dirname, '../../../../node_modules/.cache/frontdesk/site')

/** Addresses that services are told. */
export interface ServiceAddresses {
  /** Ports on loopback, by part. */
  ports: Record<string, number>
  natsUrl: string
  /** By service, for the services that have a database. */
  databaseUrls: Record<string, string>
  /** By service: the files with the passwords that are not in those URLs. */
  passwordFiles?: Record<string, string | undefined>
}

export function serviceUrl(addresses: ServiceAddresses, service: string): string {
  return `http://127.0.0.1:${addresses.ports[service]}`
}

/** Returns the environment variables that a deployment would set for a service. They name no other service's database. */
export function serviceEnvironment(
  service: string,
  addresses: ServiceAddresses,
  credentials: Credentials,
): Record<string, string> {
  const publicUrl = serviceUrl(addresses, 'gateway')
  const databaseUrl = addresses.databaseUrls[service]
  const passwordFile = addresses.passwordFiles?.[service]
  const shared = {
    FRONTDESK_MODE: 'development',
    HOST: '127.0.0.1',
    PORT: String(addresses.ports[service]),
    PUBLIC_URL: publicUrl,
    // Sandbox-provider has no user, and no use for one.
    ...(service === 'sandbox-provider' ? {} : credentials.bus.settings(addresses.natsUrl, service)),
    ...credentials.internalKeys(service),
    ENCRYPTION_KEYS_FILE: credentials.encryptionKeysFile(service),
    ...(databaseUrl === undefined ? {} : { [serviceVariable(service, 'DATABASE_URL')]: databaseUrl }),
    ...(passwordFile === undefined ? {} : { [serviceVariable(service, 'DATABASE_PASSWORD_FILE')]: passwordFile }),
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
        DOCS_FOLDER: docsFolder,
      }
    case 'accounts':
      // The software of a practice that is being developed is on loopback, without TLS.
      return { ...shared, ...provider, RETURN_URL_ALLOW_HTTP: 'true' }
    case 'payments':
      return { ...shared, ...provider }
    case 'webhook-delivery':
      // On a development machine subscribers listen on loopback, without TLS.
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
