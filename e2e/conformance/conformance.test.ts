import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConstellation, type Constellation } from '@frontdesk/testing/constellation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Case } from './case.ts'
import { caseTimeoutMs, lackOf, suite } from './suite.ts'
import { openSystem, type System } from './system.ts'
import { openCells, printedTable, type Outcome } from './table.ts'

let home: string
let constellation: Constellation
let system: System
const lines: string[] = []
const outcomes = new Map<Case, Outcome>()

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'frontdesk-conformance-'))
  constellation = await startConstellation({ home, onLine: (part, line) => lines.push(`${part} ${line}`) })
  system = openSystem({
    baseUrl: constellation.dev.gateway,
    credentials: constellation.dev,
    control: {
      kill: (service) => constellation.kill(service, 'SIGKILL'),
      keysFolder: join(home, 'keys'),
      logged: async () => lines,
    },
  })
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
