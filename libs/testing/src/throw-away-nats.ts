import { freePort } from '@frontdesk/dev-stack/processes'
import { type Nats, startNats } from '@frontdesk/dev-stack/servers'
import { startNatsContainer, wantsContainers } from './containers.ts'
import { throwAwayFolder } from './throw-away-folder.ts'

/** A nats-server for one test, which may stop, kill and restart it. */
export interface ThrowAwayNats extends AsyncDisposable {
  url: string
  /** Stops the server and keeps its store. Default: SIGTERM; SIGKILL is a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts the server again with the same address and store. */
  start(): Promise<void>
}

/** Starts a nats-server with an empty store. Disposing of it stops the server and removes the store. */
export async function throwAwayNats(): Promise<ThrowAwayNats> {
  return wantsContainers() ? await containerNats() : await processNats()
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
    start: container.start,
    stop: (signal = 'SIGTERM') => container.kill(signal),
    [Symbol.asyncDispose]: container.remove,
  }
}
