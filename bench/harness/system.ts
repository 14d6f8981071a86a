import { join } from 'node:path'
import process from 'node:process'
import { createClient, type FrontdeskClient } from '@frontdesk/client'
import { openPool, type Pool } from '@frontdesk/database'
import { openTokenIssuer, type TokenIssuer } from '@frontdesk/service/tokens'
import { startDevStack, type DevStack } from '@frontdesk/dev-stack'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'

/** The whole system under measurement, every part a process of its own, in a home that is thrown away. */
export interface System extends AsyncDisposable {
  constellation: DevStack
  /** The client `bench` at the gateway: all scopes, no rate limit. */
  frontdesk: FrontdeskClient
  clientSecret: string
  /** Signs internal tokens as the gateway does, for calls of a service without the gateway. */
  issuer: TokenIssuer
  /** A service's database, to look into. */
  database(service: string): Pool
  url(service: string): string
  /** The process of a part, as it runs now. */
  pid(part: string): number
  /** Gives every line that Postgres writes to its log, until it is disposed of. */
  followDatabaseLog(onLine: (line: string) => void): Disposable
}

/** What a run of the bench was asked for. */
export interface RunOptions {
  /** The sizes of the issue, however long they take. */
  full: boolean
  /** Sections of the part that were named; none: all of it. */
  sections: readonly string[]
  /** More settings, by service. */
  settings: Record<string, Record<string, string>>
}

/** Starts the system, every service with its default settings and those that are given. */
export async function startSystem({ settings }: Pick<RunOptions, 'settings'>): Promise<System> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await throwAwayFolder())
  const lines: string[] = []
  const followers = new Set<(line: string) => void>()
  const interruption = opened.use(whenInterrupted())
  const constellation = await startDevStack({
    home: join(folder.path, 'state'),
    env: settings,
    signal: interruption.signal,
    onLine(part, line) {
      if (part === 'postgres') for (const follow of followers) follow(line)
      else if (lines.push(`${part} ${line}`) > 5_000) lines.splice(0, 1_000)
    },
  }).catch((error: Error) => {
    throw new Error(`${error.message}\n${lines.slice(-30).join('\n')}`, { cause: error })
  })
  opened.use(constellation)
  const pools = new Map<string, Pool>()
  opened.defer(async () => void (await Promise.all([...pools.values()].map((pool) => pool.end()))))
  const clientSecret = constellation.dev.clients.find(({ id }) => id === 'bench')?.secret ?? ''
  const issuer = await openTokenIssuer('gateway', join(constellation.home, 'keys', 'internal', 'gateway.json'))
  const owned = opened.move()
  interruption.signal.addEventListener('abort', () => void owned.disposeAsync().finally(() => process.exit(130)))
  return {
    constellation,
    clientSecret,
    frontdesk: createClient({
      baseUrl: constellation.dev.gateway,
      credentials: { clientId: 'bench', clientSecret },
    }),
    issuer,
    database(service) {
      const known = pools.get(service)
      if (known !== undefined) return known
      const url = constellation.dev.services[service]?.databaseUrl
      if (url === undefined) throw new Error(`${service} has no database`)
      const pool = openPool({ url, name: 'bench', size: 4 })
      pools.set(service, pool)
      return pool
    },
    url(service) {
      const url = constellation.dev.services[service]?.url
      if (url === undefined) throw new Error(`there is no service ${service}`)
      return url
    },
    pid: (part) => pidOf(constellation, part),
    followDatabaseLog(onLine) {
      followers.add(onLine)
      return { [Symbol.dispose]: () => void followers.delete(onLine) }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Aborts at the first SIGINT or SIGTERM: the parts are processes of their own, and would outlive this one. */
function whenInterrupted(): { signal: AbortSignal } & Disposable {
  const interruption = new AbortController()
  const abort = (): void => interruption.abort(new Error('interrupted'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abort)
  return {
    signal: interruption.signal,
    [Symbol.dispose]() {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, abort)
    },
  }
}

function pidOf({ dev }: DevStack, part: string): number {
  const pid = part === 'postgres' || part === 'nats' ? dev[part].pid : dev.services[part]?.pid
  if (pid === undefined) throw new Error(`${part} is no process of this bench`)
  return pid
}

/** The roots of the process trees whose processor time is counted: everything that the bench has started, part by part. */
export function processTrees(system: System, others: Record<string, number>): Record<string, number> {
  const parts = ['postgres', 'nats', ...Object.keys(system.constellation.dev.services)]
  return { all: process.pid, ...Object.fromEntries(parts.map((part) => [part, system.pid(part)])), ...others }
}
