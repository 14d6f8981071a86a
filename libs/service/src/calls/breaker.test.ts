import { expect, test } from 'vitest'
import { createBreaker } from './breaker.ts'

function withClock() {
  const clock = { ms: 0 }
  return { clock, breaker: createBreaker({ failures: 3, openMs: 1_000 }, () => clock.ms) }
}

test('a breaker opens after three failures in a row and returns the remaining wait', () => {
  const { clock, breaker } = withClock()
  breaker.failed()
  breaker.failed()
  breaker.answered()
  breaker.failed()
  breaker.failed()
  expect(breaker.admit()).toBe(0)
  breaker.failed()
  expect(breaker.admit()).toBe(1_000)
  clock.ms = 400
  expect(breaker.admit()).toBe(600)
})

test('an open breaker lets one call probe and tells the others to wait', () => {
  const { clock, breaker } = withClock()
  for (let count = 0; count < 3; count += 1) breaker.failed()
  clock.ms = 1_000
  expect(breaker.admit()).toBe(0)
  expect(breaker.admit()).toBe(1_000)
  expect(breaker.state).toBe('probing')
  breaker.answered()
  expect(breaker.admit()).toBe(0)
  expect(breaker.state).toBe('closed')
})

test('a failed probe opens the breaker again', () => {
  const { clock, breaker } = withClock()
  for (let count = 0; count < 3; count += 1) breaker.failed()
  clock.ms = 1_000
  breaker.admit()
  breaker.failed()
  expect(breaker.admit()).toBe(1_000)
})

test('calls that started before the breaker opened do not keep it open', () => {
  const { clock, breaker } = withClock()
  for (let count = 0; count < 3; count += 1) breaker.failed()
  clock.ms = 900
  breaker.failed()
  expect(breaker.admit()).toBe(100)
})
