import { describe, expect, test } from 'vitest'
import { manualRank } from '../leases/leased.ts'
import {
  addLine,
  applyClaim,
  applySettled,
  planClaims,
  type Capacity,
  type KnownLine,
  type KnownLines,
} from './waiting.ts'

const line = (endpointId: bigint, more: Partial<KnownLine> = {}): KnownLine => ({
  endpointId,
  rank: 0,
  dueAt: 0,
  addedAt: 0,
  ...more,
})
const linesOf = (...all: KnownLine[]): KnownLines => {
  const lines: KnownLines = new Map()
  for (const one of all) addLine(lines, one)
  return lines
}
const open: Capacity = { room: () => 16, reserve() {}, worthwhile: () => 8, quietUntil: () => 0 }
const plan = (lines: KnownLines, capacity: Partial<Capacity> = {}, most = 500) =>
  planClaims(lines, 1_000, most, { ...open, ...capacity })

describe('planning a claim', () => {
  test('claims due deliveries only, and returns when to look again', () => {
    const result = plan(linesOf(line(1n, { dueAt: 900 }), line(2n, { dueAt: 1_500 })))
    expect(result.quotas).toEqual([{ endpointId: 1n, rank: 0, most: 16 }])
    expect(result.nextAt).toBe(1_500)
    expect(result.backlog).toEqual(new Set([1n]))
  })

  test('claims only the most urgent deliveries of an endpoint, manual ones before all', () => {
    const waiting = [line(1n), line(1n, { rank: -5 })]
    expect(plan(linesOf(...waiting)).quotas).toEqual([{ endpointId: 1n, rank: -5, most: 16 }])
    expect(plan(linesOf(...waiting, line(1n, { rank: manualRank }))).quotas).toEqual([
      { endpointId: 1n, rank: manualRank, most: 16 },
    ])
    expect(plan(linesOf(line(1n), line(1n, { rank: -5, dueAt: 2_000 }))).quotas).toEqual([
      { endpointId: 1n, rank: 0, most: 16 },
    ])
  })

  test('claims nothing for an endpoint that lacks room or is to be left alone', () => {
    expect(plan(linesOf(line(1n)), { room: () => 7 }).quotas).toEqual([])
    const quiet = plan(linesOf(line(1n)), { quietUntil: () => 3_000 })
    expect(quiet.quotas).toEqual([])
    expect(quiet.nextAt).toBe(3_000)
    expect(quiet.backlog).toEqual(new Set([1n]))
  })

  test('endpoints share the room of their kind', () => {
    let left = 20
    const shared: Partial<Capacity> = { room: () => Math.min(16, left), reserve: (_, count) => void (left -= count) }
    const result = plan(linesOf(line(1n), line(2n), line(3n)), { ...shared, worthwhile: () => 1 })
    expect(result.quotas.map((quota) => quota.most)).toEqual([16, 4])
  })

  test('limits the size of a claim, and the next one follows at once', () => {
    const result = plan(linesOf(...Array.from({ length: 10 }, (_, index) => line(BigInt(index)))), {}, 40)
    expect(result.quotas.reduce((sum, quota) => sum + quota.most, 0)).toBe(40)
    expect(result.nextAt).toBe(1_000)
  })
})

describe('the known lines', () => {
  test('a line that filled its quota stays due, behind the others; one that gave less is to be settled', () => {
    const lines = linesOf(line(1n, { dueAt: 5 }), line(2n), line(3n))
    const quotas = [1n, 2n].map((endpointId) => ({ endpointId, rank: 0, most: 2 }))
    expect(applyClaim(lines, quotas, [2, 1])).toEqual([{ endpointId: 2n, rank: 0, most: 2 }])
    expect([...lines.values()].map(({ endpointId, dueAt }) => [endpointId, dueAt])).toEqual([
      [2n, 0],
      [3n, 0],
      [1n, 5],
    ])
  })

  test('a settled line waits for its next delivery, or is forgotten if that is far away', () => {
    const lines = linesOf(
      line(1n),
      line(2n),
      line(3n),
      line(4n),
      line(5n, { addedAt: 101 }),
      line(6n, { dueAt: 7 }),
      line(7n),
    )
    const settled = [
      { endpointId: 1n, rank: 0, dueInMs: 30 },
      { endpointId: 2n, rank: 0, dueInMs: 90_000 },
      { endpointId: 3n, rank: 0, dueInMs: undefined },
      { endpointId: 5n, rank: 0, dueInMs: undefined },
      { endpointId: 7n, rank: 0, dueInMs: -20 },
    ]
    const asked = [1n, 2n, 3n, 4n, 5n, 7n].map((endpointId) => ({ endpointId, rank: 0 }))
    applySettled(lines, asked, settled, { claimedAt: 100, now: 200, aheadMs: 1_500 })
    expect([...lines.values()].map(({ endpointId, dueAt }) => [endpointId, dueAt])).toEqual([
      [5n, 0],
      [6n, 7],
      [1n, 230],
      // Locked by others, or still due: it is looked at again soon, and not at once.
      [4n, 300],
      [7n, 220],
    ])
  })

  test('of two times for a line the earlier counts', () => {
    const lines = linesOf(line(1n, { dueAt: 50 }), line(1n, { dueAt: 20 }), line(1n, { dueAt: 70 }))
    expect([...lines.values()].map((one) => one.dueAt)).toEqual([20])
  })

  test('no more than 5,000 are known: the one known for longest makes room', () => {
    const lines = linesOf(...Array.from({ length: 5_001 }, (_, index) => line(BigInt(index))))
    expect(lines.size).toBe(5_000)
    expect([...lines.values()][0]?.endpointId).toBe(1n)
  })
})
