import type { Home } from './home.ts'
import type { ServerProcess } from './processes/server-process.ts'
import { type SupervisedProcess, supervise } from './processes/supervise.ts'

/** Passed to the function that starts a part. */
export interface LaunchContext {
  /** Must be called with the process id as soon as there is one. */
  onSpawn: (pid: number) => void
  onLine: (line: string, stream?: 'stdout' | 'stderr') => void
  /** Aborts when the part must stop. */
  signal: AbortSignal
}

/** The supervised processes of a dev stack, by name. */
export interface Parts {
  add(name: string, launch: (context: LaunchContext) => Promise<ServerProcess>): SupervisedProcess
  get(name: string): SupervisedProcess
  /** Id of each part's newest process. */
  readonly pids: Readonly<Record<string, number>>
  /** Stops one group after another, and the parts of a group at the same time. */
  stop(groups: readonly (readonly string[])[]): Promise<void>
}

interface PartsOptions {
  home: Home
  onLine: (part: string, line: string, stream: 'stdout' | 'stderr') => void
  /** Called when a part has a new process. */
  onChange: () => void
}

/** Returns an empty set of parts. Their processes are recorded in the state folder. */
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
      if (!part) throw new Error(`there is no part ${name}; the parts are ${[...parts.keys()].join(', ')}`)
      return part
    },
    async stop(groups) {
      for (const group of groups) {
        await Promise.all(group.map(async (name) => await parts.get(name)?.stop()))
      }
    },
  }
}
