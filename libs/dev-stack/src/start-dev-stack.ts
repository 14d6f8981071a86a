import { setTimeout as delay } from 'node:timers/promises'
import { type Addresses, chooseAddresses, needsNats, needsPostgres } from './addresses.ts'
import { openDatabases } from './databases.ts'
import { describeDevStack, type DevFile, removeDevFile, writeDevFile } from './dev-file.ts'
import { openHome } from './home.ts'
import { openParts, type Parts } from './parts.ts'
import { provision } from './provision.ts'
import { startNats } from './servers/start-nats.ts'
import { startPostgres } from './servers/start-postgres.ts'
import { type Credentials, openCredentials } from './services/credentials.ts'
import { serviceEnvironment, serviceUrl } from './services/environment.ts'
import { startService } from './services/start-service.ts'

/** Every part of Frontdesk on this machine, each as a child process on loopback. */
export interface DevStack extends AsyncDisposable {
  readonly home: string
  /** Current content of dev.json. */
  readonly dev: DevFile
  /** Sends a signal to a part (`payments`, `nats`, `postgres`, ...). If the part ends, it is started again. */
  kill(part: string, signal: NodeJS.Signals): void
  /** Stops a part until `start` is called. */
  stop(part: string): Promise<void>
  start(part: string): Promise<void>
}

export interface DevStackOptions {
  /** State folder; created if it does not exist. */
  home: string
  /** Required ports, by part; 0 means any. */
  ports?: Record<string, number>
  /** Further environment variables, by service. */
  env?: Record<string, Record<string, string>>
  /** Gets every line that a part prints, and lines about the dev stack itself as part `frontdesk`. */
  onLine?: (part: string, line: string, stream: 'stdout' | 'stderr') => void
  /** Aborts the start. */
  signal?: AbortSignal
}

const READY_WITHIN_MS = 30_000

/**
 * Starts Postgres and NATS (unless `*_DATABASE_URL` and `NATS_URL` name others), brings databases and streams up to
 * date, and starts every service. Resolves when all services answer that they are ready.
 *
 * @throws AlreadyRunningError, PortTakenError, or Error if a part does not start; all parts are stopped again then
 */
export async function startDevStack(options: DevStackOptions): Promise<DevStack> {
  const { onLine = () => {}, signal = new AbortController().signal } = options
  const say = (message: string): void => onLine('frontdesk', message, 'stdout')
  const home = await openHome(options.home, say)
  removeDevFile(home.path)
  let publish: (() => void) | undefined
  const parts = openParts({ home, onLine, onChange: () => publish?.() })
  let addresses: Addresses | undefined

  let stopped: Promise<void> | undefined
  const stopOnce = (): Promise<void> => (stopped ??= stop())
  async function stop(): Promise<void> {
    publish = undefined
    // Each group still needs the ones after it.
    await parts.stop([['gateway'], addresses?.services ?? [], ['nats', 'postgres']])
    removeDevFile(home.path)
    await home.release()
  }

  try {
    const chosen = (addresses = await chooseAddresses(home.path, options.ports ?? {}))
    const credentials = openCredentials(home.path, chosen.services, serviceUrl(chosen, 'sandbox-provider'))
    await startServers(parts, chosen, credentials)
    signal.throwIfAborted()
    const databases = await openDatabases(home.path, chosen)
    await provision(chosen, credentials, databases, say)
    signal.throwIfAborted()
    say(`starting ${chosen.services.join(', ')}`)
    await startServices({ parts, addresses: chosen, credentials, more: options.env ?? {}, signal })
    const describe = (): DevFile => describeDevStack(chosen, databases, credentials, parts.pids)
    publish = () => writeDevFile(home.path, describe())
    publish()
    return {
      home: home.path,
      get dev() {
        return describe()
      },
      kill: (name, killSignal) => parts.get(name).kill(killSignal),
      stop: (name) => parts.get(name).stop(),
      start: (name) => parts.get(name).start(),
      [Symbol.asyncDispose]: stopOnce,
    }
  } catch (error) {
    await stopOnce()
    throw error
  }
}

async function startServers(parts: Parts, addresses: Addresses, { bus }: Credentials): Promise<void> {
  const { ports, natsStoreDir: storeDir, postgresDataDir: dataDir } = addresses
  const nats =
    needsNats() &&
    parts.add('nats', (context) =>
      startNats({ storeDir, port: ports['nats'] ?? 0, users: bus.serverConfig, ...context }),
    )
  const postgres =
    needsPostgres(addresses.services) &&
    parts.add('postgres', (context) => startPostgres({ dataDir, port: ports['postgres'] ?? 0, ...context }))
  await Promise.all([nats && nats.start(), postgres && postgres.start()])
}

interface ServicesOptions {
  parts: Parts
  addresses: Addresses
  credentials: Credentials
  more: Record<string, Record<string, string>>
  signal: AbortSignal
}

async function startServices({ parts, addresses, credentials, more, signal }: ServicesOptions): Promise<void> {
  const starts = addresses.services.map(async (service) => {
    const env = { ...serviceEnvironment(service, addresses, credentials), ...more[service] }
    const part = parts.add(service, (context) =>
      startService({ service, env, ...context, signal: AbortSignal.any([context.signal, signal]) }),
    )
    await part.start()
    await answersReady(service, serviceUrl(addresses, service), signal)
  })
  await Promise.all(starts)
}

/** Waits until a service answers that it is ready. */
async function answersReady(service: string, url: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    signal.throwIfAborted()
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch((error: Error) => error)
    const reason = reply instanceof Response ? await reply.text() : reply.message
    if (reply instanceof Response && reply.ok) return
    if (performance.now() > deadline) {
      throw new Error(`${service} runs but is not ready after ${READY_WITHIN_MS / 1000} s: ${reason}`)
    }
    await delay(100)
  }
}
