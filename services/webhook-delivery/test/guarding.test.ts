import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { DeliveryAttempt } from '@frontdesk/contracts'
import { eventually, openReceiver, selfSigned } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AddressRules } from '../src/guard/addresses.ts'
import { guardedLookup } from '../src/guard/connector.ts'
import { createResolver } from '../src/guard/resolver.ts'
import { parseTargets } from '../src/guard/targets.ts'
import { onlyDelivery, openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'

/** A DNS server on loopback: answers A and AAAA from a table, in turn where there are several answers. */
async function openDns(
  table: Record<string, string[][]>,
): Promise<{ address: string; asked: string[]; close: () => void }> {
  const socket: Socket = createSocket('udp4')
  const asked: string[] = []
  const counts = new Map<string, number>()
  socket.on('message', (question, from) => {
    const labels: string[] = []
    let at = 12
    while (question[at] !== 0) {
      const length = question[at]!
      labels.push(question.subarray(at + 1, at + 1 + length).toString())
      at += length + 1
    }
    const name = labels.join('.').toLowerCase()
    const type = question.readUInt16BE(at + 1)
    const key = `${name} ${type}`
    asked.push(key)
    const turn = counts.get(key) ?? 0
    counts.set(key, turn + 1)
    const answers = table[name]
    const addresses = (answers?.[Math.min(turn, answers.length - 1)] ?? []).filter(
      (address) => address.includes(':') === (type === 28),
    )
    const header = Buffer.alloc(12)
    question.copy(header, 0, 0, 2)
    header.writeUInt16BE(answers === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(addresses.length, 6)
    const records = addresses.map((address) => {
      const data = address.includes(':')
        ? Buffer.from(expanded(address), 'hex')
        : Buffer.from(address.split('.').map(Number))
      const record = Buffer.alloc(12)
      record.writeUInt16BE(0xc00c, 0)
      record.writeUInt16BE(type, 2)
      record.writeUInt16BE(1, 4)
      record.writeUInt32BE(0, 6)
      record.writeUInt16BE(data.byteLength, 10)
      return Buffer.concat([record, data])
    })
    socket.send(Buffer.concat([header, question.subarray(12, at + 5), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() }
}

const expanded = (address: string) => {
  const [left = '', right = ''] = address.split('::')
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const middle = Array.from({ length: 8 - groups(left).length - groups(right).length }, () => '0')
  return [...groups(left), ...middle, ...groups(right)].map((group) => group.padStart(4, '0')).join('')
}

const table = {
  'inside.example': [['10.0.0.1']],
  'inside6.example': [['fd00::1']],
  'mapped.example': [['::ffff:7f00:1']],
  'metadata.example': [['169.254.169.254']],
  'mixed.example': [['10.0.0.1', '93.184.215.14', 'fd00::1', '2606:2800:21f::1']],
  'mixed-inside.example': [['10.0.0.1', '::1', '127.0.0.1']],
  'outside.example': [['93.184.215.14']],
  'opened.example': [['127.0.0.1']],
  'closed.example': [['127.0.0.1']],
  'azure.example': [['168.63.129.16']],
  'rebinding.example': [['127.0.0.1'], ['10.0.0.1']],
}

let dns: Awaited<ReturnType<typeof openDns>>
let fixture: DeliveryFixture
beforeAll(async () => {
  dns = await openDns(table)
  fixture = await openDeliveryFixture(
    {
      DELIVERY_RETRY_SCHEDULE: '100ms',
      DELIVERY_DEADLINE: '1500ms',
      DELIVERY_PORTS: '443,8080,10000-65535',
      DELIVERY_OPENED_TARGETS: 'opened.example',
      DELIVERY_CLOSED_TARGETS: 'closed.example',
    },
    { resolve: createResolver({ servers: [dns.address], keepMs: { least: 0, most: 60_000 } }) },
  )
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  dns.close()
})

function lookup(hostname: string, allowLoopback = false, more: Partial<AddressRules> = {}): Promise<string[]> {
  return new Promise((resolve, reject) => {
    guardedLookup({ allowLoopback, ...more }, createResolver({ servers: [dns.address] }))(
      hostname,
      { all: true },
      (error, addresses) => {
        if (error !== null) reject(error)
        else if (Array.isArray(addresses)) resolve(addresses.map((entry) => entry.address).toSorted())
      },
    )
  })
}

test.each([
  'inside.example',
  'inside6.example',
  'mapped.example',
  'metadata.example',
  'mixed-inside.example',
  'azure.example',
])('%s has closed addresses only and is refused', async (name) => {
  await expect(lookup(name)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
})

test('of mixed addresses only the open ones are connected to', async () => {
  expect(await lookup('mixed.example')).toEqual(['2606:2800:21f::1', '93.184.215.14'])
  expect(await lookup('outside.example')).toEqual(['93.184.215.14'])
})

test('a host that the operator opened may lead inside, and one that is closed may not be reached', async () => {
  const opened = parseTargets('opened.example')
  expect(await lookup('opened.example', false, { opened })).toEqual(['127.0.0.1'])
  const inside = { opened, closed: parseTargets('127.0.0.0/8') }
  await expect(lookup('opened.example', false, inside)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
  const closed = parseTargets('outside.example')
  await expect(lookup('outside.example', false, { closed })).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
})

test('localhost is always this machine', async () => {
  await expect(lookup('localhost')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
  await expect(lookup('app.localhost.')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
  expect(await lookup('localhost', true)).toEqual(['127.0.0.1', '::1'])
})

/** Returns the attempts at an address; `earlier` if it is one that could be subscribed to only before. */
async function attemptsAt(url: string, { earlier = false } = {}): Promise<DeliveryAttempt[]> {
  const caller = fixture.caller()
  await caller.subscribe(earlier ? 'http://outside.example:8080/' : url)
  if (earlier)
    await fixture.pool.query(`update subscriptions set url = $2 where site_slug = $1`, [caller.site.slug, url])
  await fixture.publish(caller.site)
  return eventually(
    async () => {
      const delivery = await onlyDelivery(caller)
      expect(delivery.State).not.toBe('pending')
      return (await caller.call('getDelivery', { params: { DeliveryId: delivery.DeliveryId } })).body.AttemptList
    },
    { within: 8_000 },
  )
}

test('a delivery to a closed address is never connected, and the attempt says why', async () => {
  const attempts = await attemptsAt('http://inside.example:8080/hook')
  expect(attempts).toMatchObject([{ Outcome: 'address_refused' }, { Outcome: 'address_refused' }])
})

test('a closed host is refused when subscribing, and its subscriptions from before get no delivery', async () => {
  const caller = fixture.caller()
  const body = { EventTypes: ['payment.*'], Url: 'http://closed.example:8080/' }
  expect(await caller.call('subscribe', { body })).toMatchObject({ status: 422, body: { code: 'webhook_url_refused' } })
  await using receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  const attempts = await attemptsAt(`http://closed.example:${port}/`, { earlier: true })
  expect(attempts).toMatchObject([{ Outcome: 'address_refused' }, { Outcome: 'address_refused' }])
  expect(receiver.requests).toEqual([])
})

test('a closed port is refused when subscribing, and its subscriptions from before get no delivery', async () => {
  const body = { EventTypes: ['payment.*'], Url: 'http://outside.example:8081/' }
  expect(await fixture.caller().call('subscribe', { body })).toMatchObject({
    status: 422,
    body: { code: 'webhook_url_refused' },
  })
  const attempts = await attemptsAt(body.Url, { earlier: true })
  expect(attempts).toMatchObject([{ Outcome: 'address_refused' }, { Outcome: 'address_refused' }])
})

test('a name that resolves to a closed address the second time is refused then', async () => {
  await using receiver = await openReceiver()
  receiver.reply(() => ({ status: 500, headers: { connection: 'close' } }))
  const { port } = new URL(receiver.url)
  const attempts = await attemptsAt(`http://rebinding.example:${port}/hook`)
  expect(attempts).toMatchObject([{ Outcome: 'failed', StatusCode: 500 }, { Outcome: 'address_refused' }])
  expect(receiver.requests).toHaveLength(1)
})

test('a name that does not exist counts as a failed attempt', async () => {
  expect(await attemptsAt('http://unknown.example/')).toMatchObject([{ Outcome: 'dns' }, { Outcome: 'dns' }])
})

test('a self-signed certificate is refused', async () => {
  const server = createServer(selfSigned, (_, response) => response.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  expect(await attemptsAt(`https://localhost:${port}/`)).toMatchObject([{ Outcome: 'tls' }, { Outcome: 'tls' }])
  server.close()
})

test('once loopback is forbidden, existing subscriptions to it get no delivery', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.restart({ DELIVERY_ALLOW_LOOPBACK: 'false' })
  await fixture.publish(caller.site)
  await eventually(async () => expect((await onlyDelivery(caller)).State).toBe('exhausted'))
  expect(receiver.requests).toEqual([])
})

test('a list that cannot be read stops the start, with its name', async () => {
  const wrong = { DELIVERY_CLOSED_TARGETS: 'bad.example, 10.0.0.0/40' }
  await expect(fixture.startReplica(wrong)).rejects.toThrow('DELIVERY_CLOSED_TARGETS: not a host, an address')
})
