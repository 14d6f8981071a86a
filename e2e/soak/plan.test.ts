import { expect, test } from 'vitest'
import { seededRandom } from '../system/random.ts'
import { fates, planPayments } from './plan.ts'

const sites = ['sA', 'sB', 'sC']

test('The same seed plans the same payments, and another seed plans others', () => {
  const plan = (seed: number) => planPayments(200, sites, seededRandom(seed))
  expect(plan(7)).toEqual(plan(7))
  expect(plan(7)).not.toEqual(plan(8))
})

test('Every fate is planned about as often as its weight says', () => {
  const payments = planPayments(10_000, sites, seededRandom(1))
  for (const [fate, weight] of Object.entries(fates)) {
    const share = payments.filter((payment) => payment.fate === fate).length / payments.length
    expect(share).toBeGreaterThan((weight / 100) * 0.6)
    expect(share).toBeLessThan((weight / 100) * 1.5)
  }
  expect(new Set(payments.map((payment) => payment.site))).toEqual(new Set(sites))
})
