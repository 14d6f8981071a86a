import { expect, test } from 'vitest'
import { createSlots, type Slot } from './slots.ts'

const limits = { young: 2, youngMs: { least: 20, most: 200 }, all: 5 }

test('young requests are limited, and make room when they end', () => {
  const slots = createSlots(limits)
  const first = slots.take(0)!
  slots.take(1)
  expect(slots.take(2)).toBeUndefined()
  slots.release(first, 3)
  expect(slots.take(3)).toBeDefined()
  expect(slots.take(3)).toBeUndefined()
})

test('old requests do not count as young, up to the limit on all requests', () => {
  const slots = createSlots(limits)
  for (const now of [0, 0, 20, 20, 40]) expect(slots.take(now), String(now)).toBeDefined()
  expect(slots.count).toBe(5)
  expect(slots.take(60)).toBeUndefined()
  expect(slots.roomAt()).toBe(Infinity)
})

test('requests grow old later if answers usually take longer', () => {
  const slots = createSlots({ ...limits, all: 100 })
  for (let i = 0; i < 500; i++) slots.release(slots.take(i * 100)!, i * 100 + 60)
  const now = 100_000
  slots.take(now)
  slots.take(now)
  expect(slots.roomAt() - now).toBeGreaterThan(110)
  expect(slots.take(now + 100)).toBeUndefined()
  expect(slots.take(now + 120)).toBeDefined()
})

test('roomAt returns when the oldest young request grows old', () => {
  const slots = createSlots(limits)
  slots.take(5)
  slots.take(9)
  expect(slots.take(10)).toBeUndefined()
  expect(slots.roomAt()).toBe(25)
  expect(slots.take(25)).toBeDefined()
  expect(slots.roomAt()).toBe(29)
})

test('all slots come back, in any order of starts and ends', () => {
  const slots = createSlots({ young: 8, youngMs: { least: 20, most: 200 }, all: 1_000 })
  const open: Slot[] = []
  for (let now = 0; now < 20_000; now++) {
    const slot = slots.take(now)
    if (slot !== undefined) open.push(slot)
    const at = (now * 7_919) % 31
    if (at < open.length) slots.release(open.splice(at, 1)[0]!, now)
  }
  for (const slot of open) slots.release(slot, 30_000)
  expect(slots.count).toBe(0)
  expect(Array.from({ length: 9 }, () => slots.take(40_000) !== undefined)).toEqual([
    ...Array.from({ length: 8 }, () => true),
    false,
  ])
})
