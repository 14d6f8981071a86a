import { breakerDefaults, createBreaker } from '@frontdesk/service/calls'
import { expect, test } from 'vitest'
import { createCall } from './calls.ts'
import { ProviderOutcomeUnknown } from './errors.ts'
import { createKeys } from './keys.ts'
import { openPace } from './pacing/pace.ts'

test('the search for the effect of an earlier attempt takes a turn of its own', async () => {
  const done: string[] = []
  const call = createCall({
    deadlineMs: 8_000,
    breaker: createBreaker(breakerDefaults, () => performance.now()),
    pace: {
      ...openPace({ callsPerSecond: Infinity }),
      turn: async (priority) => void done.push(`turn for ${priority}`),
    },
    priority: 'checks',
    keys: createKeys(),
    failure: () => ({ error: new ProviderOutcomeUnknown('saved'), answered: true, retry: true, isSaved: true }),
    finished() {},
  })
  const refunded = await call(
    'refund',
    { idempotencyKey: 'ref_1' },
    async ({ idempotencyKey }) => {
      done.push(`sent under ${idempotencyKey}`)
      if (idempotencyKey === 'ref_1') throw new Error('500')
      return 'made'
    },
    async () => void done.push('looked up'),
  )
  expect(refunded).toBe('made')
  expect(done).toEqual([
    'turn for checks',
    'sent under ref_1',
    'turn for checks',
    'turn for checks',
    'looked up',
    'sent under ref_1_2',
  ])
})
