import { createServer } from 'node:http'
import { freePort, type ServerProcess } from '@frontdesk/dev-stack/processes'
import {
  type Credentials,
  openCredentials,
  type ServiceAddresses,
  serviceEnvironment,
  serviceUrl,
  startService,
} from '@frontdesk/dev-stack/services'
import { provisionEvents } from '@frontdesk/events'
import pg from 'pg'
import { openProviderProxy, type ProviderProxy } from './provider-proxy.ts'
import { throwAwayDatabase, type ThrowAwayDatabase } from './throw-away-database.ts'
import { throwAwayFolder } from './throw-away-folder.ts'
import { throwAwayNats, type ThrowAwayNats } from './throw-away-nats.ts'

const services = ['gateway', 'registry', 'accounts', 'payments', 'webhook-delivery', 'sandbox-provider']

/** A webhook of the sandbox that has reached the gateway's address. */
export interface SandboxWebhook {
  for: 'payments' | 'accounts'
  /** The provider's event type. */
  type: string
  signature: string
  body: Buffer
}

/**
 * Fixture of the tests of accounts and payments: databases, NATS with its streams, keys, the sandbox provider as a child
 * process, and a server at the gateway's address that receives its webhooks. The test starts its service itself, in its
 * own process or as a child process.
 */
export interface ProviderFixture extends AsyncDisposable {
  readonly nats: ThrowAwayNats
  readonly credentials: Credentials
  /** Base URL of a service, running or not. */
  url(service: string): string
  /** URL of a service's database, as the administrator of Postgres. */
  databaseUrl(service: string): string
  /** All environment variables of a service. */
  env(service: string): Record<string, string>
  /** Starts a service as a child process, which ends with the fixture at the latest. */
  spawn(service: string, env?: Record<string, string>): Promise<ServerProcess>
  /** The sandbox's control API: `checkouts/{PaymentId}/pay`, `accounts/{externalAccountId}/complete`, `faults` with a body. */
  control(path: string, body?: object): Promise<void>
  /** Identifiers of all checkouts that the sandbox has created for a payment, including those unknown to us. */
  checkoutsOf(recordId: string): Promise<string[]>
  /** The network between the services and the sandbox. */
  readonly network: ProviderProxy
  /** All webhooks of the sandbox, in order of arrival. */
  readonly webhooks: readonly SandboxWebhook[]
  /** Sets the function that returns the status for a webhook. Default: 503, so that the sandbox sends it again. */
  onWebhook(answer: (webhook: SandboxWebhook) => Promise<number>): void
}

export async function openProviderFixture(): Promise<ProviderFixture> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await throwAwayFolder())
  const credentials = openCredentials(folder.path, services)
  const nats = opened.use(await throwAwayNats(credentials.bus))
  await provisionEvents(nats.settings('provisioner'))
  const databases: Record<string, ThrowAwayDatabase> = {}
  const databaseUrls: Record<string, string> = {}
  for (const service of ['accounts', 'payments', 'sandbox-provider']) {
    databases[service] = opened.use(await throwAwayDatabase(service))
    databaseUrls[service] = databases[service].runtimeUrl
  }
  const ports = Object.fromEntries(await Promise.all(services.map(async (service) => [service, await freePort()])))
  const addresses: ServiceAddresses = { ports, natsUrl: nats.url, databaseUrls }

  const webhooks: SandboxWebhook[] = []
  let answer: (webhook: SandboxWebhook) => Promise<number> = async () => 503
  opened.defer(
    await receiveWebhooks(addresses.ports['gateway'] ?? 0, async (webhook) => {
      webhooks.push(webhook)
      return answer(webhook)
    }),
  )

  const processes = opened.use(new AsyncDisposableStack())
  const networkPort = await freePort()
  const env = (service: string): Record<string, string> => ({
    ...serviceEnvironment(service, addresses, credentials),
    SANDBOX_PROVIDER_URL: `http://127.0.0.1:${networkPort}`,
  })

  async function spawn(service: string, more: Record<string, string> = {}): Promise<ServerProcess> {
    const server = await startService({
      service,
      env: {
        ...env(service),
        ...more,
        LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'info',
      },
      onLine: (line) => void (process.env['TEST_LOG_LEVEL'] && console.log(`${service} ${line}`)),
      onSpawn: (pid) => folder.record(`${service}-${pid}`, pid),
      signal: new AbortController().signal,
    })
    processes.defer(() => server.stop())
    return server
  }

  await spawn('sandbox-provider')
  const record = new pg.Pool({ connectionString: databases['sandbox-provider']?.url })
  opened.defer(() => record.end())
  const network = opened.use(await openProviderProxy(serviceUrl(addresses, 'sandbox-provider'), networkPort))
  const fixture: ProviderFixture = {
    nats,
    credentials,
    url: (service) => serviceUrl(addresses, service),
    databaseUrl: (service) => databases[service]?.url ?? '',
    env,
    spawn,
    async control(path, body) {
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const url = `${serviceUrl(addresses, 'sandbox-provider')}/_control/${path}`
      const reply = await fetch(url, { method: 'POST', ...(body !== undefined && json) })
      if (reply.status !== 204) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    },
    async checkoutsOf(recordId) {
      const result = await record.query<{ id: string }>(
        'select id from checkout_sessions where client_reference_id = $1',
        [recordId],
      )
      return result.rows.map((row) => row.id)
    },
    network,
    webhooks,
    onWebhook: (next) => void (answer = next),
    async [Symbol.asyncDispose]() {
      await owned.disposeAsync()
    },
  }
  const owned = opened.move()
  return fixture
}

/** Serves the gateway's webhook paths. Returns a function that closes the server. */
async function receiveWebhooks(
  port: number,
  answer: (webhook: SandboxWebhook) => Promise<number>,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const webhook: SandboxWebhook = {
        for: request.url?.endsWith('/accounts') ? 'accounts' : 'payments',
        type: String((JSON.parse(body.toString('utf8')) as { type?: string }).type),
        signature: String(request.headers['stripe-signature']),
        body,
      }
      void answer(webhook)
        .catch(() => 500)
        .then((status) => response.writeHead(status).end())
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
