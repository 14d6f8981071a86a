import { freePort } from '@frontdesk/dev-stack/processes'
import { type Nats, startNats } from '@frontdesk/dev-stack/servers'
import { startNatsContainer, wantsContainers } from './containers.ts'
import { throwAwayFolder } from './throw-away-folder.ts'

/** A nats-server for one test, which may stop, kill and restart it. */
export interface ThrowAwayNats extends AsyncDisposable {
  url: string
  /** The server's files, which a test may copy and put back while it is stopped. Undefined in a container. */
  storeDir: string | undefined
  /** Stops the server and keeps its store. Default: SIGTERM; SIGKILL is a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts the server again with the same address and store. */
  start(): Promise<void>
}

/** Starts a nats-server with an empty store. Disposing of it stops the server and removes the store. */
export async function throwAwayNats(): Promise<ThrowAwayNats> {
  return wantsContainers() ? await containerNats() : await processNats()
}

/**
 * Starts nats-servers as processes, which form a cluster if there are several. Returns their addresses, separated by commas.
 * `maxFileStore` is how much their streams may reserve, as nats-server writes sizes.
 */
export async function throwAwayNatsServers(
  count: 1 | 3,
  maxFileStore: string,
): Promise<{ url: string } & AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await throwAwayFolder())
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
        maxFileStore,
        config: count === 1 ? [] : inCluster(index),
        onSpawn: (pid) => folder.record(name, pid),
      }),
    )
  })
  await Promise.all(starts)
  const owned = opened.move()
  return {
    url: ports.map((port) => `nats://127.0.0.1:${port}`).join(','),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function processNats(): Promise<ThrowAwayNats> {
  const folder = await throwAwayFolder()
  const port = await freePort()
  let running: Nats | undefined

  const start = async (): Promise<void> => {
    running = await startNats({
      storeDir: `${folder.path}/nats`,
      port,
      onSpawn: (pid) => folder.record('nats', pid),
    })
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    running?.kill(signal)
    await running?.exited
    running = undefined
  }
  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    storeDir: `${folder.path}/nats`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function containerNats(): Promise<ThrowAwayNats> {
  const container = await startNatsContainer(await freePort())
  return {
    url: container.url,
    storeDir: undefined,
    start: container.start,
    stop: (signal = 'SIGTERM') => container.kill(signal),
    [Symbol.asyncDispose]: container.remove,
  }
}
