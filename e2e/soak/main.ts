import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { reportOf } from './report.ts'
import { soak } from './soak.ts'

// npm run soak -- --payments N --seed S: the last line is a summary, and the exit code is the verdict.

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    'at-a-time': { type: 'string', default: '96' },
    /** Seconds by which the clock of payments is ahead, and that of accounts behind. */
    skew: { type: 'string', default: '40' },
  },
})
const payments = wholeNumber(values.payments)
const seed = wholeNumber(values.seed)
const atATime = wholeNumber(values['at-a-time'])
const skewMs = wholeNumber(values.skew, 0) * 1_000

function wholeNumber(text: string, least = 1): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return value
  console.error('Usage: npm run soak -- [--payments 20000] [--seed 1] [--at-a-time 96] [--skew 40]')
  process.exit(2)
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error('interrupted')))

const folder = await throwAwayFolder()
const logFile = join(folder.path, 'services.log')
const log = createWriteStream(logFile)
const startedAt = performance.now()
const say = (text: string): void => {
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${text}`)
}
say(`starting; the services' logs go to ${logFile}`)
try {
  const result = await soak({
    payments,
    seed,
    atATime,
    skewMs,
    // What is later than this is lost rather than late; how late the others are, the report tells.
    patienceMs: 900_000,
    betweenKills: [3_000, 9_000],
    home: folder.path,
    say,
    onLine: (part, line) => void log.write(`${part} ${line}\n`),
    signal: stop.signal,
  })
  if (result.audit.faults.length > 0) {
    await failed()
    writeFileSync(join(folder.path, 'faults.txt'), result.audit.faults.join('\n\n'))
  } else await folder[Symbol.asyncDispose]()
  for (const line of reportOf({ payments, seed }, result)) console.log(line)
} catch (error) {
  if (stop.signal.aborted) await folder[Symbol.asyncDispose]()
  else await failed()
  console.error(error)
  console.log(`soak FAILED: it did not finish (${error instanceof Error ? error.message : String(error)})`)
  process.exitCode = 1
  // Clients that ask again until there is an answer would go on.
  if (stop.signal.aborted) process.exit()
}

/** Keeps state and log for inspection. */
async function failed(): Promise<void> {
  process.exitCode = 1
  await folder.keep()
  console.log(`The state and the log are kept in ${folder.path}.`)
}
