import { createServer } from 'node:http'
import pg from 'pg'
import {
  type Credentials,
  openCredentials,
  type Addresses,
  serviceEnvironment,
  serviceUrl,
  provisionEvents,
  startService,
  freePort,
  type ServerProcess,
} from '@frontdesk/dev-stack'
import { throwAwayNats, type ThrowAwayNats } from './throw-away-nats.ts'
import { throwAwayDatabase } from './throw-away-database.ts'
import { openProviderProxy, type ProviderProxy } from './provider-proxy.ts'
import { throwAwayFolder } from './throw-away-folder.ts'

const services = ['gateway', 'registry', 'accounts', 'payments', 'webhook-delivery', 'sandbox-provider']

/** A webhook of the sandbox as it reached the gateway's address. */
export interface SandboxWebhook {
  for: 'payments' | 'accounts'
  /** The provider's event type. */
  type: string
  signature: string
  body: Buffer
}

/**
 * What tests of accounts and payments stand on: databases, NATS with its streams, keys, the sandbox provider as a process
 * of its own, and the address of a gateway at which its webhooks arrive. Services are started on top, in the test's
 * process or as their own.
 */
export interface ProviderFixture extends AsyncDisposable {
  readonly nats: ThrowAwayNats
  readonly credentials: Credentials
  /** The base URL at which a service is to listen. */
  url(service: string): string
  /** A service's whole environment. */
  env(service: string): Record<string, string>
  /** Starts a service as a process of its own; it is stopped with the bench at the latest. */
  spawn(service: string, env?: Record<string, string>): Promise<ServerProcess>
  /** The sandbox's control API: `checkouts/{PaymentId}/pay`, `accounts/{externalAccountId}/complete`. */
  control(path: string): Promise<void>
  /** Identifiers of the checkouts that the sandbox has made for a payment, whether or not we have heard of them. */
  checkoutsOf(recordId: string): Promise<string[]>
  /** The network between the services and the sandbox. */
  readonly network: ProviderProxy
  /** Every webhook of the sandbox, in the order of arrival. */
  readonly webhooks: readonly SandboxWebhook[]
  /** Answers webhooks with the status that this returns; until then with 503, so that they come again. */
  onWebhook(answer: (webhook: SandboxWebhook) => Promise<number>): void
}

/** Opens a bench; dispose of it. */
export async function openProviderFixture(): Promise<ProviderFixture> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await throwAwayFolder())
  const credentials = openCredentials(folder.path, services)
  const nats = opened.use(await throwAwayNats())
  await provisionEvents(nats.url)
  const databaseUrls: Record<string, string> = {}
  for (const service of ['accounts', 'payments', 'sandbox-provider']) {
    databaseUrls[service] = opened.use(await throwAwayDatabase(service)).url
  }
  const ports = Object.fromEntries(await Promise.all(services.map(async (service) => [service, await freePort()])))
  const addresses: Addresses = {
    services,
    ports,
    natsUrl: nats.url,
    natsStoreDir: '',
    postgresUrl: '',
    postgresDataDir: '',
    databaseUrls,
  }

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
  const record = new pg.Pool({ connectionString: databaseUrls['sandbox-provider'] })
  opened.defer(() => record.end())
  const network = opened.use(await openProviderProxy(serviceUrl(addresses, 'sandbox-provider'), networkPort))
  const bench: ProviderFixture = {
    nats,
    credentials,
    url: (service) => serviceUrl(addresses, service),
    env,
    spawn,
    async control(path) {
      const reply = await fetch(`${serviceUrl(addresses, 'sandbox-provider')}/_control/${path}`, { method: 'POST' })
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
  return bench
}

/** The gateway's address for providers: takes the raw bytes. Returns how to close it. */
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
