import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolesOf } from '@frontdesk/database/roles'
import { hasDatabase, serviceNames, serviceVariable } from '@frontdesk/database/service-databases'
import { freePort } from '@frontdesk/dev-stack/processes'
import { runningEnvironment } from '@frontdesk/dev-stack/services'
import { openTcpProxy, type TcpProxy } from '@frontdesk/testing/tcp-proxy'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { openPractice, type Practice } from '../system/practice.ts'
import { secretsOf } from '../system/secrets.ts'
import { startSystem, type StartedSystem } from '../system/start-system.ts'
import { firstReplica, startReplica, type Replica } from './replica.ts'

/** The services that a gateway calls, and the gateway. */
export const services = ['gateway', 'registry', 'accounts', 'payments', 'webhook-delivery'] as const
export type Service = (typeof services)[number]

/** The network between the parts: every connection goes through one of these proxies. */
export interface Network {
  /** In front of each service, as a Kubernetes Service. */
  balancers: Readonly<Record<Service, TcpProxy>>
  /** Between each service and its database. */
  databases: Readonly<Record<string, TcpProxy>>
  /** Between all services and NATS. */
  nats: TcpProxy
}

/** A running system with a network that can fail, practices, and a log of every line that a service has printed. */
export interface Environment extends AsyncDisposable {
  system: StartedSystem
  network: Network
  practices: Practice[]
  /** The replicas that the dev stack runs. */
  replicas: Readonly<Record<Service, Replica>>
  /** Starts a second replica of a service and adds it to the service's balancer. Stop it by disposing of it. */
  addReplica(service: Service): Promise<Replica & AsyncDisposable>
  openPractices(count: number): Promise<void>
  /** Returns the environment of a service, for commands that run with it. */
  variables(service: string): Record<string, string>
  logFile: string
  /** Returns every secret that the system has, with the name of each. */
  secrets(): Map<string, string>
}

export interface EnvironmentSettings {
  /** Further environment variables, by service. */
  env?: Record<string, Record<string, string>>
  /** Prepares the folder of the state before anything is there; returns how to undo it. */
  prepareHome?: (home: string) => Promise<() => Promise<void>>
  /** Practices to open. Default 3. */
  practices?: number
}

/** Settings under which recovery takes seconds. Everything else is as in production. */
const quickRecovery: Record<string, Record<string, string>> = {
  // On a busy machine the gateway would shed load that is no overload.
  gateway: { MAX_EVENT_LOOP_DELAY: '60s' },
  payments: { PAYMENTS_CHECK_SCHEDULE: '6s,10s,14s,18s,24s,30s,60s,5m' },
  'webhook-delivery': {
    DELIVERY_RETRY_SCHEDULE: '500ms,1s,2s,3s,4s,4s,4s,5s,10s,30s,60s',
    DELIVERY_LEASE: '8s',
    DELIVERY_DEADLINE: '3s',
  },
}

