import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { recordedProcess, recordProcess, stopRecordedProcess } from './processes/recorded-process.ts'

/** A constellation already runs on this state. */
export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError'

  constructor(home: string, pid: number) {
    super(
      `Frontdesk already runs on ${home} (process ${pid}). ` +
        'Stop that one, or give this one a folder of its own: FRONTDESK_HOME=/some/folder npm start',
    )
  }
}

/** The state folder of a constellation, held by one process at a time. */
export interface Home {
  path: string
  /** Writes down a process, so that the next run can stop it should this one be killed. */
  record(part: string, pid: number): void
  /** Gives the folder back. All its processes must have ended. */
  release(): Promise<void>
}

const SUPERVISOR = 'supervisor.pid'

/**
 * Takes hold of a state folder, and stops what a run that was killed left running in it.
 *
 * @throws AlreadyRunningError
 */
export async function openHome(path: string, say: (message: string) => void): Promise<Home> {
  const running = join(path, 'running')
  mkdirSync(running, { recursive: true })
  const holder = recordedProcess(join(running, SUPERVISOR))
  if (holder !== undefined) throw new AlreadyRunningError(path, holder)
  recordProcess(join(running, SUPERVISOR), process.pid)

  const leftovers = readdirSync(running).filter((name) => name !== SUPERVISOR)
  await Promise.all(
    leftovers.map(async (name) => {
      const part = name.replace(/\.pid$/, '')
      // Services lose nothing by a kill. Postgres stops in order with SIGINT, and then starts without a recovery.
      const signal = part === 'postgres' ? 'SIGINT' : part === 'nats' ? 'SIGTERM' : 'SIGKILL'
      const pid = await stopRecordedProcess(join(running, name), signal)
      if (pid !== undefined) say(`stopped ${part} (process ${pid}), which an earlier run had left behind`)
    }),
  )
  return {
    path,
    record: (part, pid) => recordProcess(join(running, `${part}.pid`), pid),
    async release() {
      for (const name of readdirSync(running)) {
        if (name !== SUPERVISOR) await stopRecordedProcess(join(running, name), 'SIGKILL')
      }
      rmSync(join(running, SUPERVISOR), { force: true })
    },
  }
}
