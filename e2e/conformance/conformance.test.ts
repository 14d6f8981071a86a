import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSystem, type StartedSystem } from '../system/start-system.ts'
import type { Case } from './case.ts'
import { chosenGroups, violentCases } from './consent.ts'
import { printedPrismReport } from './prism-report.ts'
import { openPrismExchanges } from './prism.ts'
import { caseTimeoutMs, lackOf, suite } from './suite.ts'
import { openTestedSystem, type Control, type TestedSystem } from './tested-system.ts'
import { openCells, printedTable, type Outcome } from './table.ts'

let started: StartedSystem
let system: TestedSystem
let control: Control
const lines: string[] = []
const outcomes = new Map<Case, Outcome>()

beforeAll(async () => {
  started = await startSystem({ onLine: (part, line) => void lines.push(`${part} ${line}`) })
  const { devStack } = started
  control = {
    kill: (service) => devStack.kill(service, 'SIGKILL'),
    keysFolder: join(devStack.home, 'keys'),
    logged: async () => lines,
  }
  system = openTestedSystem({ baseUrl: started.baseUrl, credentials: devStack.dev, control })
})
afterAll(async () => {
  await system?.[Symbol.asyncDispose]()
  await started?.[Symbol.asyncDispose]()
})

for (const { title, cases } of suite) {
  describe(title, () => {
    for (const one of cases) {
      test(one.title, { timeout: one.timeoutMs ?? caseTimeoutMs }, async () => {
        expect(lackOf(system, one)).toBeUndefined()
        const outcome = await one.run(system).then(
          (): Outcome => ({ passed: true }),
          (error: Error): Outcome => ({ passed: false, reason: error.message }),
        )
        outcomes.set(one, outcome)
        if ('reason' in outcome) expect.fail(outcome.reason)
      })
    }
  })
}

test('npm run conformance kills nothing unless somebody has agreed, and asks only if a chosen case would', async () => {
  const { home, dev } = started.devStack
  const pids = Object.values(dev.services).map(({ pid }) => pid)
  const program = promisify(execFile)(process.execPath, ['e2e/conformance/main.ts'], {
    env: { ...process.env, FRONTDESK_HOME: home },
  })
  await expect(program).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('--kill-services') })
  expect(Object.values(started.devStack.dev.services).map(({ pid }) => pid)).toEqual(pids)
  expect(violentCases(chosenGroups({ only: undefined })).length).toBeGreaterThan(5)
  expect(violentCases(chosenGroups({ only: 'A page token' }))).toEqual([])
})

test('Every operation shows its success and every error category that it lists, unless no rule produces it', (context) => {
  // The table is complete only after every case.
  if (outcomes.size < suite.flatMap(({ cases }) => cases).length) return context.skip('not every case was run')
  expect(openCells(outcomes), printedTable(outcomes)).toEqual([])
})

test(
  'Through a prism proxy every case passes too, and no request or answer violates the document',
  { timeout: 240_000 },
  async () => {
    const { baseUrl, devStack } = started
    const prism = await openPrismExchanges(baseUrl)
    await using proxied = openTestedSystem({ baseUrl, credentials: devStack.dev, control, exchanges: prism })
    // Cases that kill services or change files say nothing more about the document.
    const cases = suite
      .flatMap((group) => group.cases)
      .filter(({ needs = [] }) => !needs.includes('processes') && !needs.includes('files'))
    const failed: string[] = []
    for (const { title, run } of cases)
      await run(proxied).catch((error: Error) => failed.push(`${title}: ${error.message}`))
    expect(failed).toEqual([])
    const report = prism.report()
    expect(report.violations, printedPrismReport(report)).toEqual([])
    expect(report.operations).toBeGreaterThan(1_000)
  },
)