/** Starts a system of our own, every part behind a proxy, and opens its practices. */
export async function openEnvironment(settings: EnvironmentSettings = {}): Promise<Environment> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await throwAwayFolder())
  const home = join(folder.path, 'state')
  const logFile = join(folder.path, 'services.log')
  if (settings.prepareHome) opened.defer(await settings.prepareHome(home))
  // Before ports are chosen, as a proxy could take one of them.
  const network = await openNetwork(opened)
  const ports = await choosePorts()
  connectNetwork(network, ports)
  const env = variablesBehind(network, settings.env ?? {})
  const onLine = (part: string, line: string) => appendFileSync(logFile, `${part} ${line}\n`)
  const gateway = addressOf(network.balancers.gateway)
  const system = opened.use(await startSystem({ home, ports, env, gateway, onLine, as: 'bench' }))
  const { devStack } = system
  const replicas = Object.fromEntries(services.map((service) => [service, firstReplica(devStack, service)])) as Record<
    Service,
    Replica
  >
  for (const service of services) network.balancers[service].add(replicas[service].port)
  // A scenario that hangs may end while they start.
  const starts: Promise<Replica & AsyncDisposable>[] = []
  opened.defer(async () => {
    for (const start of await Promise.allSettled(starts))
      if (start.status === 'fulfilled') await start.value[Symbol.asyncDispose]()
  })
  const practices: Practice[] = []
  // Practices may also be opened later, when the resources have moved to their last owner.
  let owner: AsyncDisposableStack = opened

  async function openPractices(count: number): Promise<void> {
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    const fresh = await Promise.all(numbers.map((number) => openPractice(system, `Chaos ${number}`)))
    for (const practice of fresh) practices.push(owner.use(practice))
  }
  await openPractices(settings.practices ?? 3)
  const owned = (owner = opened.move())
  return {
    system,
    network,
    practices,
    replicas,
    openPractices,
    variables: (service) => ({ ...runningEnvironment(service, devStack), ...env[service] }),
    logFile,
    secrets: () => secretsOf(home, practices),
    async addReplica(service) {
      const starting = startReplica(service, { devStack, env: env[service] ?? {}, onLine })
      starts.push(starting)
      const replica = await starting
      network.balancers[service].add(replica.port)
      return {
        ...replica,
        get pid() {
          return replica.pid
        },
        async [Symbol.asyncDispose]() {
          network.balancers[service].remove(replica.port)
          await replica[Symbol.asyncDispose]()
        },
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function choosePorts(): Promise<Record<string, number>> {
  const ports: Record<string, number> = {}
  for (const part of [...serviceNames(), 'nats', 'postgres', 'gateway-metrics']) {
    do ports[part] = await freePort()
    while (new Set(Object.values(ports)).size < Object.keys(ports).length)
  }
  return ports
}

const addressOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}`

/** Opens the proxies, which lead nowhere yet. */
async function openNetwork(opened: AsyncDisposableStack): Promise<Network> {
  const proxy = async () => opened.use(await openTcpProxy())
  const balancers: [string, TcpProxy][] = []
  for (const service of services) balancers.push([service, await proxy()])
  const databases: [string, TcpProxy][] = []
  for (const service of services.filter(hasDatabase)) databases.push([service, await proxy()])
  return {
    balancers: Object.fromEntries(balancers) as Record<Service, TcpProxy>,
    databases: Object.fromEntries(databases),
    nats: await proxy(),
  }
}

/** Connects the proxies to the servers. Replicas are added one by one, so that each of them can be taken away. */
function connectNetwork({ databases, nats }: Network, ports: Record<string, number>): void {
  for (const proxy of Object.values(databases)) proxy.add(ports['postgres'] ?? 0)
  nats.add(ports['nats'] ?? 0)
}

/** Returns the environment of each service in which its peers, its database and NATS are behind their proxies. */
function variablesBehind(network: Network, more: Record<string, Record<string, string>>) {
  const gateway = addressOf(network.balancers.gateway)
  const peers = services
    .filter((service) => service !== 'gateway')
    .map((service) => [serviceVariable(service, 'URL'), addressOf(network.balancers[service])])
  const shared = {
    PUBLIC_URL: gateway,
    NATS_URL: `nats://127.0.0.1:${network.nats.port}`,
    ...(Object.fromEntries(peers) as Record<string, string>),
  }
  const behind = (service: string): Record<string, string> => {
    const proxy = network.databases[service]
    const { runtime, database } = rolesOf(service)
    const login = proxy && {
      [serviceVariable(service, 'DATABASE_URL')]: `postgresql://${runtime}@127.0.0.1:${proxy.port}/${database}`,
    }
    return { ...shared, ...login, ...quickRecovery[service], ...more[service] }
  }
  return {
    ...Object.fromEntries(services.map((service) => [service, behind(service)])),
    'sandbox-provider': {
      SANDBOX_WEBHOOK_URL_PAYMENTS: `${gateway}/providers/sandbox/webhooks/payments`,
      SANDBOX_WEBHOOK_URL_ACCOUNTS: `${gateway}/providers/sandbox/webhooks/accounts`,
      ...more['sandbox-provider'],
    },
  } as Record<string, Record<string, string>>
}
