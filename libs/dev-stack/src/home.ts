import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { recordedProcess, recordProcess, stopRecordedProcess } from './processes/recorded-process.ts'

/** Another process already runs a dev stack on this state folder. */
export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError'

  constructor(home: string, pid: number) {
    super(
      `Frontdesk already runs on ${home} (process ${pid}). ` +
        'Stop it, or start this one with another state folder: FRONTDESK_HOME=/some/folder npm start',
    )
  }
}

/** The state folder of a dev stack, owned by one process at a time. */
export interface Home {
  path: string
  /** Records a part's process: if this run is killed, the next one stops it. */
  record(part: string, pid: number): void
  /** Gives up the folder, and kills the recorded processes that still run. */
  release(): Promise<void>
}

const SUPERVISOR = 'supervisor.pid'

/**
 * Takes ownership of a state folder, and stops the processes that a killed run has left behind.
 *
 * @throws AlreadyRunningError
 */
export async function openHome(path: string, say: (message: string) => void): Promise<Home> {
  const running = join(path, 'running')
  mkdirSync(running, { recursive: true })
  const owner = recordedProcess(join(running, SUPERVISOR))
  if (owner !== undefined) throw new AlreadyRunningError(path, owner)
  recordProcess(join(running, SUPERVISOR), process.pid)

  const leftovers = readdirSync(running).filter((name) => name !== SUPERVISOR)
  await Promise.all(
    leftovers.map(async (name) => {
      const part = name.replace(/\.pid$/, '')
      // Services lose nothing by SIGKILL. After SIGINT Postgres starts without a recovery.
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
