import { beforeAll, expect, test } from 'vitest'
import { blockOf, playAll } from './chaos/chaos.ts'
import type { Outcome } from './chaos/scenario.ts'
import { scenarios } from './chaos/scenarios/index.ts'

// Eight of the scenarios in their short form, those that take few seconds each; all of them are `npm run chaos -- --scenario all`.
const names = [
  'consumer-deleted',
  'nats-outage',
  'store-rolled-back',
  'postgres-read-only',
  'postgres-node-vanished',
  'provider-webhooks',
  'newer-producer',
  'postgres-restart',
]
const chosen = scenarios.filter(({ name }) => names.includes(name))

let outcomes: Outcome[] = []
beforeAll(async () => {
  outcomes = await playAll(chosen, { seed: 1, short: true, say: () => {} })
}, 420_000)

test.each(chosen)('Nothing is lost: $title', ({ name }) => {
  const outcome = outcomes.find((one) => one.name === name)
  expect(outcome?.verdict, blockOf(outcome).join('\n')).toBe('held')
})

test('The eight scenarios exist', () => {
  expect(chosen).toHaveLength(8)
})
