import { describe, expect, test } from 'vitest'
import { manualRank } from '../leases/leased.ts'
import { addWaiting, applyClaim, applyPoll, planClaims, type Capacity, type Pair, type Pairs } from './waiting.ts'

const pair = (subscriptionId: string, more: Partial<Pair> = {}): Pair => ({
  subscriptionId,
  rank: 0,
  endpointId: 1n,
  dueAt: 0,
  paused: false,
  addedAt: 0,
  ...more,
})
const pairsOf = (...all: Pair[]): Pairs => {
  const pairs: Pairs = new Map()
  for (const one of all) addWaiting(pairs, one)
  return pairs
}
const open: Capacity = { room: () => 16, worthwhile: () => 8, quietUntil: () => 0 }
const plan = (pairs: Pairs, capacity: Partial<Capacity> = {}, most = 500) =>
  planClaims(pairs, 1_000, most, { ...open, ...capacity })

describe('planning a claim', () => {
  test('claims due deliveries only, and returns when to look again', () => {
    const result = plan(pairsOf(pair('a', { dueAt: 900 }), pair('b', { dueAt: 1_500, endpointId: 2n })))
    expect(result.quotas).toEqual([{ subscriptionId: 'a', rank: 0, most: 16 }])
    expect(result.nextAt).toBe(1_500)
    expect(result.backlog).toEqual(new Set([1n]))
  })

  test('claims only the most urgent deliveries of an endpoint, manual ones before all', () => {
    const waiting = [pair('a'), pair('b', { rank: -5 }), pair('c', { rank: -5 })]
    expect(plan(pairsOf(...waiting)).quotas).toEqual([
      { subscriptionId: 'b', rank: -5, most: 8 },
      { subscriptionId: 'c', rank: -5, most: 8 },
    ])
    expect(plan(pairsOf(...waiting, pair('a', { rank: manualRank }))).quotas).toEqual([
      { subscriptionId: 'a', rank: manualRank, most: 16 },
    ])
  })

  test('gives each endpoint its own room, however much waits for the others', () => {
    const many = Array.from({ length: 100 }, (_, index) => pair(`m${index}`))
    const { quotas } = plan(pairsOf(...many, pair('z', { endpointId: 2n })))
    expect(quotas.filter((quota) => quota.subscriptionId.startsWith('m'))).toHaveLength(16)
    expect(quotas).toContainEqual({ subscriptionId: 'z', rank: 0, most: 16 })
  })

  test('claims nothing for an endpoint that lacks room or is to be left alone', () => {
    expect(plan(pairsOf(pair('a')), { room: () => 7 }).quotas).toEqual([])
    const quiet = plan(pairsOf(pair('a')), { quietUntil: () => 3_000 })
    expect(quiet.quotas).toEqual([])
    expect(quiet.nextAt).toBe(3_000)
    expect(quiet.backlog).toEqual(new Set([1n]))
  })

  test('claims for a paused subscription only what a person or a probe asked for', () => {
    const { quotas } = plan(pairsOf(pair('a', { paused: true }), pair('a', { paused: true, rank: manualRank })))
    expect(quotas).toEqual([{ subscriptionId: 'a', rank: manualRank, most: 16 }])
  })

  test('limits the size of a claim, and the next one follows at once', () => {
    const endpoints = Array.from({ length: 10 }, (_, index) => pair(`e${index}`, { endpointId: BigInt(index) }))
    const result = plan(pairsOf(...endpoints), {}, 40)
    expect(result.quotas.reduce((sum, quota) => sum + quota.most, 0)).toBe(40)
    expect(result.nextAt).toBe(1_000)
  })
})

describe('the known pairs', () => {
  test('a poll replaces the pairs known before it began, and keeps those added since', () => {
    const pairs = pairsOf(pair('gone', { addedAt: 10 }), pair('new', { addedAt: 30, dueAt: 99 }))
    applyPoll(
      pairs,
      [
        {
          subscriptionId: 'found',
          rank: 0,
          endpointId: 3n,
          dueInMs: 5,
          paused: false,
          ended: false,
          throttledMs: 0,
        },
      ],
      20,
    )
    expect([...pairs.values()].map(({ subscriptionId, dueAt }) => [subscriptionId, dueAt])).toEqual([
      ['new', 99],
      ['found', 25],
    ])
  })

  test('a pair that filled its quota stays due; one that gave less waits for its next delivery, or is forgotten', () => {
    const pairs = pairsOf(
      pair('full', { dueAt: 5 }),
      pair('later'),
      pair('empty'),
      pair('added', { addedAt: 101 }),
      pair('other'),
    )
    const quotas = ['full', 'later', 'empty', 'added'].map((subscriptionId) => ({ subscriptionId, rank: 0, most: 2 }))
    const none = { claimed: 0, nextDueInMs: undefined }
    applyClaim(pairs, quotas, [{ claimed: 2, nextDueInMs: 7 }, { claimed: 1, nextDueInMs: 7 }, none, none], 100)
    expect([...pairs.values()].map(({ subscriptionId, dueAt }) => [subscriptionId, dueAt])).toEqual([
      ['other', 0],
      ['full', 5],
      ['later', 107],
      ['added', 0],
    ])
  })

  test('of two times for a pair the earlier counts', () => {
    const pairs = pairsOf(pair('a', { dueAt: 50 }), pair('a', { dueAt: 20 }), pair('a', { dueAt: 70 }))
    expect([...pairs.values()][0]?.dueAt).toBe(20)
  })
})
