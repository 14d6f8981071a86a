import { newestMigration, openReadiness } from '@frontdesk/database'
import { eventually, throwAwayDatabase } from '@frontdesk/testing'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { watchClock } from '../src/background/index.ts'

test('a clock that differs from that of Postgres is logged once, and so is its agreement', async () => {
  await using database = await throwAwayDatabase('accounts')
  const { url } = database
  let aheadMs = -7_000
  const now = () => Date.now() + aheadMs
  const migration = newestMigration(new URL('../../../services/accounts/prisma/migrations', import.meta.url))
  await using readiness = openReadiness({ name: 'accounts', url, directUrl: url, migration, now })
  const lines: { level: number; msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as { level: number; msg: string }) })
  const stop = new AbortController()
  const metrics = new Registry()
  const clock = watchClock({ database: readiness, metrics, log, signal: stop.signal, everyMs: 50 })
  await eventually(() => expect(clock.state()).toMatch(/^[67]\.\d s behind Postgres's$/))
  aheadMs = 0
  await eventually(() => expect(clock.state()).toBe('ok'))
  await eventually(() => expect(lines).toHaveLength(2))
  expect(await metrics.metrics()).toMatch(/^postgres_up 1$/m)
  stop.abort()
  await clock.stopped
  expect(lines).toMatchObject([
    { level: 50, msg: expect.stringMatching(/^the clock of this process is [67]\.\d s behind Postgres's: set it/) },
    { level: 30, msg: "the clock of this process agrees with Postgres's again" },
  ])
})

test('while Postgres is away the clock of the process counts', async () => {
  const url = 'postgresql://postgres@127.0.0.1:1/none'
  await using readiness = openReadiness({ name: 'accounts', url, directUrl: url, migration: '' })
  const stop = new AbortController()
  const log = pino({ level: 'silent' })
  const metrics = new Registry()
  const clock = watchClock({ database: readiness, metrics, log, signal: stop.signal })
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1_000)
  expect(clock.state()).toBe('ok')
  expect(await metrics.metrics()).toMatch(/^postgres_up 0$/m)
  stop.abort()
  await clock.stopped
})
