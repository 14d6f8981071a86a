import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { eventually } from '@frontdesk/testing'
import { afterAll, expect, test } from 'vitest'
import { openConnections } from '../src/attempts/connections.ts'
import { post, type PostRequest } from '../src/attempts/post.ts'
import { guardedConnector } from '../src/guard/connector.ts'
import { createResolver } from '../src/guard/resolver.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

/** A DNS server with one A record for every name, of `ttl` seconds. It never answers AAAA. Returns what it was asked. */
async function openHalfDns(ttl: number, code = 0): Promise<{ address: string; asked: number[] }> {
  const socket = createSocket('udp4')
  stack.defer(() => void socket.close())
  const asked: number[] = []
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12) + 5
    const type = question.readUInt16BE(end - 4)
    asked.push(type)
    if (type === 28 && code === 0) return
    const header = Buffer.from([0, 0, 0x81, 0x80 + code, 0, 1, 0, code === 0 ? 1 : 0, 0, 0, 0, 0])
    question.copy(header, 0, 0, 2)
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, ttl, 0, 4, 127, 0, 0, 1])
    const answer = code === 0 ? [record] : []
    socket.send(Buffer.concat([header, question.subarray(12, end), ...answer]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

test('a lost answer of one address family costs a connection less than half a second', async () => {
  const dns = await openHalfDns(30)
  const resolve = createResolver({ servers: [dns.address] })
  const startedAt = performance.now()
  expect(await resolve('receiver.example')).toEqual(['127.0.0.1'])
  expect(performance.now() - startedAt).toBeLessThan(500)
})

test('an answer is kept for its time to live, within bounds', async () => {
  const dns = await openHalfDns(30)
  const resolve = createResolver({ servers: [dns.address], keepMs: { least: 0, most: 300 } })
  await resolve('receiver.example')
  await resolve('receiver.example')
  const countA = () => dns.asked.filter((type) => type === 1).length
  expect(countA()).toBe(1)
  await eventually(async () => {
    await resolve('receiver.example')
    expect(countA()).toBe(2)
  })
})

test('a name without an address is asked for again after a second, not at once', async () => {
  const dns = await openHalfDns(30, 3)
  const resolve = createResolver({ servers: [dns.address] })
  await expect(resolve('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  const asked = dns.asked.length
  await expect(resolve('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  expect(dns.asked).toHaveLength(asked)
  await eventually(async () => {
    await resolve('unknown.example').catch(() => {})
    expect(dns.asked.length).toBeGreaterThan(asked)
  })
})

/** A receiver of raw connections; `answer` is called for each request with its number on the connection. */
async function openRaw(answer: (socket: Socket, request: number) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    let requests = 0
    socket.on('data', () => answer(socket, ++requests))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`, sockets }
}

function opened(most?: number) {
  const connector = guardedConnector({ allowLoopback: true, ports: [] }, createResolver(), 5_000)
  const connections = openConnections(connector, { maxHeaderSize: 16_384, ...(most === undefined ? {} : { most }) })
  stack.defer(() => connections.destroy())
  return connections
}

const request = (origin: string): PostRequest => ({
  origin,
  path: '/',
  headers: ['content-type', 'text/plain'],
  body: Buffer.from('x'),
  deadlineMs: 5_000,
})
const ok = (more = '') => `HTTP/1.1 200 OK\r\ncontent-length: 0\r\n${more}\r\n`

test('a request on a connection that the receiver closes at that moment is made again on a fresh one', async () => {
  const { origin, sockets } = await openRaw((socket, number) => {
    if (number === 1) socket.write(ok())
    else socket.destroy()
  })
  const connections = opened()
  for (let i = 0; i < 3; i++) {
    expect(await post(connections, request(origin)).reply).toMatchObject({ kind: 'answer', status: 200 })
  }
  expect(sockets.length).toBeGreaterThanOrEqual(3)
})

test('a receiver that closes fresh connections without an answer has failed, and is asked once', async () => {
  const { origin, sockets } = await openRaw((socket) => socket.destroy())
  expect(await post(opened(), request(origin)).reply).toMatchObject({ kind: 'failure', reason: 'connection' })
  expect(sockets).toHaveLength(1)
})

test('connections outlive a pause of seconds, and end when the receiver said that it would close them', async () => {
  const quiet = await openRaw((socket) => socket.write(ok()))
  const hinting = await openRaw((socket) => socket.write(ok('keep-alive: timeout=3\r\n')))
  const connections = opened()
  for (const { origin } of [quiet, hinting]) await post(connections, request(origin)).reply
  await new Promise((resolve) => setTimeout(resolve, 4_800))
  for (const { origin } of [quiet, hinting]) await post(connections, request(origin)).reply
  expect(quiet.sockets).toHaveLength(1)
  expect(hinting.sockets).toHaveLength(2)
})

test('beyond the cap the origins that have been idle for longest lose their connections', async () => {
  const receivers = await Promise.all(Array.from({ length: 6 }, () => openRaw((socket) => socket.write(ok()))))
  const connections = opened(4)
  for (const { origin } of receivers) await post(connections, request(origin)).reply
  await eventually(() => expect(connections.count()).toBe(4))
  expect(receivers.map(({ sockets }) => sockets[0]!.destroyed || sockets[0]!.readableEnded)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  expect(await post(connections, request(receivers[0]!.origin)).reply).toMatchObject({ status: 200 })
})

test('informational answers are read over, but not without end', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
  const few = await openRaw((socket) => socket.write(early.repeat(3) + ok()))
  expect(await post(opened(), request(few.origin)).reply).toMatchObject({ kind: 'answer', status: 200 })
  let sent = 0
  const endless = await openRaw((socket) => {
    const send = () => {
      if (socket.destroyed) return
      sent += early.length
      socket.write(early, () => setImmediate(send))
    }
    send()
  })
  const answer = await post(opened(), { ...request(endless.origin), deadlineMs: 4_000 }).reply
  expect(answer).toMatchObject({ kind: 'failure', reason: 'connection', message: expect.stringContaining('1xx') })
  await eventually(() => expect(endless.sockets[0]!.destroyed).toBe(true))
  const long = `HTTP/1.1 103 Early Hints\r\nlink: ${'a'.repeat(9_000)}\r\n\r\n`
  const large = await openRaw((socket) => socket.write(long.repeat(2) + ok()))
  expect(await post(opened(), request(large.origin)).reply).toMatchObject({ kind: 'failure', reason: 'connection' })
})
