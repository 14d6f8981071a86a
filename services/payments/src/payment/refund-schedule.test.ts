import { expect, test } from 'vitest'
import { created, now } from '../../test/samples.ts'
import type { Payment, Refund } from './domain.ts'
import { nextCheck } from './schedule.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const schedule = [minute, 5 * minute, 15 * minute, hour, 6 * hour] as const

const refund: Refund = {
  refundId: '0199b6a0-0000-7000-8000-00000000000a',
  amount: 100,
  currency: 'GBP',
  createdAt: now,
  status: 'Pending',
  listed: true,
}
const withRefund = (changes: Partial<Refund>): Payment => ({
  ...created,
  status: 'PartiallyRefunded',
  refunds: [{ ...refund, ...changes }],
})

/** All checks of a payment, in milliseconds after the refund was made. */
function checksOf(payment: Payment): number[] {
  const found: number[] = []
  let next = nextCheck(payment, now, schedule)
  while (next !== undefined) {
    found.push(next.getTime() - now.getTime())
    next = nextCheck(payment, next, schedule)
  }
  return found
}

test('A refund that is Pending is asked about ever more rarely, for a month', () => {
  const found = checksOf(withRefund({ status: 'Pending' }))
  expect(found.slice(0, 8)).toEqual([...schedule, 12 * hour, 20 * hour, day + minute])
  expect(found.at(-1)).toBe(30 * day + minute)
})

test('A refund of which nobody knows whether it was made is due every minute for a day, however often asking failed', () => {
  const found = checksOf(withRefund({ status: 'Created' }))
  const everyMinute = Array.from({ length: 24 * 60 }, (_, index) => (index + 1) * minute)
  expect(found.slice(0, everyMinute.length)).toEqual(everyMinute)
  expect(found.slice(everyMinute.length, everyMinute.length + 2)).toEqual([day + minute, 2 * day + minute])
  expect(found.at(-1)).toBe(30 * day + minute)
})

test.each(['Succeeded', 'Failed'] as const)('A refund that is %s is not asked about', (status) => {
  expect(checksOf(withRefund({ status }))).toEqual([])
})

test('A payment is checked when it or one of its refunds is due, whichever is first', () => {
  const processing: Payment = {
    ...withRefund({ createdAt: new Date(now.getTime() - 2 * minute) }),
    status: 'Processing',
  }
  expect(checksOf(processing).slice(0, 3)).toEqual([minute, 3 * minute, 5 * minute])
})
