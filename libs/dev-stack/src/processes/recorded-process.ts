import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * When a process was started, in whatever unit the system counts; undefined when there is none of that number. With it
 * a number written down earlier is known to be the same process still, and not a stranger that got the number since.
 */
function startedAt(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // The name, in brackets, may hold spaces. After it: state first, start time as the 20th field.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return fields[0] === 'Z' ? undefined : fields[19]
    } catch {
      return undefined
    }
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

/** Writes down which process this is, so that a later run can find it. */
export function recordProcess(file: string, pid: number): void {
  writeFileSync(file, JSON.stringify({ pid, startedAt: startedAt(pid) }))
}

/** The number of the process that was written down, if that very process still runs. */
export function recordedProcess(file: string): number | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; startedAt?: string }
    return record.startedAt !== undefined && startedAt(record.pid) === record.startedAt ? record.pid : undefined
  } catch {
    return undefined
  }
}

/**
 * Stops the process that was written down, if it still runs, and forgets it.
 *
 * @param signal asks for an orderly stop; after ten seconds it is SIGKILL
 * @returns the number of the process that was stopped
 */
export async function stopRecordedProcess(file: string, signal: NodeJS.Signals): Promise<number | undefined> {
  const pid = recordedProcess(file)
  if (pid !== undefined) {
    process.kill(pid, signal)
    const deadline = performance.now() + 10_000
    while (recordedProcess(file) !== undefined) {
      await delay(20)
      if (performance.now() > deadline) process.kill(pid, 'SIGKILL')
    }
  }
  rmSync(file, { force: true })
  return pid
}
