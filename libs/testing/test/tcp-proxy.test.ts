import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTcpProxy } from '../src/tcp-proxy.ts'

const servers: Server[] = []

/** Opens a server that sends its name before each thing that it echoes. Returns its port. */
async function echo(name: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => void socket.write(`${name} ${data.toString()}`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return (server.address() as AddressInfo).port
}

let first = 0
let second = 0
beforeAll(async () => {
  first = await echo('first')
  second = await echo('second')
})
afterAll(() => servers.forEach((server) => void server.close()))

async function open(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return {
    socket,
    async ask(text: string): Promise<string> {
      socket.write(text)
      const [data] = (await once(socket, 'data')) as [Buffer]
      return data.toString()
    },
  }
}

/** Waits for the end of a connection; `once` would reject at its error. */
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

test('New connections go to the endpoints in turn, and not to one that was taken away', async () => {
  await using proxy = await openTcpProxy(first, second)
  const [left, right] = [await open(proxy.port), await open(proxy.port)]
  expect([await left.ask('a'), await right.ask('b')]).toEqual(['first a', 'second b'])
  proxy.remove(first)
  const later = [await open(proxy.port), await open(proxy.port)]
  expect(await Promise.all(later.map(({ ask }) => ask('c')))).toEqual(['second c', 'second c'])
  expect(await left.ask('d')).toBe('first d')
  for (const { socket } of [left, right, ...later]) socket.destroy()
})

test.each([false, true])(
  'A connection in a black hole gets neither bytes nor an end, and a new one works',
  async (endSessions) => {
    await using proxy = await openTcpProxy(first)
    const old = await open(proxy.port)
    expect(await old.ask('a')).toBe('first a')
    expect(proxy.blackHole({ endSessions })).toBe(1)
    let heard = false
    for (const event of ['data', 'end', 'close'] as const) old.socket.on(event, () => void (heard = true))
    old.socket.write('b')
    await wait(200)
    expect(heard).toBe(false)
    const fresh = await open(proxy.port)
    expect(await fresh.ask('c')).toBe('first c')
    old.socket.destroy()
    fresh.socket.destroy()
  },
)

test('While it refuses, existing and new connections are reset', async () => {
  await using proxy = await openTcpProxy(first)
  const old = await open(proxy.port)
  await old.ask('a')
  proxy.refuse(true)
  await closed(old.socket)
  const fresh = connect(proxy.port, '127.0.0.1')
  fresh.on('error', () => {})
  await closed(fresh)
  proxy.refuse(false)
  const again = await open(proxy.port)
  expect(await again.ask('b')).toBe('first b')
  again.socket.destroy()
})
