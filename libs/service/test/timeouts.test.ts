import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createServer, listen } from '../src/http/server.ts'

test.for([
  ['whose head does not end', 'POST / HTTP/1.1\r\nHost: x\r\n'],
  [
    'whose body does not end',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  ],
])('a request %s is 408 soon after its time', { timeout: 60_000 }, async ([, begun = '']) => {
  const app = createServer({
    name: 'test',
    log: pino({ level: 'silent' }),
    metrics: new Registry(),
    ready: async () => ({}),
    arrivalMs: { head: 300, request: 600 },
  })
  app.post('/', async () => ({}))
  const { port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }))
  try {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(begun)
    const began = performance.now()
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [^]*"request_timeout"/)
    // Node looks for such requests every 30 s unless it is told otherwise.
    expect(performance.now() - began).toBeLessThan(10_000)
  } finally {
    await app.close()
  }
})
