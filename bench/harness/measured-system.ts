import { join } from 'node:path'
import process from 'node:process'
import type { SiteAccess } from '@frontdesk/contracts'
import { openTokenIssuer, type KeyFiles, type Principal, type TokenIssuer } from '@frontdesk/service/tokens'
import type { Identity } from '../../e2e/system/practice.ts'
import { startSystem, type StartedSystem } from '../../e2e/system/start-system.ts'

/** The system under measurement. Its `frontdesk` is the client `bench`: all scopes, no rate limit. */
export interface MeasuredSystem extends StartedSystem {
  /** Signs internal tokens as the gateway does, for calls of a service without the gateway. */
  issuer: TokenIssuer
  /** The keys of `issuer`, for another process of the bench. */
  keyFiles: KeyFiles
  /** Returns the address of a service. */
  url(service: string): string
  /** Returns the current process of a part. */
  pid(part: string): number
  /** Calls `onLine` with every line of Postgres's log until it is disposed of. */
  followDatabaseLog(onLine: (line: string) => void): Disposable
}

/** The options of a run. */
export interface RunOptions {
  /** Whether to measure full sizes, however long that takes. */
  full: boolean
  /** Sections to measure; none: all of them. */
  sections: readonly string[]
  /** How long the parts that watch something over time run; undefined: as long as each needs. */
  minutes?: number | undefined
  /** The size of `outage`: payments that are open, and how long the provider is away. Default 2,000 and 60 s. */
  openPayments?: number | undefined
  outageSeconds?: number | undefined
  /** More settings, by service. */
  settings: Record<string, Record<string, string>>
}

/** Starts the system, every service with its default settings and the given ones. */
export async function startMeasuredSystem({ settings }: Pick<RunOptions, 'settings'>): Promise<MeasuredSystem> {
  await using opened = new AsyncDisposableStack()
  const interruption = opened.use(whenInterrupted())
  const followers = new Set<(line: string) => void>()
  const system = opened.use(
    await startSystem({
      as: 'bench',
      env: settings,
      signal: interruption.signal,
      onLine(part, line) {
        if (part === 'postgres') for (const follow of followers) follow(line)
      },
    }),
  )
  const { devStack } = system
  const keyFiles = {
    INTERNAL_KEY_FILE: join(devStack.home, 'keys', 'internal', 'gateway.json'),
    INTERNAL_JWKS_FILE: join(devStack.home, 'keys', 'internal-jwks.json'),
  }
  const issuer = openTokenIssuer('gateway', keyFiles)
  const owned = opened.move()
  interruption.signal.addEventListener('abort', () => void owned.disposeAsync().finally(() => process.exit(130)))
  return {
    ...system,
    issuer,
    keyFiles,
    url(service) {
      const url = devStack.dev.services[service]?.url
      if (url === undefined) throw new Error(`there is no service ${service}`)
      return url
    },
    pid(part) {
      const { dev } = devStack
      const pid = part === 'postgres' || part === 'nats' ? dev[part].pid : dev.services[part]?.pid
      if (pid === undefined) throw new Error(`${part} is not a process of this bench`)
      return pid
    },
    followDatabaseLog(onLine) {
      followers.add(onLine)
      return { [Symbol.dispose]: () => void followers.delete(onLine) }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Aborts at the first SIGINT or SIGTERM: the parts are separate processes and would outlive this one. */
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

/** Returns the roots of the process trees whose processor time is counted, by part; `all` is everything the bench started. */
export function processTrees(system: MeasuredSystem, others: Record<string, number>): Record<string, number> {
  const parts = ['postgres', 'nats', ...Object.keys(system.devStack.dev.services)]
  return { all: process.pid, ...Object.fromEntries(parts.map((part) => [part, system.pid(part)])), ...others }
}

/** Returns the client `bench` as the gateway describes it to a service. */
export function benchPrincipal({ entry }: MeasuredSystem): Principal {
  const { scopes, practiceManagementSoftware } = entry('bench')
  return {
    id: 'client:bench',
    scopes: [...scopes] as Principal['scopes'],
    practiceManagementSystems: practiceManagementSoftware,
  }
}

/** Returns a new site as the gateway describes it to a service. */
export function siteAccess(identity: Identity): SiteAccess {
  return {
    slug: identity.SiteSlug,
    name: identity.Name,
    practiceManagementSystem: identity.PracticeManagementSoftware,
    pmsSpecificId: identity.PmsSpecificSiteId,
    owningOrganisation: identity.OwningOrganisationSlug,
    billingOrganisation: identity.BillingOrganisationSlug,
    status: 'Operational',
  }
}
