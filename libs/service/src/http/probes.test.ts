import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { repeat, watched } from '../background/index.ts'
import { createServer, type ServerOptions } from './server.ts'

function openServer(options: Partial<ServerOptions> = {}) {
  const app = createServer({
    name: 'test',
    log: pino({ level: 'silent' }),
    metrics: new Registry(),
    ready: async () => ({ nats: 'disconnected' }),
    ...options,
  })
  app.get('/work', async () => ({ done: true }))
  return {
    app,
    async probe(path: string) {
      const began = performance.now()
      const answer = await app.inject(path)
      return { status: answer.statusCode, ...answer.json<object>(), ms: performance.now() - began }
    },
    [Symbol.asyncDispose]: () => app.close(),
  }
}

test('probes of a service whose check hangs are answered within a second, and share one question', async () => {
  const ready = vi.fn(() => new Promise<never>(() => {}))
  await using server = openServer({ ready })
  const answers = await Promise.all([server.probe('/readyz'), server.probe('/readyz'), server.probe('/readyz')])
  for (const answer of answers) {
    expect(answer).toMatchObject({ service: 'test', status: 'not ready', reason: expect.stringContaining('800 ms') })
    // 800 ms, and what a busy machine adds.
    expect(answer.ms).toBeLessThan(2_500)
  }
  expect(await server.probe('/readyz')).toMatchObject({ status: 'not ready' })
  expect(ready).toHaveBeenCalledTimes(1)
})

test('a service that is asked to stop is not ready from that moment on, and still serves requests', async () => {
  const stop = new AbortController()
  await using server = openServer({ stopping: stop.signal })
  expect(await server.probe('/readyz')).toMatchObject({ status: 'ready', nats: 'disconnected' })
  expect((await server.app.inject('/work')).headers.connection).not.toBe('close')
  stop.abort()
  const answer = await server.probe('/readyz')
  expect(answer).toMatchObject({ status: 'not ready', reason: 'stopping' })
  const work = await server.app.inject('/work')
  expect(work.json()).toEqual({ done: true })
  // The client leaves its connection now, and not at the moment when the server closes it.
  expect(work.headers.connection).toBe('close')
})

test('a service is alive while its loops come round, even if every round fails', async () => {
  await using server = openServer()
  const stop = new AbortController()
  const failing = vi.fn(() => Promise.reject(new Error('Postgres is away')))
  const options = { signal: stop.signal, onError: () => {}, name: 'the sweep', stuckAfterMs: 300 }
  const loop = repeat({ ...options, everyMs: 20 }, failing)
  await vi.waitFor(() => expect(failing.mock.calls.length).toBeGreaterThan(20), { timeout: 5_000 })
  expect(await server.probe('/livez')).toMatchObject({ status: 'alive' })
  stop.abort()
  await loop.stopped
})

test('a service with a loop that is stuck is not alive, until the loop turns again', async () => {
  await using server = openServer()
  const stop = new AbortController()
  const stuck = Promise.withResolvers<void>()
  const options = { signal: stop.signal, onError: () => {}, name: 'the sweep', stuckAfterMs: 50 }
  const loop = repeat({ ...options, everyMs: 20 }, () => stuck.promise)
  await vi.waitFor(async () => {
    const answer = await server.probe('/livez')
    expect(answer).toMatchObject({ status: 'stuck', reason: expect.stringContaining('the sweep') })
  })
  expect((await server.app.inject('/livez')).statusCode).toBe(503)
  stuck.resolve()
  await vi.waitFor(async () => expect(await server.probe('/livez')).toMatchObject({ status: 'alive' }))
  stop.abort()
  await loop.stopped
})

test('a long run that tells of its progress is not stuck, and neither is a loop that waits for work', async () => {
  await using server = openServer()
  const stop = new AbortController()
  const options = { signal: stop.signal, onError: () => {}, stuckAfterMs: 100 }
  let rounds = 0
  const loops = [
    repeat({ ...options, name: 'long', everyMs: 20 }, async (turn) => {
      for (; rounds < 20; rounds += 1) {
        turn()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }),
    repeat({ ...options, name: 'rare', everyMs: 60_000 }, async () => {}),
  ]
  await vi.waitFor(() => expect(rounds).toBe(20), { timeout: 5_000 })
  expect(await server.probe('/livez')).toMatchObject({ status: 'alive' })
  stop.abort()
  await Promise.all(loops.map(({ stopped }) => stopped))
})

test('a handler that never ends makes its service not alive', async () => {
  await using server = openServer()
  const stuck = Promise.withResolvers<void>()
  const handled = watched('the consumer', 50, () => stuck.promise)()
  await vi.waitFor(async () =>
    expect(await server.probe('/livez')).toMatchObject({ reason: expect.stringContaining('the consumer') }),
  )
  stuck.resolve()
  await handled
  expect(await server.probe('/livez')).toMatchObject({ status: 'alive' })
})

test('the probes that docs/running.md prints ask what a service answers', async () => {
  const page = readFileSync(new URL('../../../../docs/running.md', import.meta.url), 'utf8')
  const probes = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? ''
  const paths = [...probes.matchAll(/(\w+)Probe: \{ httpGet: \{ path: (\S+), port: http \}/g)]
  expect(paths.map(([, name]) => name)).toEqual(['liveness', 'readiness', 'startup'])
  await using server = openServer()
  for (const [, , path = ''] of paths) expect((await server.probe(path)).status).not.toBe(404)
  // Longer than a stop takes: the defaults of both settings are in the same page.
  const defaults = ['SHUTDOWN_DRAIN', 'SHUTDOWN_GRACE'].map((name) =>
    Number(new RegExp(`\\| \`${name}\` \\| \`(\\d+)s\``).exec(page)?.[1]),
  )
  const seconds = Number(/^terminationGracePeriodSeconds: (\d+)/m.exec(probes)?.[1])
  expect(seconds).toBeGreaterThan(defaults.reduce((sum, one) => sum + one, 0))
})
