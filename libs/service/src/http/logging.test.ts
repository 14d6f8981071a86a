import { pino } from 'pino'
import { Registry } from 'prom-client'
import { request } from 'undici'
import { expect, test, vi } from 'vitest'
import { createServer, listen } from './server.ts'

test('each request is logged and counted once, also if its caller leaves before the answer: that one as 499; probes are neither', async () => {
  const lines: { route: string; status: number; ms: number; msg: string; [more: string]: unknown }[] = []
  const metrics = new Registry()
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const app = createServer({ name: 'test', log, metrics, ready: async () => ({}) })
  const answer = Promise.withResolvers<object>()
  const arrived = Promise.withResolvers<void>()
  app.get('/work', async () => ({ done: true }))
  app.get('/slow', () => {
    arrived.resolve()
    return answer.promise
  })
  const url = await listen(app, { host: '127.0.0.1', port: 0 })
  try {
    expect((await request(`${url}/work`, { headers: { 'x-request-id': 'r-1' } })).statusCode).toBe(200)
    const leaving = new AbortController()
    const left = request(`${url}/slow`, { signal: leaving.signal }).catch(() => {})
    await arrived.promise
    leaving.abort()
    await left
    const requests = () => lines.filter(({ msg }) => msg === 'request').map(({ route, status }) => [route, status])
    const both = [
      ['/work', 200],
      ['/slow', 499],
    ]
    await vi.waitFor(() => expect(requests()).toEqual(both))
    // The handler goes on, and its answer goes nowhere.
    answer.resolve({})
    await request(`${url}/livez`)
    expect(requests()).toEqual(both)
    const [work] = lines.filter(({ route }) => route === '/work')
    expect(work).toMatchObject({
      method: 'GET',
      outcome: 'ok',
      requestId: 'r-1',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(lines.find(({ route }) => route === '/slow')).toMatchObject({ outcome: 'caller_left' })
    expect((await request(`${url}/nowhere`)).statusCode).toBe(404)
    expect(lines.at(-1)).toMatchObject({ outcome: 'refused', code: 'route_not_found' })
    expect(await metrics.metrics()).not.toContain('/livez')
    expect(await metrics.metrics()).toMatch(/duration_seconds_count\{method="GET",route="\/slow",status="499"\} 1\n/)
  } finally {
    await app.close()
  }
})
