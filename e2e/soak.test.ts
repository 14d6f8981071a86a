import { expect, test } from 'vitest'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { reportOf } from '../scripts/soak/report.ts'
import { soak } from '../scripts/soak/soak.ts'

// The short form; the long one is `npm run soak`.
test('with every fault at 5 % and services killed, each payment ends as the provider has it, charged and told once', async () => {
  await using folder = await throwAwayFolder()
  const log: string[] = []
  const options = { payments: 120, seed: 5, atATime: 16, betweenKills: [1_500, 4_000] as const, home: folder.path }
  const result = await soak({ ...options, say: (text) => void log.push(text) })
  const ledger = reportOf(options, result).join('\n')
  expect(result.audit.faults, `${log.join('\n')}\n${ledger}`).toEqual([])
  // It was not for want of trouble.
  expect(Object.keys(result.kills).length).toBeGreaterThanOrEqual(3)
  expect(Object.keys(result.faultsMet.api).length).toBe(7)
  expect(result.audit.charges.succeeded).toBeGreaterThan(40)
  expect(result.audit.deliveries.distinct).toBeGreaterThan(100)
}, 400_000)
