import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { enterableTemporaryFolder, recordedProcess, recordProcess, stopRecordedProcess } from '@frontdesk/dev-stack'

const PREFIX = 'frontdesk-test-'
const OWNER = 'owner.pid'
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

/** A folder for one test run, or one test: gone when disposed of. */
export interface ThrowAwayFolder extends AsyncDisposable {
  path: string
  /** Writes down a server of this folder, to be stopped by the next run should this one be killed. */
  record(name: string, pid: number): void
  /** Leaves it for a day, for somebody to look at. */
  keep(): Promise<void>
}

/** Makes a folder that every user can enter (Postgres runs as its own user where tests run as root). */
export async function throwAwayFolder(): Promise<ThrowAwayFolder> {
  const path = await mkdtemp(join(await enterableTemporaryFolder(), PREFIX))
  await chmod(path, 0o755)
  recordProcess(join(path, OWNER), process.pid)
  return {
    path,
    keep: () => rm(join(path, OWNER)),
    record: (name, pid) => recordProcess(join(path, `${name}.pid`), pid),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

/** Stops what killed test runs left running, and removes their folders; what a failed test left is kept for a day. */
export async function sweepThrowAwayFolders(): Promise<void> {
  const parent = await enterableTemporaryFolder()
  for (const name of await readdir(parent)) {
    const folder = join(parent, name)
    if (!name.startsWith(PREFIX) || recordedProcess(join(folder, OWNER)) !== undefined) continue
    const age = Date.now() - ((await stat(folder).catch(() => undefined))?.mtimeMs ?? 0)
    // A folder without an owner is being made right now, or kept.
    if (age < (existsSync(join(folder, OWNER)) ? 0 : KEPT_FOR_MS)) continue
    for (const file of await readdir(folder).catch(() => [])) {
      if (file.endsWith('.pid')) await stopRecordedProcess(join(folder, file), 'SIGKILL')
    }
    await rm(folder, { recursive: true, force: true })
  }
}
