import type { ServerProcess } from './processes/server-process.ts'
import type { Home } from './home.ts'
import { type SupervisedProcess, supervise } from './supervise.ts'

/** What a part's launch is given. */
export interface LaunchContext {
  /** To be told the process's number as soon as there is one. */
  onSpawn: (pid: number) => void
  onLine: (line: string, stream?: 'stdout' | 'stderr') => void
  /** Aborts when the part is to stop. */
  signal: AbortSignal
}

/** The supervised processes of a constellation, by name. */
export interface Parts {
  add(name: string, launch: (context: LaunchContext) => Promise<ServerProcess>): SupervisedProcess
  get(name: string): SupervisedProcess
  /** Number of each process that was started last. */
  readonly pids: Readonly<Record<string, number>>
  /** Stops group after group: the parts of a group at the same time. */
  stop(groups: readonly (readonly string[])[]): Promise<void>
}

interface PartsOptions {
  home: Home
  onLine: (part: string, line: string, stream: 'stdout' | 'stderr') => void
  /** Called when a part has got another process. */
  onChange: () => void
}

/** Opens an empty set of parts; what is started in it is written down in the state folder. */
export function openParts({ home, onLine, onChange }: PartsOptions): Parts {
  const parts = new Map<string, SupervisedProcess>()
  const pids: Record<string, number> = {}
  return {
    pids,
    add(name, launch) {
      const context = {
        onSpawn(pid: number) {
          pids[name] = pid
          home.record(name, pid)
          onChange()
        },
        onLine: (line: string, stream: 'stdout' | 'stderr' = 'stderr') => onLine(name, line, stream),
      }
      const part = supervise(
        name,
        (signal) => launch({ ...context, signal }),
        (message) => onLine('frontdesk', message, 'stdout'),
      )
      parts.set(name, part)
      return part
    },
    get(name) {
      const part = parts.get(name)
      if (!part) throw new Error(`there is no part ${name}, but ${[...parts.keys()].join(', ')}`)
      return part
    },
    async stop(groups) {
      for (const group of groups) {
        await Promise.all(group.map(async (name) => await parts.get(name)?.stop()))
      }
    },
  }
}
