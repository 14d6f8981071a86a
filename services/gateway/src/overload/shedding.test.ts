import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { ProblemError } from '@frontdesk/problems'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGatewayMetrics } from '../metrics.ts'
import type { EventLoopState } from './event-loop.ts'
import { nextShare, startShedding, type Source, type Shedding, type SheddingDeps } from './shedding.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const idle = { delayMs: 0, utilisation: 0.1 }

function openShedding(settings: Partial<SheddingDeps> = {}) {
  const loop: { state: EventLoopState } = { state: idle }
  const lines: string[] = []
  const shedding = startShedding({
    maxInFlight: { clients: 100, providers: 100 },
    arriving: () => 0,
    maxEventLoopDelayMs: 500,
    eventLoop: { look: () => loop.state, [Symbol.dispose]() {} },
    metrics: createGatewayMetrics(new Registry()),
    log: pino({ base: null }, { write: (line: string) => void lines.push(line) }),
    ...settings,
  })
  return { loop, lines, shedding, [Symbol.dispose]: () => shedding[Symbol.dispose]() }
}

/** Whether a request is admitted; it ends at once. */
function admits(shedding: Shedding, source: Source = 'clients'): boolean {
  const response = new EventEmitter() as ServerResponse
  try {
    shedding.admit(response, source)
    response.emit('close')
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ code: 'overloaded', options: { retryAfter: expect.toBeOneOf([1, 2, 3]) } })
    return false
  }
}

const admittedOf = (count: number, shedding: Shedding) =>
  Array.from({ length: count }, () => admits(shedding)).filter(Boolean).length

test('a request counts until its response is closed', () => {
  using fixture = openShedding({ maxInFlight: { clients: 2, providers: 1 } })
  const responses = [new EventEmitter(), new EventEmitter()] as ServerResponse[]
  for (const response of responses) fixture.shedding.admit(response, 'clients')
  expect(admits(fixture.shedding)).toBe(false)
  responses[0]?.emit('close')
  expect(admits(fixture.shedding)).toBe(true)
})

test('a part of the requests is admitted while timers are late, and all of them some seconds later', () => {
  using fixture = openShedding()
  const { loop, shedding } = fixture
  expect(admittedOf(100, shedding)).toBe(100)
  loop.state = { delayMs: 501, utilisation: 1 }
  vi.advanceTimersByTime(1_000)
  expect(admittedOf(100, shedding)).toBe(50)
  vi.advanceTimersByTime(1_000)
  expect(admittedOf(100, shedding)).toBe(25)
  loop.state = idle
  vi.advanceTimersByTime(8_000)
  expect(admittedOf(100, shedding)).toBe(100)
})

test('an event loop that is busy but not late is overloaded only if a utilisation is configured', () => {
  const busy = { delayMs: 20, utilisation: 0.99 }
  for (const [maxEventLoopUtilisation, expected] of [
    [undefined, 10],
    [0.98, 5],
  ] as const) {
    using fixture = openShedding({ maxEventLoopUtilisation })
    fixture.loop.state = busy
    vi.advanceTimersByTime(1_000)
    expect(admittedOf(10, fixture.shedding)).toBe(expected)
  }
})

test('an overload is logged when it begins and when it ends, however many requests are refused', () => {
  using fixture = openShedding()
  const { loop, shedding, lines } = fixture
  loop.state = { delayMs: 900, utilisation: 1 }
  for (let second = 0; second < 10; second += 1) {
    vi.advanceTimersByTime(1_000)
    admittedOf(50, shedding)
  }
  loop.state = idle
  vi.advanceTimersByTime(15_000)
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'overloaded: refusing a part of the requests',
    'no longer overloaded',
  ])
})

test('the admitted share never falls to zero and never exceeds one', () => {
  let share = 1
  for (let look = 0; look < 50; look += 1) share = nextShare(share, true)
  expect(share).toBe(1 / 32)
  for (let look = 0; look < 50; look += 1) share = nextShare(share, false)
  expect(share).toBe(1)
})
