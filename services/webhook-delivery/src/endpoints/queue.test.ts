import { expect, test } from 'vitest'
import { rankOf, type LeasedDelivery } from '../leases/leased.ts'
import { createQueue } from './queue.ts'

const leased = (eventId: string, rank = 0, manual = false) => ({ eventId, rank, manual }) as LeasedDelivery
const drain = (queue: ReturnType<typeof createQueue>) =>
  Array.from({ length: queue.length }, () => queue.shift()?.eventId)

test('the queue keeps the order of arrival within a rank, and puts urgent ones first', () => {
  const queue = createQueue()
  for (const delivery of [
    leased('a'),
    leased('b', rankOf(5)),
    leased('c'),
    leased('d', rankOf(-5)),
    leased('e', rankOf(5)),
    leased('f', 0, true),
  ])
    queue.push(delivery)
  expect(drain(queue)).toEqual(['f', 'b', 'e', 'a', 'c', 'd'])
})

test('taking deliveries out keeps the order of the others, also in a long queue', () => {
  const queue = createQueue()
  for (let i = 0; i < 600; i++) queue.push(leased(String(i)))
  for (let i = 0; i < 300; i++) queue.shift()
  expect(queue.take((delivery) => Number(delivery.eventId) % 2 === 0)).toHaveLength(150)
  expect(queue.length).toBe(150)
  expect(queue.shift()?.eventId).toBe('301')
  expect(queue.take(() => true)).toHaveLength(149)
  expect(queue.shift()).toBeUndefined()
})

test('a priority becomes a rank: higher goes first, within bounds', () => {
  expect([undefined, null, 0, 5, -5, 1e9, -1e9].map(rankOf)).toEqual([0, 0, 0, -5, 5, -100, 100])
})
