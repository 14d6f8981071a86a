import { describe, expect, test } from 'vitest'
import { decideAttempt, decideOutcome, longestLifeMs, type Progress, type RetryPolicy } from './outcome.ts'
import type { Reply } from './reply.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const fresh: Progress = { step: 0, endsAt: now + longestLifeMs, expiresAt: undefined, throttleStep: 0 }
const unhurried: RetryPolicy = { waitsMs: [5_000, 300_000, 1_800_000], random: () => 0.5 }
const answer = (status: number, retryAfter?: string): Reply => ({ kind: 'answer', status, retryAfter, body: undefined })
const failure: Reply = { kind: 'failure', reason: 'timeout', message: 'no complete answer' }
const decide = (reply: Reply, progress: Partial<Progress> = {}, policy = unhurried) =>
  decideOutcome({ ...fresh, ...progress }, reply, now, policy)

describe('the reply table', () => {
  test.each([200, 201, 202, 204, 208, 299])('%i is accepted', (status) => {
    expect(decide(answer(status))).toEqual({ state: 'delivered' })
  })

  test.each([413, 415, 422])('%i is not delivered again', (status) => {
    expect(decide(answer(status))).toEqual({ state: 'rejected', gone: false })
  })

  test('410 is not delivered again, and the receiver is gone', () => {
    expect(decide(answer(410))).toEqual({ state: 'rejected', gone: true })
  })

  test.each([
    300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409, 425, 451, 500, 501, 502, 504, 505, 599,
  ])('%i is tried again by the schedule', (status) => {
    expect(decide(answer(status))).toEqual({ state: 'pending', waitMs: 5_000, charged: true })
  })

  test.each(['timeout', 'dns', 'tls', 'connection', 'address_refused'] as const)(
    'no answer (%s) is tried again by the schedule',
    (reason) => {
      expect(decide({ kind: 'failure', reason, message: '' })).toEqual({
        state: 'pending',
        waitMs: 5_000,
        charged: true,
      })
    },
  )

  test('a Retry-After header counts for 429 and 503 only', () => {
    expect(decide(answer(500, '3600'))).toEqual({ state: 'pending', waitMs: 5_000, charged: true })
  })

  test('503 is tried again when the receiver asked for it, or by the schedule without Retry-After', () => {
    expect(decide(answer(503))).toEqual({ state: 'pending', waitMs: 5_000, charged: true })
    expect(decide(answer(503, '120'), {}, { ...unhurried, random: () => 0 })).toEqual({
      state: 'pending',
      waitMs: 120_000,
      charged: true,
    })
  })

  test('429 costs no attempt and throttles the endpoint for as long as it asks', () => {
    expect(decide(answer(429, '120'), { step: 2 }, { ...unhurried, random: () => 0 })).toEqual({
      state: 'pending',
      waitMs: 120_000,
      charged: false,
      throttleMs: 120_000,
    })
  })

  test('429 without Retry-After throttles for 30 s, doubling to an hour', () => {
    const waits = [0, 1, 2, 6, 7, 50].map((throttleStep) => {
      const outcome = decide(answer(429), { throttleStep })
      return outcome.state === 'pending' ? outcome.throttleMs : undefined
    })
    expect(waits).toEqual([30_000, 60_000, 120_000, 1_920_000, 3_600_000, 3_600_000])
  })

  test('429 never exhausts a delivery', () => {
    expect(decide(answer(429), { step: 3 })).toMatchObject({ state: 'pending', charged: false })
  })
})

describe('the schedule', () => {
  test('each failed attempt has its own wait, and the last one exhausts the delivery', () => {
    const waits = [0, 1, 2, 3].map((step) => decide(failure, { step }))
    expect(waits).toEqual([
      { state: 'pending', waitMs: 5_000, charged: true },
      { state: 'pending', waitMs: 300_000, charged: true },
      { state: 'pending', waitMs: 1_800_000, charged: true },
      { state: 'exhausted' },
    ])
  })

  test('waits are spread by 20 % either way', () => {
    const least = decide(failure, {}, { ...unhurried, random: () => 0 })
    const most = decide(failure, {}, { ...unhurried, random: () => 1 })
    expect(least).toMatchObject({ waitMs: 4_000 })
    expect(most).toMatchObject({ waitMs: 6_000 })
  })

  test('jitter never shortens the wait that a receiver asked for', () => {
    for (const random of [() => 0, () => 0.5, () => 1]) {
      const outcome = decide(answer(503, '10'), {}, { ...unhurried, random })
      expect(outcome.state === 'pending' && outcome.waitMs).toBeGreaterThanOrEqual(10_000)
      expect(outcome.state === 'pending' && outcome.waitMs).toBeLessThanOrEqual(12_000)
    }
  })

  test('503 with Retry-After still uses up the schedule', () => {
    expect(decide(answer(503, '10'), { step: 3 })).toEqual({ state: 'exhausted' })
  })

  test('no wait goes past the end of the delivery', () => {
    expect(decide(failure, { endsAt: now + 1_000 })).toMatchObject({ waitMs: 1_000 })
    expect(decide(failure, { expiresAt: now + 2_000 })).toMatchObject({ waitMs: 2_000 })
    expect(decide(answer(429, '86400'), { endsAt: now + 1_000 })).toMatchObject({ waitMs: 1_000 })
  })
})

test('a delivery is sent until its event expires or has become 14 days old', () => {
  const endsAt = now + 10
  expect(decideAttempt({ endsAt, expiresAt: undefined }, now)).toBe('send')
  expect(decideAttempt({ endsAt, expiresAt: now + 1 }, now)).toBe('send')
  expect(decideAttempt({ endsAt, expiresAt: now }, now)).toBe('expired')
  expect(decideAttempt({ endsAt: now, expiresAt: undefined }, now)).toBe('exhausted')
  expect(decideAttempt({ endsAt: now, expiresAt: now }, now)).toBe('expired')
})
