import { expect, test } from 'vitest'
import { freshForMs, isOverdue, nextCheck, parseCheckSchedule, type CheckSchedule } from './schedule.ts'
import type { Payment } from './domain.ts'

const createdAt = new Date('2026-11-21T08:00:00Z')
const expiresAt = new Date('2026-11-22T08:00:00Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const schedule = parseCheckSchedule('1m,5m,15m,1h,6h')
const after = (milliseconds: number, from = createdAt) => new Date(from.getTime() + milliseconds)

const open: Payment = {
  recordId: '0199b6a0-0000-7000-8000-000000000001',
  site: {
    slug: 's1234',
    practiceManagementSystem: 'Other',
    pmsSpecificId: 's1234',
    owningOrganisation: 'o1234',
    billingOrganisation: 'o1234',
  },
  provider: 'Sandbox',
  providerAccountId: 'acct_1',
  uiMode: 'Hosted',
  currency: 'EUR',
  amount: 100,
  feeAmount: 0,
  createdAt,
  status: 'Pending',
  version: 2,
  listed: true,
  tipAmount: 0,
  refunds: [],
  amountRefunded: 0,
  expiresAt,
}

test('An open payment is checked ever more rarely, then after its expiry, then daily for three days', () => {
  const times: number[] = []
  for (let now: Date | undefined = createdAt; now; now = nextCheck(open, now, schedule))
    times.push(now.getTime() - createdAt.getTime())
  const end = day + 2 * minute
  expect(times.slice(1)).toEqual([
    minute,
    5 * minute,
    15 * minute,
    hour,
    6 * hour,
    end,
    end + day,
    end + 2 * day,
    end + 3 * day,
  ])
})

test('A payment in Processing is checked for a month', () => {
  expect(nextCheck({ ...open, status: 'Processing' }, after(20 * day), schedule)).toBeInstanceOf(Date)
  expect(nextCheck({ ...open, status: 'Processing' }, after(40 * day), schedule)).toBeUndefined()
})

test('A payment that is to be cancelled is checked within seconds', () => {
  expect(nextCheck({ ...open, cancelling: 'requested_by_client' }, createdAt, schedule)).toEqual(after(15_000))
})

test('A payment that has ended is not checked', () => {
  for (const status of ['Completed', 'Failed', 'Cancelled', 'Refunded', 'ChargedBack'] as const) {
    expect(nextCheck({ ...open, status }, createdAt, schedule)).toBeUndefined()
  }
})

test('A payment is overdue when the provider forgets its key, or three days after its checkout has expired', () => {
  expect(isOverdue({ ...open, status: 'Created' }, after(22 * hour))).toBe(false)
  expect(isOverdue({ ...open, status: 'Created' }, after(24 * hour))).toBe(true)
  expect(isOverdue(open, after(3 * day, expiresAt))).toBe(false)
  expect(isOverdue(open, after(4 * day, expiresAt))).toBe(true)
})

test('A read asks about an open payment after 15 s, and about a paid one more rarely the longer it has not changed', () => {
  expect(freshForMs(open, 5 * hour)).toBe(15_000)
  for (const status of ['Completed', 'PartiallyRefunded', 'Disputed'] as const) {
    expect(freshForMs({ ...open, status }, 0)).toBe(15_000)
    expect(freshForMs({ ...open, status }, 10 * minute)).toBe(minute)
    expect(freshForMs({ ...open, status }, 30 * day)).toBe(hour)
  }
  for (const status of ['Failed', 'Cancelled'] as const) {
    expect(freshForMs({ ...open, status }, hour)).toBeUndefined()
  }
})

test('A schedule in seconds shortens every wait', () => {
  const fast: CheckSchedule = parseCheckSchedule('2s,4s')
  expect(nextCheck({ ...open, status: 'Created' }, createdAt, fast)).toEqual(after(2_000))
  expect(nextCheck({ ...open, cancelling: 'expired' }, createdAt, fast)).toEqual(after(2_000))
  expect(nextCheck(open, after(3_000), fast)).toEqual(after(4_000))
})

test.each(['', '0s', '5m,1m', '1m,1m', 'soon'])('%j is not a schedule of checks', (text) => {
  expect(() => parseCheckSchedule(text)).toThrow(RangeError)
})
