import { join } from 'node:path'
import { openPool, type Pool } from '@frontdesk/database'
import { startDevStack, type DevStack, type DevStackOptions } from '@frontdesk/dev-stack'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { joinSystem, type System } from './system.ts'

/** A system of our own, every part a process. */
export interface StartedSystem extends System, AsyncDisposable {
  devStack: DevStack
  /** Opens a service's database; the pool ends with the system. */
  database(service: string): Pool
}

export interface StartOptions extends Pick<DevStackOptions, 'env' | 'onLine' | 'ports' | 'signal'> {
  /** Folder of the system's state. Default: a folder that is removed with the system. */
  home?: string
  /** The client behind `frontdesk`. Default: `demo`. */
  as?: string
  /** Address of the gateway for clients, if something stands in front of it. */
  gateway?: string
}

/** Starts the dev stack. If that fails, the error ends with the last lines that the parts have printed. */
export async function startSystem({
  home,
  as,
  onLine,
  gateway,
  ...options
}: StartOptions = {}): Promise<StartedSystem> {
  await using opened = new AsyncDisposableStack()
  const state = home ?? join(opened.use(await throwAwayFolder()).path, 'state')
  const lastLines: string[] = []
  const devStack = await startDevStack({
    ...options,
    home: state,
    onLine(part, line, stream) {
      onLine?.(part, line, stream)
      lastLines.push(`${part} ${line}`)
      if (lastLines.length > 30) lastLines.shift()
    },
  }).catch((error: Error) => {
    throw new Error(`${error.message}\n${lastLines.join('\n')}`, { cause: error })
  })
  opened.use(devStack)
  const pools = new Map<string, Pool>()
  opened.defer(async () => void (await Promise.all([...pools.values()].map((pool) => pool.end()))))
  const owned = opened.move()
  return {
    ...joinSystem({ ...devStack.dev, ...(gateway !== undefined && { gateway }) }, as),
    devStack,
    database(service) {
      const url = devStack.dev.services[service]?.databaseUrl
      if (url === undefined) throw new Error(`${service} has no database`)
      const pool = pools.get(service) ?? openPool({ url, name: 'acceptance', size: 4 })
      pools.set(service, pool)
      return pool
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
