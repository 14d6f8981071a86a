import { rename, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type ConnectionOptions } from 'node:tls'
import { certificates, eventually } from '@frontdesk/testing'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { expect, test } from 'vitest'
import { exchange, openPool } from '../src/calls/exchange.ts'
import { openPeers } from '../src/calls/peers.ts'
import { createServer, listen } from '../src/http/index.ts'
import { createMetrics } from '../src/metrics/index.ts'
import { openInternalTls } from '../src/tls/index.ts'

const { authority, otherAuthority, service, renewed, stranger } = certificates
const log = pino({ level: 'silent' })

/** Writes certificates as a deployment mounts them. Returns the settings, and how to replace the files. */
async function mounted(folder: string, own: { cert: string; key: string }, ca: string) {
  const settings = {
    INTERNAL_TLS: 'mutual' as const,
    INTERNAL_TLS_CERT_FILE: `${folder}/tls.crt`,
    INTERNAL_TLS_KEY_FILE: `${folder}/tls.key`,
    INTERNAL_TLS_CA_FILE: `${folder}/ca.crt`,
  }
  async function replace(next: { cert: string; key: string }, nextCa: string): Promise<void> {
    const files = [
      ['tls.crt', next.cert],
      ['tls.key', next.key],
      ['ca.crt', nextCa],
    ] as const
    for (const [name, text] of files) {
      await writeFile(`${folder}/next`, text)
      await rename(`${folder}/next`, `${folder}/${name}`)
    }
  }
  await replace(own, ca)
  return { settings, replace }
}

/** Opens a server that accepts calls with a certificate of the authority alone. */
async function openServer() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await throwAwayFolder())
  const { settings, replace } = await mounted(folder.path, service, authority)
  const tls = opened.use(await openInternalTls(settings, log))
  const app = createServer({
    name: 'payments',
    log,
    metrics: createMetrics({ service: 'payments', release: 'test' }),
    ready: async () => ({}),
    tls,
  })
  app.get('/secret', async () => ({ secret: 'shown' }))
  opened.defer(() => app.close())
  const url = await listen(app, { host: '127.0.0.1', port: 0 })
  const owned = opened.move()
  return { url, replace, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Opens the certificates of a caller, as a service has them. */
async function openCaller(own: { cert: string; key: string }, ca: string) {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(await throwAwayFolder())
  const { settings, replace } = await mounted(folder.path, own, ca)
  const tls = stack.use(await openInternalTls(settings, log))
  if (tls === undefined) throw new Error('there are no certificates')
  return { tls, replace, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const get = (path: string) => ({ method: 'GET' as const, path, headers: {} })

/** Asks with any certificate or none, without checking the server's. */
async function ask(url: string, path: string, own: ConnectionOptions = {}) {
  const dispatcher = new Agent({ connect: { ca: authority, ...own } as object })
  try {
    const { statusCode, body } = await request(url + path, { dispatcher })
    return { status: statusCode, text: await body.text() }
  } finally {
    await dispatcher.destroy()
  }
}

/** Returns the name in the certificate that a server shows now. */
function shownBy(url: string): Promise<string> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), ca: authority }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

test('a caller without a certificate, or with that of another authority, is refused everything but the probes', async () => {
  await using server = await openServer()
  expect(await ask(server.url, '/secret', service)).toEqual({ status: 200, text: '{"secret":"shown"}' })
  for (const own of [{}, stranger]) {
    for (const path of ['/secret', '/metrics', '/nothing', '/livez/../secret', '/readyz%2f..%2fsecret']) {
      const answer = await ask(server.url, path, own)
      expect([path, answer.status]).toEqual([path, 401])
      expect(answer.text).toContain('A certificate of this system is needed.')
    }
    for (const path of ['/livez', '/readyz', '/readyz?x=1']) expect((await ask(server.url, path, own)).status).toBe(200)
  }
})

test('plain HTTP and TLS before 1.3 do not reach the service', async () => {
  await using server = await openServer()
  await expect(ask(server.url.replace('https', 'http'), '/secret')).rejects.toThrow()
  await expect(ask(server.url, '/secret', { ...service, maxVersion: 'TLSv1.2' })).rejects.toThrow(/protocol version/)
})

test('a service calls another one with its certificate, and no server that another authority has signed', async () => {
  await using server = await openServer()
  await using caller = await openCaller(renewed, authority)
  const pool = openPool(server.url, { tls: caller.tls })
  expect(await exchange(pool, get('/secret'), 5_000)).toMatchObject({ status: 200 })
  await pool.destroy()
  await using misled = await openCaller(renewed, otherAuthority)
  const wrong = openPool(server.url, { tls: misled.tls })
  await expect(exchange(wrong, get('/secret'), 5_000)).rejects.toThrow(/certificate/)
  await wrong.destroy()
})

test('certificates and authorities are replaced under load, and no call fails', { timeout: 60_000 }, async () => {
  await using server = await openServer()
  await using caller = await openCaller(service, authority)
  // Connections are left after some milliseconds, so that many are made while the files change.
  const pool = openPool(server.url, { connectionAgeMs: 20, tls: caller.tls })
  const statuses = new Map<number, number>()
  let isOver = false
  const loads = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { status } = await exchange(pool, get('/secret'), 10_000)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  expect(await shownBy(server.url)).toBe('service')
  // The order of a real rotation: everybody trusts both authorities, then the certificates change, then the old authority goes.
  const both = authority + otherAuthority
  await Promise.all([server.replace(service, both), caller.replace(service, both)])
  await server.replace(renewed, both)
  await eventually(async () => expect(await shownBy(server.url)).toBe('renewed'), { within: 20_000 })
  await caller.replace(stranger, both)
  await eventually(() => expect(caller.tls.current().cert).toBe(stranger.cert), { within: 20_000 })
  // A connection that was begun with the earlier certificate opens within a second, or not at all.
  await wait(1_000)
  await server.replace(renewed, otherAuthority)
  await eventually(async () => expect((await ask(server.url, '/secret', service)).status).toBe(401), { within: 20_000 })
  isOver = true
  await Promise.all(loads)
  await pool.destroy()
  expect([...statuses.keys()]).toEqual([200])
  expect(statuses.get(200)).toBeGreaterThan(20)
})

test('files that do not belong together change nothing, and missing settings are named', async () => {
  await using caller = await openCaller(service, authority)
  await caller.replace({ cert: renewed.cert, key: stranger.key }, authority)
  await wait(1_300)
  expect(caller.tls.current().cert).toBe(service.cert)
  const incomplete = { INTERNAL_TLS: 'mutual' as const, INTERNAL_TLS_CERT_FILE: '/x' }
  await expect(openInternalTls(incomplete, log)).rejects.toThrow(/INTERNAL_TLS_KEY_FILE[^]*INTERNAL_TLS_CA_FILE/)
  expect(await openInternalTls({ INTERNAL_TLS: 'mesh' }, log)).toBeUndefined()
})

test('with certificates no address may be plain', async () => {
  await using caller = await openCaller(service, authority)
  const issuer = { service: 'gateway' as const, mint: async () => '', sign: () => ({}) }
  const open = () => openPeers(issuer, { accounts: 'http://127.0.0.1:1' }, { tls: caller.tls })
  expect(open).toThrow(/address of accounts must begin with https/)
})
