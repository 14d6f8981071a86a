import { expect, test } from 'vitest'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { reportOf } from './soak/report.ts'
import { soak } from './soak/soak.ts'

// The short form; the long one is `npm run soak`.
test('With every fault at 5 %, spells of 429 and services killed, each payment ends as in the ledger of the provider, charged once and delivered once', async () => {
  await using folder = await throwAwayFolder()
  const log: string[] = []
  const options = {
    payments: 120,
    seed: 5,
    atATime: 16,
    skewMs: 40_000,
    patienceMs: 180_000,
    betweenKills: [1_500, 4_000] as const,
    home: folder.path,
  }
  const result = await soak({ ...options, say: (text) => void log.push(text) })
  const report = reportOf(options, result).join('\n')
  expect(result.audit.faults, `${log.join('\n')}\n${report}`).toEqual([])
  // Enough went wrong meanwhile.
  expect(Object.keys(result.kills).length).toBeGreaterThanOrEqual(3)
  expect(Object.keys(result.faultsMet.api).length).toBeGreaterThanOrEqual(9)
  expect(result.audit.refunds.atProvider).toBeGreaterThan(10)
  expect(result.audit.departed.payments).toBeGreaterThan(0)
  expect(result.audit.charges.succeeded).toBeGreaterThan(40)
  expect(result.audit.webhooks.distinct).toBeGreaterThan(100)
}, 400_000)
