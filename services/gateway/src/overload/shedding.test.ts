import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { ProblemError } from '@frontdesk/problems'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTelemetry } from '../telemetry.ts'
import { nextShare } from './admitted-share.ts'
import type { EventLoopState } from './event-loop.ts'
import { startShedding, type Shedding, type SheddingOptions } from './shedding.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const idle = { delayMs: 0, utilisation: 0.1 }

function openShedding(settings: Partial<SheddingOptions> = {}) {
  const loop: { state: EventLoopState } = { state: idle }
  const lines: string[] = []
  const shedding = startShedding({
    maxInFlight: 100,
    maxEventLoopDelay: 500,
    eventLoop: { look: () => loop.state, [Symbol.dispose]() {} },
    telemetry: createTelemetry(new Registry()),
    log: pino({ base: null }, { write: (line: string) => void lines.push(line) }),
    ...settings,
  })
  return { loop, lines, shedding, [Symbol.dispose]: () => shedding[Symbol.dispose]() }
}

/** Whether a request is let in; it ends at once. */
function letsIn(shedding: Shedding): boolean {
  const response = new EventEmitter() as ServerResponse
  try {
    shedding.admit(response)
    response.emit('close')
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({ code: 'overloaded', options: { retryAfter: expect.toBeOneOf([1, 2, 3]) } })
    return false
  }
}

const admittedOf = (count: number, shedding: Shedding) =>
  Array.from({ length: count }, () => letsIn(shedding)).filter(Boolean).length

test('a request counts until its response is closed', () => {
  using fixture = openShedding({ maxInFlight: 2 })
  const responses = [new EventEmitter(), new EventEmitter()] as ServerResponse[]
  for (const response of responses) fixture.shedding.admit(response)
  expect(letsIn(fixture.shedding)).toBe(false)
  responses[0]?.emit('close')
  expect(letsIn(fixture.shedding)).toBe(true)
})

test('while timers are late a part of the requests is let in, and all of them some seconds after', () => {
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

test('a loop that is busy and not late is overloaded only where that is configured', () => {
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

test('it is logged when it begins and when it is over, however many are refused', () => {
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

test('the share is never nothing and never more than all', () => {
  let share = 1
  for (let look = 0; look < 50; look += 1) share = nextShare(share, true)
  expect(share).toBe(1 / 32)
  for (let look = 0; look < 50; look += 1) share = nextShare(share, false)
  expect(share).toBe(1)
})
