import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { reportOf } from './report.ts'

const nothing = audit({
  requested: [],
  rows: [],
  shown: new Map(),
  ledger: [],
  events: [],
  received: [],
  departures: [],
  proven: new Set(),
})
const linesFor = (more: Partial<typeof nothing>): string[] =>
  reportOf(
    { payments: 3, seed: 1 },
    {
      audit: { ...nothing, ...more },
      faultsMet: { api: {}, webhooks: {} },
      kills: {},
      seconds: { payments: 1, settling: 1 },
    },
  )

test('the report counts all faults by kind and shows the first three of each whole', () => {
  const stuck = Array.from({ length: 50 }, (_, index) => `p${index}: stuck as Pending`)
  const lines = linesFor({ faults: ['p9: charged 2 times\nwhole', ...stuck] })
  const shown = lines.slice(lines.findIndex((line) => line.includes('FAULTS')))
  expect(shown).toEqual([
    '  FAULTS 50 x #: stuck as Pending',
    '    p0: stuck as Pending',
    '    p1: stuck as Pending',
    '    p2: stuck as Pending',
    '  FAULTS 1 x #: charged # times',
    '    p9: charged 2 times\n      whole',
    '',
    expect.stringMatching(/^soak FAILED: 3 payments, .* 51 faults$/),
  ])
})

test('the report tells how late payments are recorded', () => {
  const recordedAfterMs = Array.from({ length: 100 }, (_, index) => (100 - index) * 100)
  expect(linesFor({ recordedAfterMs }).join('\n')).toMatch(
    /paid until recorded +p50 5.0 s, p99 9.9 s, max 10.0 s, of 100/,
  )
  expect(linesFor({}).join('\n')).toMatch(/paid until recorded +nothing was paid/)
})
