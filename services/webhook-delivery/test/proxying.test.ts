import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import { eventually, openReceiver, selfSigned } from '@frontdesk/testing'
import { afterAll, expect, test } from 'vitest'
import { openConnections } from '../src/attempts/connections.ts'
import { post } from '../src/attempts/post.ts'
import { guardedConnector } from '../src/guard/connector.ts'
import { openTunnels } from '../src/guard/proxy.ts'
import { onlyDelivery, openDeliveryFixture } from './delivery-fixture.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

/** An egress proxy: it connects every CONNECT to `port` of this machine, or refuses it. Returns what it was asked for. */
async function openProxy(port?: number) {
  const asked: { target: string | undefined; authorization: string | undefined }[] = []
  const server = createServer()
  server.on('connect', (request, client) => {
    asked.push({ target: request.url, authorization: request.headers['proxy-authorization'] })
    client.on('error', () => {})
    if (port === undefined) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://user:pa%20ss@127.0.0.1:${(server.address() as { port: number }).port}`, asked }
}

const portOf = (url: string) => Number(new URL(url).port)

test('deliveries go through the egress proxy, to the address that the guard has checked', async () => {
  await using receiver = await openReceiver()
  const proxy = await openProxy(portOf(receiver.url))
  await using fixture = await openDeliveryFixture(
    { DELIVERY_PROXY_URL: proxy.url, DELIVERY_RETRY_SCHEDULE: '100ms' },
    { resolve: async (name) => (name === 'outside.example' ? ['93.184.215.14'] : ['10.0.0.1']) },
  )
  const caller = fixture.caller()
  await caller.subscribe('http://outside.example/hook')
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  expect(receiver.requests[0]).toMatchObject({ path: '/hook', headers: { host: 'outside.example' } })
  const authorization = `Basic ${Buffer.from('user:pa ss').toString('base64')}`
  expect(proxy.asked).toEqual([{ target: '93.184.215.14:80', authorization }])

  const inside = fixture.caller()
  await inside.subscribe('http://inside.example/hook')
  await fixture.publish(inside.site)
  await eventually(async () => expect((await onlyDelivery(inside)).State).toBe('exhausted'))
  expect(proxy.asked).toHaveLength(1)
})

function opened(proxyUrl: string) {
  const tunnels = stack.use(openTunnels(proxyUrl))
  const rules = { allowLoopback: false, ports: [[443, 443]] as const }
  const connections = openConnections(
    guardedConnector(rules, async () => ['93.184.215.14'], 2_000, tunnels),
    { maxHeaderSize: 16_384 },
  )
  stack.defer(() => connections.destroy())
  return connections
}
const request = { origin: 'https://outside.example', path: '/', headers: [], body: Buffer.from('x'), deadlineMs: 3_000 }

test('behind the proxy the receiver’s certificate is checked against its name', async () => {
  const server = createTlsServer(selfSigned, (_, response) => response.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => void server.close())
  const proxy = await openProxy((server.address() as { port: number }).port)
  expect(await post(opened(proxy.url), request).reply).toMatchObject({ kind: 'failure', reason: 'tls' })
  expect(proxy.asked).toMatchObject([{ target: '93.184.215.14:443' }])
})

test('what the proxy refuses has failed', async () => {
  const proxy = await openProxy()
  expect(await post(opened(proxy.url), request).reply).toMatchObject({
    kind: 'failure',
    message: expect.stringContaining('403'),
  })
})
