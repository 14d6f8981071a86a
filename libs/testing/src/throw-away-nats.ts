import { freePort } from '@frontdesk/dev-stack/processes'
import { join } from 'node:path'
import { type Nats, startNats } from '@frontdesk/dev-stack/servers'
import { openBusCredentials, type BusCredentials, type BusLogin } from '@frontdesk/events'
import { startNatsContainer, wantsContainers } from './containers.ts'
import { throwAwayFolder } from './throw-away-folder.ts'

/** A nats-server for one test, which may stop, kill and restart it. */
export interface ThrowAwayNats extends AsyncDisposable {
  url: string
  /** Returns the settings with which a user connects; without a name, those of the administrator, who may do everything. */
  settings(user?: string): BusLogin
  /** The server's files, which a test may copy and put back while it is stopped. Undefined in a container. */
  storeDir: string | undefined
  /** Stops the server and keeps its store. Default: SIGTERM; SIGKILL is a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts the server again with the same address and store. */
  start(): Promise<void>
}

/**
 * Starts a nats-server with an empty store and the users of the table, by their own keys or those of `credentials`. Disposing of
 * it stops the server and removes the store.
 */
export async function throwAwayNats(credentials?: BusCredentials): Promise<ThrowAwayNats> {
  return wantsContainers() ? await containerNats(credentials) : await processNats(credentials)
}

/**
 * Starts nats-servers as processes, which form a cluster if there are several. Its address has all of them, separated by commas.
 * `maxFileStore` is how much their streams may reserve, as nats-server writes sizes.
 */
export async function throwAwayNatsServers(
  count: 1 | 3,
  maxFileStore: string,
): Promise<Pick<ThrowAwayNats, 'url' | 'settings'> & AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await throwAwayFolder())
  const credentials = openBusCredentials(join(folder.path, 'keys'))
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
  const routePorts = await Promise.all(ports.map(() => freePort()))
  const routes = routePorts.map((port) => `nats://127.0.0.1:${port}`).join(', ')
  const inCluster = (index: number) => [
    `server_name: n${index}`,
    `cluster { name: test, host: "127.0.0.1", port: ${routePorts[index]}, routes: [${routes}] }`,
  ]
  const starts = ports.map(async (port, index) => {
    const name = `nats-${index}`
    opened.use(
      await startNats({
        storeDir: `${folder.path}/${name}`,
        port,
        users: credentials.serverConfig,
        maxFileStore,
        config: count === 1 ? [] : inCluster(index),
        onSpawn: (pid) => folder.record(name, pid),
      }),
    )
  })
  await Promise.all(starts)
  const owned = opened.move()
  const url = ports.map((port) => `nats://127.0.0.1:${port}`).join(',')
  return {
    url,
    settings: (user = 'administrator') => credentials.settings(url, user),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function processNats(given: BusCredentials | undefined): Promise<ThrowAwayNats> {
  const folder = await throwAwayFolder()
  const credentials = given ?? openBusCredentials(join(folder.path, 'keys'))
  const port = await freePort()
  let running: Nats | undefined

  const start = async (): Promise<void> => {
    running = await startNats({
      storeDir: `${folder.path}/nats`,
      port,
      users: credentials.serverConfig,
      onSpawn: (pid) => folder.record('nats', pid),
    })
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    running?.kill(signal)
    await running?.exited
    running = undefined
  }
  await start()
  const url = `nats://127.0.0.1:${port}`
  return {
    url,
    settings: (user = 'administrator') => credentials.settings(url, user),
    storeDir: `${folder.path}/nats`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function containerNats(given: BusCredentials | undefined): Promise<ThrowAwayNats> {
  const folder = await throwAwayFolder()
  const credentials = given ?? openBusCredentials(join(folder.path, 'keys'))
  const container = await startNatsContainer(await freePort(), credentials)
  return {
    url: container.url,
    settings: (user = 'administrator') => credentials.settings(container.url, user),
    storeDir: undefined,
    start: container.start,
    stop: (signal = 'SIGTERM') => container.kill(signal),
    async [Symbol.asyncDispose]() {
      await container.remove()
      await folder[Symbol.asyncDispose]()
    },
  }
}
