import { expect, test } from 'vitest'
import {
  afterAnswer,
  afterFailure,
  afterThrottle,
  allowance,
  newEndpoint,
  widestWindow,
  type EndpointHealth,
} from './endpoint.ts'

const waits = { firstMs: 500, longestMs: 5_000 }
const times = (count: number, change: (endpoint: EndpointHealth) => EndpointHealth, from = newEndpoint(waits)) => {
  let endpoint = from
  for (let i = 0; i < count; i++) endpoint = change(endpoint)
  return endpoint
}
const slowly = (endpoint: EndpointHealth) => afterFailure(endpoint, 'slow', 1_000, waits)
const fast = (endpoint: EndpointHealth) => afterFailure(endpoint, 'fast', 1_000, waits)

test('the window of an endpoint that answers grows, up to its cap', () => {
  expect(allowance(newEndpoint(waits), 0, 0)).toBe(1)
  const trusted = times(100, (endpoint) => afterAnswer(endpoint, waits))
  expect(allowance(trusted, 0, 0)).toBe(widestWindow)
  expect(allowance(trusted, 30, 0)).toBe(2)
  expect(allowance(trusted, 40, 0)).toBe(0)
})

test('slow failures halve the window, and a few in a row open the breaker', () => {
  const trusted = times(7, (endpoint) => afterAnswer(endpoint, waits))
  expect(times(1, slowly, trusted)).toMatchObject({ window: 4, open: false })
  expect(times(4, slowly)).toMatchObject({ window: 1, open: false })
  expect(times(5, slowly)).toMatchObject({ open: true, quietUntil: 1_500 })
})

test('fast errors leave the window alone, and open the breaker later', () => {
  expect(times(19, fast)).toMatchObject({ window: 1, open: false })
  expect(times(20, fast)).toMatchObject({ open: true })
})

test('an open breaker allows nothing at first, then one probe at a time', () => {
  const open = times(5, slowly)
  expect(allowance(open, 0, 1_499)).toBe(0)
  expect(allowance(open, 0, 1_500)).toBe(1)
  expect(allowance(open, 1, 1_500)).toBe(0)
})

test('failed probes double the wait up to its longest; late failures of earlier requests do not', () => {
  const open = times(5, slowly)
  expect(afterFailure(open, 'slow', 1_200, waits).quietUntil).toBe(1_500)
  let probed = open
  const silences: number[] = []
  for (let i = 0; i < 5; i++) {
    const at = probed.quietUntil
    probed = afterFailure(probed, 'slow', at, waits)
    silences.push(probed.quietUntil - at)
  }
  expect(silences).toEqual([1_000, 2_000, 4_000, 5_000, 5_000])
})

test('an answered probe closes the breaker, and the backlog starts slowly', () => {
  const back = afterAnswer(times(5, slowly), waits)
  expect(back).toMatchObject({ open: false, failures: 0, window: 2 })
  expect(allowance(back, 0, 1_000)).toBe(2)
})

test('a throttled endpoint is left alone, and starts slowly afterwards', () => {
  const silent = afterThrottle(newEndpoint(waits), 1_000, 30_000, false)
  expect(allowance(silent, 0, 30_999)).toBe(0)
  expect(allowance(silent, 0, 31_000)).toBe(1)
  expect(silent.throttleStep).toBe(1)
  expect(afterThrottle(silent, 31_000, 1_000, true).throttleStep).toBe(0)
  expect(afterAnswer(silent, waits).throttleStep).toBe(0)
})

test('a late answer does not end a throttle', () => {
  const silent = afterThrottle(newEndpoint(waits), 1_000, 30_000, true)
  expect(allowance(afterAnswer(silent, waits), 0, 2_000)).toBe(0)
})
