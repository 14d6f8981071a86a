import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Returns the start time of a process, in the system's unit; undefined if there is no such process. Process ids are
 * reused: id and start time together identify a process.
 */
function startedAt(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // The process's name, in brackets, may contain spaces. After it, the 1st field is the state, the 20th the start.
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

/** Records a process in a file, so that a later run can find it. */
export function recordProcess(file: string, pid: number): void {
  writeFileSync(file, JSON.stringify({ pid, startedAt: startedAt(pid) }))
}

/** Returns the id of the recorded process if it still runs. */
export function recordedProcess(file: string): number | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as { pid: number; startedAt?: string }
    return record.startedAt !== undefined && startedAt(record.pid) === record.startedAt ? record.pid : undefined
  } catch {
    return undefined
  }
}

/**
 * Stops the recorded process if it still runs, and removes the record.
 *
 * @param signal sent first; SIGKILL follows after ten seconds
 * @returns the id of the process that was stopped
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
