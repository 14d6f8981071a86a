import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Control, Credentials } from '../../e2e/conformance/system.ts'

/** What `dev.json` of a running `npm start` says; of another system, its clients only. */
export interface CredentialsFile extends Credentials {
  gateway?: string
  services?: Record<string, { pid: number }>
}

/** Reads a credentials file. Throws with what to do where there is none. */
export function readCredentials(file: string): CredentialsFile {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as CredentialsFile
  } catch (error) {
    throw new Error(
      `There are no credentials at ${file}. Start the system in another terminal with npm start, or name a file with --credentials.`,
      { cause: error },
    )
  }
}

/** Control of a system that `npm start` runs on this machine; undefined where the file is of another one. */
export function localControl(file: string): Control | undefined {
  const { services } = readCredentials(file)
  const home = dirname(file)
  const keysFolder = join(home, 'keys')
  if (
    services === undefined ||
    !Object.values(services).every(({ pid }) => isRunning(pid)) ||
    !existsSync(keysFolder)
  ) {
    return undefined
  }
  const logs = join(home, 'logs')
  const before = new Map(logFiles(logs).map((path) => [path, statSync(path).size]))
  return {
    keysFolder,
    kill(service) {
      // A restarted process has another number.
      const pid = readCredentials(file).services?.[service]?.pid
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

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
