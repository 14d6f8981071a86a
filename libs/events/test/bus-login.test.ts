import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startNats } from '@frontdesk/dev-stack/servers'
import { eventually, selfSigned, throwAwayFolder, throwAwayNats } from '@frontdesk/testing'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { nkeys } from '@nats-io/transport-node'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { connectNats, openBus, openBusCredentials, provisionEvents, type NatsSettings } from '../src/index.ts'

const newSeed = () => Buffer.from(nkeys.createUser().getSeed()).toString('utf8')
const account = (password: string) =>
  `authorization {\n  users: [ { user: "payments", password: ${JSON.stringify(password)} } ]\n}\n`

/** Opens a service's bus, and collects what it logs as errors and warnings. */
function openCollecting(settings: NatsSettings, name = 'payments') {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  return Object.assign(openBus({ settings, name, log }), { lines })
}

async function openServer({ users, config = [] }: { users: string; config?: string[] }) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await throwAwayFolder())
  const server = opened.use(await startNats({ storeDir: join(folder.path, 'nats'), users, config }))
  const owned = opened.move()
  return { ...server, folder: folder.path, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('a password that is changed on the server and then in its file needs no restart, and the refusal is logged once', async () => {
  await using server = await openServer({ users: account('first') })
  const file = join(server.folder, 'password')
  writeFileSync(file, 'first\n')
  await using bus = openCollecting({ NATS_URL: server.url, NATS_USER: 'payments', NATS_PASSWORD_FILE: file })
  await bus.connection()
  expect(bus.state()).toBe('connected')

  const config = join(server.storeDir, 'nats-server.conf')
  writeFileSync(config, readFileSync(config, 'utf8').replace(account('first'), account('second')))
  server.kill('SIGHUP')
  await eventually(() => expect(bus.state()).toBe('disconnected; NATS refuses the login'), { within: 15_000 })
  // The client would give up for good after two refusals.
  await wait(2_500)
  expect(bus.state()).toBe('disconnected; NATS refuses the login')
  writeFileSync(file, '')
  writeFileSync(`${file}.new`, 'second\n')
  renameSync(`${file}.new`, file)
  await eventually(() => expect(bus.state()).toBe('connected'), { within: 15_000 })
  const refusals = bus.lines.filter((line) => line.includes('NATS refuses the login'))
  expect(refusals).toHaveLength(1)
  expect(refusals[0]).toContain('NATS_PASSWORD_FILE')
})

test('a login that is wrong from the start is logged once, and works as soon as the file is right', async () => {
  await using server = await openServer({ users: account('right') })
  const file = join(server.folder, 'password')
  writeFileSync(file, 'wrong')
  await using bus = openCollecting({ NATS_URL: server.url, NATS_USER: 'payments', NATS_PASSWORD_FILE: file })
  await eventually(() => expect(bus.state()).toBe('disconnected; NATS refuses the login'))
  await wait(2_500)
  writeFileSync(file, 'right')
  await bus.connection()
  expect(bus.state()).toBe('connected')
  expect(bus.lines).toHaveLength(1)
})

test('a key is replaced as docs/streams.md says: the service goes on, and what it publishes meanwhile arrives', async () => {
  await using folder = await throwAwayFolder()
  const keys = join(folder.path, 'keys')
  const [key, next] = [join(keys, 'payments.nk'), join(keys, 'payments.next.nk')]
  const before = openBusCredentials(keys)
  await using server = await openServer({ users: before.serverConfig })
  await provisionEvents(before.settings(server.url, 'provisioner'))
  const reload = () => {
    const config = join(server.storeDir, 'nats-server.conf')
    const users = openBusCredentials(keys).serverConfig
    writeFileSync(config, readFileSync(config, 'utf8').replace(/^authorization \{[^]*^\}$/m, users.trim()))
    server.kill('SIGHUP')
  }
  // The service's own mounted copy of its key.
  const mounted = join(folder.path, 'mounted.nk')
  copyFileSync(key, mounted)
  await using bus = openCollecting({ NATS_URL: server.url, NATS_CREDENTIALS_FILE: mounted })
  const js = await bus.jetstream()
  let connections = 0
  bus.onConnect(() => connections++)
  let published = 0
  const ended = new AbortController()
  const publishing = (async () => {
    while (!ended.signal.aborted) {
      const msgID = `event-${published}`
      // As the relay does: what fails is published again under the same id.
      await js.publish('evt.pub.payments.payment.succeeded.v1.s123', '{}', { msgID, timeout: 1_000 }).then(
        () => published++,
        () => wait(50),
      )
    }
  })()

  writeFileSync(next, newSeed())
  reload()
  const both = { NATS_URL: server.url, NATS_CREDENTIALS_FILE: next }
  await eventually(async () => (await connectNats(both, { reconnect: false })).close())
  expect(connections).toBe(0)
  copyFileSync(next, mounted)
  renameSync(next, key)
  reload()
  await eventually(() => expect(connections).toBe(1), { within: 15_000 })
  const afterwards = published + 10
  await eventually(() => expect(published).toBeGreaterThan(afterwards))
  ended.abort()
  await publishing
  const admin = await connectNats(before.settings(server.url, 'administrator'))
  const { state } = await (await jetstreamManager(admin)).streams.info('EVT_PAYMENTS')
  await admin.close()
  expect(state.messages).toBe(published)
  expect(bus.state()).toBe('connected')
})

test('what NATS refuses is logged once with what to do, and shown in the state', async () => {
  await using nats = await throwAwayNats()
  await using bus = openCollecting(nats.settings('accounts'), 'accounts')
  const js = await bus.jetstream()
  for (const site of ['s1', 's2', 's3'])
    await expect(js.publish(`evt.pub.payments.payment.succeeded.v1.${site}`, '{}')).rejects.toThrow(/[Pp]ermissions/)
  expect(bus.state()).toBe('connected; NATS refuses to publish to evt.pub.payments')
  expect(bus.lines).toHaveLength(1)
  expect(bus.lines[0]).toContain('scripts/print-nats-users.ts')
})

test('a server without users is warned of', async () => {
  await using server = await openServer({ users: '' })
  await using bus = openCollecting({ NATS_URL: server.url })
  await bus.connection()
  await eventually(() => expect(bus.lines.join()).toContain('NATS lets everybody in'))
})

test('in the transition, services of the release before need no key, and those of this one keep their rights', async () => {
  await using folder = await throwAwayFolder()
  await using nats = await throwAwayNats(openBusCredentials(folder.path, undefined, { transition: true }))
  await provisionEvents(nats.settings('provisioner'))
  const subject = 'evt.pub.payments.payment.succeeded.v1.s123'
  const before = await connectNats({ NATS_URL: nats.url })
  await jetstream(before).publish(subject, '{}')
  await jetstreamManager(before)
  await before.close()
  const accounts = await connectNats(nats.settings('accounts'), { inboxPrefix: '_INBOX_accounts' })
  await expect(jetstream(accounts).publish(subject, '{}')).rejects.toThrow(/[Pp]ermissions/)
  await accounts.close()
})

test('TLS: the certificate is checked by its name, and the password goes over nothing else', async () => {
  await using folder = await throwAwayFolder()
  const files = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
  writeFileSync(files.cert, selfSigned.cert)
  writeFileSync(files.key, selfSigned.key, { mode: 0o600 })
  const password = join(folder.path, 'password')
  writeFileSync(password, 'secret')
  const tls = `tls { cert_file: ${JSON.stringify(files.cert)}, key_file: ${JSON.stringify(files.key)}, ca_file: ${JSON.stringify(files.cert)}, verify: true }`
  await using server = await openServer({ users: account('secret'), config: [tls] })
  const login = { NATS_USER: 'payments', NATS_PASSWORD_FILE: password, NATS_TLS: 'required' }
  const client = { NATS_CERT_FILE: files.cert, NATS_KEY_FILE: files.key }
  const byName = `nats://localhost:${server.port}`
  const connect = (settings: NatsSettings) => connectNats(settings, { reconnect: false, timeout: 3_000 })

  const connection = await connect({ NATS_URL: byName, NATS_CA_FILE: files.cert, ...login, ...client })
  expect(connection.info?.tls_required).toBe(true)
  await connection.close()
  // Nobody whom we trust has signed it; and the server asks for ours.
  await expect(connect({ NATS_URL: byName, ...login, ...client })).rejects.toThrow(/self.signed/)
  await expect(connect({ NATS_URL: byName, NATS_CA_FILE: files.cert, ...login })).rejects.toThrow()
})

test('TLS: a server or a man in the middle that offers none gets no byte of us', async () => {
  const received: Buffer[] = []
  const stripping = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => void received.push(bytes))
    socket.write(
      `INFO {"server_id":"x","version":"2.12.15","max_payload":1048576,"headers":true,"auth_required":true}\r\n`,
    )
  })
  await new Promise<void>((resolve) => stripping.listen(0, '127.0.0.1', resolve))
  await using folder = await throwAwayFolder()
  const password = join(folder.path, 'password')
  writeFileSync(password, 'secret')
  const { port } = stripping.address() as AddressInfo
  const settings = { NATS_URL: `localhost:${port}`, NATS_USER: 'payments', NATS_PASSWORD_FILE: password }
  const options = { reconnect: false, timeout: 2_000 }
  await expect(connectNats({ ...settings, NATS_TLS: 'required' }, options)).rejects.toThrow("does not support 'tls'")
  expect(Buffer.concat(received).toString()).toBe('')
  stripping.close()
})
