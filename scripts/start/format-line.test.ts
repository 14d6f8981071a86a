import { expect, test } from 'vitest'
import { formatLine, WARNING } from './format-line.ts'

const plain = { stream: 'stdout', colour: false, now: new Date(2026, 0, 2, 3, 4, 5, 6) } as const

test('A JSON line becomes time, service, level, message and its other members', () => {
  const time = new Date(2026, 0, 2, 15, 4, 5, 60).getTime()
  const line = JSON.stringify({ level: 40, time, service: 'payments', pid: 7, msg: 'slow', ms: 12, note: 'two words' })
  expect(formatLine('payments', line, plain)).toBe('15:04:05.060 payments         warn  slow ms=12 note="two words"')
})

test('Every line of a stack names the service', () => {
  const line = JSON.stringify({ level: 50, msg: 'failed', err: { message: 'no', stack: 'Error: no\n    at here' } })
  const lines = formatLine('accounts', line, plain)?.split('\n')
  expect(lines).toHaveLength(3)
  for (const each of lines ?? []) expect(each).toContain('accounts')
})

test('Text of a service is shown unchanged, and as an error if it is on standard error', () => {
  expect(formatLine('registry', 'hello', plain)).toMatch(/registry +info +hello$/)
  expect(formatLine('registry', 'SyntaxError: x', { ...plain, stream: 'stderr' })).toMatch(/error SyntaxError: x$/)
})

test('Only warnings and errors of Postgres and NATS are shown', () => {
  expect(formatLine('postgres', '2026-01-02 UTC [7] LOG:  checkpoint starting', plain)).toBeUndefined()
  expect(formatLine('postgres', '2026-01-02 UTC [7] FATAL:  too many clients', plain)).toMatch(
    /fatal too many clients$/,
  )
  expect(formatLine('nats', '[7] 2026/01/02 03:04:05.6 [INF] Server is ready', plain)).toBeUndefined()
  expect(formatLine('nats', '[7] 2026/01/02 03:04:05.6 [ERR] disk full', plain)).toMatch(/error disk full$/)
})

test('A very long value is cut', () => {
  const formatted = formatLine('gateway', JSON.stringify({ level: 30, msg: 'x', body: 'y'.repeat(1000) }), plain)
  expect(formatted?.length).toBeLessThan(250)
})

test('With a lowest level, a request that went well is left out, and a warning or a crash is shown', () => {
  const shown = (level: number) =>
    formatLine('gateway', JSON.stringify({ level, msg: 'x' }), { ...plain, least: WARNING })
  expect(shown(30)).toBeUndefined()
  expect(shown(40)).toMatch(/gateway +warn  x$/)
  const crash = formatLine('registry', 'SyntaxError: x', { ...plain, stream: 'stderr', least: WARNING })
  expect(crash).toMatch(/error SyntaxError: x$/)
})
