import { dirname } from 'node:path'
import process from 'node:process'
import { readSystemFile } from '../system/system.ts'
import type { Case } from './case.ts'
import { askConsent, chosenGroups, violentCases } from './consent.ts'
import { sendGenerated } from './generated.ts'
import { needTexts } from './needs.ts'
import { printedPrismReport } from './prism-report.ts'
import { openPrismExchanges } from './prism.ts'
import { caseTimeoutMs, lackOf } from './suite.ts'
import { openTestedSystem, type TestedSystem } from './tested-system.ts'
import { openCells, printedTable, type Outcome } from './table.ts'
import { localControl } from './local-control.ts'
import { parseOptions, usage, type ConformanceOptions } from './options.ts'

const paint = (code: number, text: string) => (process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text)
const say = (text: string) => void process.stdout.write(`${text}\n`)

/** Runs a case within its time limit. */
async function runCase(system: TestedSystem, one: Case): Promise<Outcome> {
  const lacking = lackOf(system, one)
  if (lacking !== undefined) return { lacking }
  const milliseconds = one.timeoutMs ?? caseTimeoutMs
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${milliseconds / 1000} s`)), milliseconds)
  })
  try {
    await Promise.race([one.run(system), late])
    return { passed: true }
  } catch (error) {
    return { passed: false, reason: messageOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** Runs the cases one after the other, prints each, then the table. Returns whether everything holds. */
async function runSuite(system: TestedSystem, options: ConformanceOptions): Promise<boolean> {
  const { only } = options
  const outcomes = new Map<Case, Outcome>()
  for (const { title, cases } of chosenGroups(options)) {
    say(`\n${paint(1, title)}`)
    for (const one of cases) {
      const started = performance.now()
      const outcome = await runCase(system, one)
      outcomes.set(one, outcome)
      const took = paint(2, `(${Math.round(performance.now() - started)} ms)`)
      if ('lacking' in outcome) say(`  ${paint(33, '-')} ${one.title} (needs ${needTexts[outcome.lacking]})`)
      else if (outcome.passed) say(`  ${paint(32, '✓')} ${one.title} ${took}`)
      else say(`  ${paint(31, '✗')} ${one.title} ${took}\n${outcome.reason.replaceAll(/^/gm, '      ')}`)
    }
  }
  const ends = [...outcomes.values()]
  const failed = ends.filter((outcome) => 'reason' in outcome).length
  const skipped = ends.filter((outcome) => 'lacking' in outcome).length
  const open = only === undefined ? openCells(outcomes) : []
  if (only === undefined) say(`\n${printedTable(outcomes)}`)
  for (const cell of open) say(paint(31, `not shown: ${cell}`))
  say(`\n${ends.length} cases: ${ends.length - failed - skipped} passed, ${failed} failed, ${skipped} skipped`)
  return failed === 0 && open.length === 0
}

/** Sends generated requests only. Returns whether every answer was allowed. */
async function runGenerated(system: TestedSystem, { requests = 0, seed }: ConformanceOptions): Promise<boolean> {
  const started = performance.now()
  let printed = 0
  const onProgress = (done: number) => {
    if (done - printed < 5_000) return
    printed = done
    say(`  ${done} requests, ${Math.round(done / ((performance.now() - started) / 1000))}/s`)
  }
  try {
    const report = await sendGenerated(system, { requests, seed, onProgress })
    const seconds = Math.round((performance.now() - started) / 1000)
    say(`${report.requests} generated requests in ${seconds} s, every answer was allowed, and the logs are clean:`)
    const byStatus = Object.entries(report.answers).toSorted(([one], [other]) => one.localeCompare(other))
    for (const [answer, count] of byStatus) say(`  ${answer.padEnd(28)} ${count}`)
    return true
  } catch (error) {
    say(paint(31, messageOf(error)))
    return false
  }
}

/** Throws with one sentence if no case can run because the main client gets no token. */
async function ensureToken({ baseUrl, main, token }: TestedSystem): Promise<void> {
  try {
    await token(main)
  } catch (error) {
    throw new Error(`${baseUrl} gives the client ${main.id} no token, so no case can run: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

async function run(options: ConformanceOptions): Promise<boolean> {
  const credentials = readSystemFile(options.credentialsFile)
  const baseUrl = options.baseUrl ?? credentials.gateway
  if (baseUrl === undefined) throw new Error('The credentials file has no gateway: name it with --base-url.')
  const isOwn = baseUrl === credentials.gateway && !options.foreign
  const control = isOwn ? localControl(options.credentialsFile) : undefined
  const violent = options.requests === undefined ? violentCases(chosenGroups(options)) : []
  if (control !== undefined && violent.length > 0 && !options.killServices)
    await askConsent(violent, dirname(options.credentialsFile))
  const prism = options.throughPrism ? await openPrismExchanges(baseUrl) : undefined
  await using system = openTestedSystem({ baseUrl, credentials, control, exchanges: prism })
  const how = control === undefined ? 'from outside, as a foreign system' : 'with control of its processes'
  say(`conformance of ${baseUrl}, ${how}${prism === undefined ? '' : ', through a prism proxy'}`)
  await ensureToken(system)
  const holds = options.requests === undefined ? await runSuite(system, options) : await runGenerated(system, options)
  const report = prism?.report()
  if (report !== undefined) say(`\n${printedPrismReport(report)}`)
  return holds && (report?.violations.length ?? 0) === 0
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

let options: ConformanceOptions | undefined
try {
  options = parseOptions(process.argv.slice(2), process.env)
} catch (error) {
  say(`${messageOf(error)}\n\n${usage}`)
  process.exitCode = 1
}
if (options?.help === true) say(usage)
else if (options !== undefined) {
  const holds = await run(options).catch((error: unknown) => say(messageOf(error)))
  if (holds !== true) process.exitCode = 1
}
