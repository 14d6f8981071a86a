import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'

const root = resolve(import.meta.dirname, '../..')

/** Describes the machine in one line. */
export function describeMachine(): string {
  const processors = cpus()
  const load = loadavg()
    .map((average) => average.toFixed(2))
    .join(' ')
  return [
    `${processors.length} x ${processors[0]?.model.trim() ?? 'unknown processor'}`,
    `${Math.round(totalmem() / 1024 ** 3)} GiB`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    `load before the run ${load}`,
  ].join(', ')
}

/** Returns the commit that is measured, with `+changes` if the work tree differs from it. */
export function describeCommit(): string {
  try {
    const commit = git('rev-parse', 'HEAD')
    return git('status', '--porcelain') === '' ? commit : `${commit}+changes`
  } catch {
    return 'unknown'
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
