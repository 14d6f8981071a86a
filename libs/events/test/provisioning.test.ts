import { consumers, streams } from '@frontdesk/contracts'
import { eventually, throwAwayNatsServers } from '@frontdesk/testing'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { expect, test } from 'vitest'
import { connectNats, provisionEvents, StreamSettingError, type NatsSettings } from '../src/index.ts'

interface Server extends AsyncDisposable {
  provisioner: NatsSettings
  manager: JetStreamManager
}

/** Starts nats-servers: one, or a cluster of three. */
async function openServers(count: 1 | 3, maxFileStore = '10GB'): Promise<Server> {
  await using opened = new AsyncDisposableStack()
  const servers = opened.use(await throwAwayNatsServers(count, maxFileStore))
  const connection = await connectNats(servers.settings())
  opened.defer(() => connection.close())
  const manager = await jetstreamManager(connection, { checkAPI: false })
  await eventually(async () => void (await manager.getAccountInfo()), { within: 20_000 })
  const owned = opened.move()
  return { provisioner: servers.settings('provisioner'), manager, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('a server with 10 GB takes all streams and consumers, and provisioning again changes nothing', async () => {
  await using server = await openServers(1, '10GB')
  const lines = await provisionEvents(server.provisioner)
  expect(lines).toHaveLength(streams.length + Object.keys(consumers).length)
  expect(lines).toContain('create stream EVT_PAYMENTS (3.2 GiB, 3 d, 1 replica)')
  expect(await provisionEvents(server.provisioner)).toEqual([])
})

test('a service provisions what it owns, and names the streams that its consumers wait for', async () => {
  await using server = await openServers(1)
  const lines = await provisionEvents(server.provisioner, { service: 'payments' })
  expect(lines).toEqual([
    'create stream EVT_PAYMENTS (3.2 GiB, 3 d, 1 replica)',
    'create stream WRK_PAYMENTS (1012.5 MiB, 7 d, 1 replica)',
    'consumer payments-sites waits for stream EVT_REGISTRY, which registry provisions; the service then makes it itself',
    'consumer payments-accounts waits for stream EVT_ACCOUNTS, which accounts provisions; the service then makes it itself',
    'create consumer payments-provider-events',
  ])
  await provisionEvents(server.provisioner, { service: 'registry' })
  expect(await provisionEvents(server.provisioner, { service: 'payments', dryRun: true })).toEqual([
    'create consumer payments-sites',
    expect.stringContaining('payments-accounts waits'),
  ])
  // A dry run has made nothing.
  expect((await provisionEvents(server.provisioner, { service: 'payments' }))[0]).toBe('create consumer payments-sites')
})

test('what the deployment has set is applied, and lowering it again takes --force', async () => {
  await using server = await openServers(1, '1TB')
  const present = async () => {
    const { config } = await server.manager.streams.info('EVT_PAYMENTS')
    return { gigabytes: config.max_bytes / 1e9, hours: config.max_age / 3.6e12 }
  }
  const large = { EVENTS_PAYMENTS_PER_SECOND: '200', EVT_PAYMENTS_MAX_AGE: '5d' }
  await provisionEvents(server.provisioner, { service: 'payments', env: large })
  expect(await present()).toEqual({ gigabytes: expect.closeTo(567, 0), hours: 120 })
  // Our defaults are smaller. They lower nothing, and are no drift.
  expect(await provisionEvents(server.provisioner, { service: 'payments', dryRun: true })).toEqual([
    expect.stringContaining('payments-sites waits'),
    expect.stringContaining('payments-accounts waits'),
  ])
  const small = { EVT_PAYMENTS_MAX_BYTES: '20GB', EVT_PAYMENTS_MAX_AGE: '6d' }
  await expect(provisionEvents(server.provisioner, { service: 'payments', env: small })).rejects.toThrow(
    'stream EVT_PAYMENTS stays as it is: max_bytes 527.9 GiB -> 18.6 GiB: this may lose events',
  )
  expect(await present()).toEqual({ gigabytes: expect.closeTo(567, 0), hours: 144 })
  await provisionEvents(server.provisioner, { service: 'payments', env: small, force: true })
  expect(await present()).toEqual({ gigabytes: 20, hours: 144 })
})

test('a setting that no stream has, or that cannot be read, is refused', async () => {
  await using server = await openServers(1)
  for (const env of [
    { EVT_PAYMENT_MAX_BYTES: '1GiB' },
    { EVT_PAYMENTS_MAX_BYTES: 'a lot' },
    { EVT_PAYMENTS_MAX_AGE: '30d' },
    { EVENTS_REPLICAS: '2' },
  ]) {
    await expect(provisionEvents(server.provisioner, { env })).rejects.toThrow(StreamSettingError)
  }
})

test('in a cluster, streams with three replicas keep them, whoever provisions without naming a number', async () => {
  await using server = await openServers(3)
  const replicas = async (stream: string) => (await server.manager.streams.info(stream)).config.num_replicas
  await eventually(() => provisionEvents(server.provisioner, { service: 'registry', env: { EVENTS_REPLICAS: '3' } }), {
    within: 20_000,
  })
  expect(await replicas('EVT_REGISTRY')).toBe(3)
  await provisionEvents(server.provisioner, { service: 'registry' })
  await provisionEvents(server.provisioner, { service: 'payments' })
  await provisionEvents(server.provisioner)
  expect(await replicas('EVT_REGISTRY')).toBe(3)
  await expect(
    provisionEvents(server.provisioner, { service: 'registry', env: { EVENTS_REPLICAS: '1' } }),
  ).rejects.toThrow('num_replicas 3 -> 1: this may lose events, and is done with --force only')
  expect(await replicas('EVT_REGISTRY')).toBe(3)
})
