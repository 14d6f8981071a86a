import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { recordedProcess, recordProcess, stopRecordedProcess } from '@frontdesk/dev-stack/processes'
import { enterableTemporaryFolder } from '@frontdesk/dev-stack/servers'

const PREFIX = 'frontdesk-test-'
const OWNER = 'owner.pid'
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

/** A folder for one test run or one test; disposing of it removes it. */
export interface ThrowAwayFolder extends AsyncDisposable {
  path: string
  /** Records a server that uses this folder: if this run is killed, the next one stops it. */
  record(name: string, pid: number): void
  /** Keeps the folder for a day, for a person to look at. */
  keep(): Promise<void>
}

/** Creates a folder that every user can enter, because Postgres runs as another user when root runs the tests. */
export async function throwAwayFolder(): Promise<ThrowAwayFolder> {
  const path = await mkdtemp(join(await enterableTemporaryFolder(), PREFIX))
  await chmod(path, 0o755)
  recordProcess(join(path, OWNER), process.pid)
  return {
    path,
    keep: () => rm(join(path, OWNER)),
    record: (name, pid) => recordProcess(join(path, `${name}.pid`), pid),
    // A process that is still ending may write a last line meanwhile.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Stops the servers of killed test runs and removes their folders. Folders of failed tests stay for a day. */
export async function sweepThrowAwayFolders(): Promise<void> {
  const parent = await enterableTemporaryFolder()
  for (const name of await readdir(parent)) {
    const folder = join(parent, name)
    if (!name.startsWith(PREFIX) || recordedProcess(join(folder, OWNER)) !== undefined) continue
    const age = Date.now() - ((await stat(folder).catch(() => undefined))?.mtimeMs ?? 0)
    // A folder without an owner is kept, or another process is creating it at this moment.
    if (age < (existsSync(join(folder, OWNER)) ? 0 : KEPT_FOR_MS)) continue
    for (const file of await readdir(folder).catch(() => [])) {
      if (file.endsWith('.pid')) await stopRecordedProcess(join(folder, file), 'SIGKILL')
    }
    await rm(folder, { recursive: true, force: true })
  }
}
