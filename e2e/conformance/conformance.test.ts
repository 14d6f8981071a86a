import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevStack, type DevStack } from '@frontdesk/dev-stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Case } from './case.ts'
import { printedPrismReport } from './prism-report.ts'
import { openPrismExchanges } from './prism.ts'
import { caseTimeoutMs, lackOf, suite } from './suite.ts'
import { openSystem, type Control, type System } from './system.ts'
import { openCells, printedTable, type Outcome } from './table.ts'

let home: string
let constellation: DevStack
let system: System
let control: Control
const lines: string[] = []
const outcomes = new Map<Case, Outcome>()

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'frontdesk-conformance-'))
  constellation = await startDevStack({ home, onLine: (part, line) => lines.push(`${part} ${line}`) })
  control = {
    kill: (service) => constellation.kill(service, 'SIGKILL'),
    keysFolder: join(home, 'keys'),
    logged: async () => lines,
  }
  system = openSystem({ baseUrl: constellation.dev.gateway, credentials: constellation.dev, control })
})
afterAll(async () => {
  await system?.[Symbol.asyncDispose]()
  await constellation?.[Symbol.asyncDispose]()
  await rm(home, { recursive: true, force: true })
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

test('every operation shows its successes and every error category that it lists, or no rule produces it', (context) => {
  // Where only some of the cases were asked for, the table is not what is asked.
  if (outcomes.size < suite.flatMap(({ cases }) => cases).length) return context.skip('not every case was run')
  expect(openCells(outcomes), printedTable(outcomes)).toEqual([])
})

test(
  'with a prism proxy between, the same holds, and nothing that is asked or answered is against the document',
  { timeout: 240_000 },
  async () => {
    const { gateway } = constellation.dev
    const prism = await openPrismExchanges(gateway)
    await using proxied = openSystem({ baseUrl: gateway, credentials: constellation.dev, control, exchanges: prism })
    // What kills and what waits for files to be read again says nothing more about the document.
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
