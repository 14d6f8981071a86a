import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import process from 'node:process'
import { invariants } from './check/invariants.ts'

const root = resolve(import.meta.dirname, '..')

/** A check of the whole repository: what it found wrong, one fault per line, or nothing. */
interface Check {
  title: string
  run: () => Promise<string[]>
}

// tsc and oxlint's type checker are Go programs that collect garbage again and again while their heap grows; they take a
// quarter less CPU time when they do so at five times the live heap, and their 1 GB of memory stays the same.
const env = { ...process.env, GOGC: '400', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** A program whose exit code is the verdict, and whose output the reasons. */
function program(title: string, name: string, args: string[]): Check {
  return {
    title,
    run: () =>
      new Promise((done) => {
        const file = resolve(root, 'node_modules/.bin', name)
        execFile(file, args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
          done(error ? [(stdout + stderr).trim() || error.message] : []),
        )
      }),
  }
}

const checks: Check[] = [
  program('formatting (oxfmt)', 'oxfmt', ['--check']),
  program('lint (oxlint)', 'oxlint', []),
  // One checker: with the default of four each derives most types again, for twice the CPU time.
  program('types (tsc)', 'tsc', ['-p', 'tsconfig.json', '--checkers', '1']),
  // The rules of both are in redocly.yaml and .spectral.yaml; a warning counts as an error.
  program('docs/contracts (Redocly)', 'redocly', ['lint']),
  program('docs/contracts (Spectral)', 'spectral', ['lint', 'docs/contracts/*.json', '--fail-severity', 'hint']),
  ...invariants(root),
]

// All of them run, also when one has failed: a person wants the whole list.
const results = await Promise.all(
  checks.map(async ({ title, run }) => {
    const startedAt = performance.now()
    const faults = await run()
    return { title, faults, seconds: (performance.now() - startedAt) / 1000 }
  }),
)
for (const { title, faults, seconds } of results) {
  console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds.toFixed(1)} s)`)
  for (const fault of faults) console.log(fault.replaceAll(/^/gm, '       '))
}
const failed = results.filter(({ faults }) => faults.length > 0)
console.log(
  failed.length === 0
    ? `${results.length} checks passed`
    : `${failed.length} of ${results.length} checks failed: ${failed.map(({ title }) => title).join(', ')}`,
)
if (failed.length > 0) process.exitCode = 1
