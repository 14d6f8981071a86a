import { expect, test } from 'vitest'
import { createBreaker } from './breaker.ts'

function clocked() {
  const clock = { ms: 0 }
  return { clock, breaker: createBreaker({ failures: 3, openMs: 1_000 }, () => clock.ms) }
}

test('it opens after failures in a row and tells how long to wait', () => {
  const { clock, breaker } = clocked()
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

test('one call probes, the others are told to wait until it is over', () => {
  const { clock, breaker } = clocked()
  for (let count = 0; count < 3; count += 1) breaker.failed()
  clock.ms = 1_000
  expect(breaker.admit()).toBe(0)
  expect(breaker.admit()).toBe(1_000)
  expect(breaker.state).toBe('probing')
  breaker.answered()
  expect(breaker.admit()).toBe(0)
  expect(breaker.state).toBe('closed')
})

test('a failed probe opens it again', () => {
  const { clock, breaker } = clocked()
  for (let count = 0; count < 3; count += 1) breaker.failed()
  clock.ms = 1_000
  breaker.admit()
  breaker.failed()
  expect(breaker.admit()).toBe(1_000)
})

test('calls that were under way when it opened do not hold it open', () => {
  const { clock, breaker } = clocked()
  for (let count = 0; count < 3; count += 1) breaker.failed()
  clock.ms = 900
  breaker.failed()
  expect(breaker.admit()).toBe(100)
})
