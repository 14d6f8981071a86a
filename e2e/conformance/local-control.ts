import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRunning } from '../system/is-running.ts'
import { readSystemFile } from '../system/system.ts'
import type { Control } from './tested-system.ts'

/** Returns control of the system that `npm start` runs on this machine; undefined if the file describes another system. */
export function localControl(file: string): Control | undefined {
  const { services } = readSystemFile(file)
  const home = dirname(file)
  const keysFolder = join(home, 'keys')
  const pids = Object.values(services ?? {}).map(({ pid }) => pid)
  if (pids.length === 0 || !pids.every(isRunning) || !existsSync(keysFolder)) return undefined
  const logs = join(home, 'logs')
  const before = new Map(logFiles(logs).map((path) => [path, statSync(path).size]))
  return {
    keysFolder,
    kill(service) {
      // The file is read each time: a restarted service has another pid.
      const pid = readSystemFile(file).services?.[service]?.pid
      if (pid === undefined) throw new Error(`no process of ${service} is known`)
      process.kill(pid, 'SIGKILL')
    },
    logged: async () =>
      logFiles(logs).flatMap((path) =>
        readFileSync(path)
          .subarray(before.get(path) ?? 0)
          .toString('utf8')
          .split('\n'),
      ),
  }
}

function logFiles(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}
