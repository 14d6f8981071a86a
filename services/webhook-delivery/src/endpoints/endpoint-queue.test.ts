import { expect, test } from 'vitest'
import { isHanging, kindOf, newEndpointQueue, type EndpointQueue } from './endpoint-queue.ts'

const hour = 3_600_000
const endpoint = (more: Partial<EndpointQueue>): EndpointQueue => ({
  ...newEndpointQueue(1n, { firstMs: 500, longestMs: 5_000 }),
  ...more,
})

test('an endpoint that answered when it was last asked is never counted among those that nobody has tried', () => {
  expect(kindOf(endpoint({}), hour)).toBe('untried')
  expect(kindOf(endpoint({ answeredAt: hour - 1_000 }), hour)).toBe('answering')
  expect(kindOf(endpoint({ answeredAt: 0 }), hour)).toBe('idle')
  const silent = endpoint({ answeredAt: hour - 3_000, askedAt: hour - 3_000, inFlight: 1 })
  expect(kindOf(silent, hour)).toBe('idle')
  const failed = endpoint({ answeredAt: 0 })
  expect(kindOf({ ...failed, health: { ...failed.health, failures: 1 } }, hour)).toBe('failing')
})

test('only an endpoint that is not trusted hangs when a request waits', () => {
  const asked = { inFlight: 1, askedAt: hour - 600 }
  expect(isHanging(endpoint(asked), hour)).toBe(true)
  expect(isHanging(endpoint({ ...asked, askedAt: hour - 400 }), hour)).toBe(false)
  expect(isHanging(endpoint({ ...asked, answeredAt: 0 }), hour)).toBe(false)
})
