import { busUsers, consumers, teamUser } from '@frontdesk/contracts'
import { eventually, throwAwayFolder, throwAwayNats } from '@frontdesk/testing'
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { PermissionViolationError, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  connectNats,
  consumerConfig,
  openBusCredentials,
  parseEvent,
  PermanentError,
  provisionEvents,
  startingAt,
} from '../src/index.ts'

const team = teamUser('recalls', ['evt.pub.payments.>', 'evt.int.registry.site.*.v1.*'])
const opened = new AsyncDisposableStack()
const connections = new Map<string, NatsConnection>()

beforeAll(async () => {
  const folder = opened.use(await throwAwayFolder())
  const credentials = openBusCredentials(folder.path, [...busUsers, team])
  const nats = opened.use(await throwAwayNats(credentials))
  await provisionEvents(nats.settings('provisioner'))
  for (const { name } of [...busUsers, team]) {
    const connection = await connectNats(nats.settings(name), { inboxPrefix: `_INBOX_${name}` })
    connections.set(name, connection)
    opened.defer(() => connection.close())
  }
})
afterAll(() => opened.disposeAsync())

function as(user: string): NatsConnection {
  const connection = connections.get(user)
  if (connection === undefined) throw new Error(`there is no user ${user}`)
  return connection
}

/** Returns whether the server lets the user publish there. The message is empty, which no consumer takes for an event. */
async function mayPublish(user: string, subject: string): Promise<boolean> {
  const refused = refusals(as(user))
  as(user).publish(subject)
  await as(user).flush()
  return !(await refused(subject))
}

async function maySubscribe(user: string, subject: string): Promise<boolean> {
  const refused = refusals(as(user))
  const subscription = as(user).subscribe(subject, { callback: () => {} })
  await as(user).flush()
  const is = !(await refused(subject))
  if (is) subscription.unsubscribe()
  return is
}

/** Collects what the server refuses from now on. Its answer comes before that of a ping. */
function refusals(connection: NatsConnection): (subject: string) => Promise<boolean> {
  const found: string[] = []
  const statuses = connection.status()
  void (async () => {
    for await (const status of statuses)
      if (status.type === 'error' && status.error instanceof PermissionViolationError) found.push(status.error.subject)
  })()
  return async (subject) => {
    await connection.flush()
    return found.includes(subject)
  }
}

const site = 's123'
const subjects = {
  registry: `evt.int.registry.site.deleted.v1.${site}`,
  accounts: `evt.int.accounts.account.updated.v1.${site}`,
  payments: `evt.pub.payments.payment.succeeded.v1.${site}`,
  'webhook-delivery': `evt.int.webhook-delivery.subscription.created.v1.${site}`,
}
const work = {
  accounts: 'work.accounts.provider.event.received.v1.-',
  payments: 'work.payments.provider.event.received.v1.-',
}
const external = `evt.pub.external.event.com_example_recall.v1.${site}`
const services = ['gateway', 'registry', 'accounts', 'payments', 'webhook-delivery']

describe('a service publishes its own events, and nobody else’s', () => {
  const all = [...Object.entries(subjects), ...Object.entries(work), ['webhook-delivery', external] as const]
  test.each([...services, 'provisioner', 'recalls'])('%s', async (user) => {
    const allowed: string[] = []
    for (const [, subject] of all) if (await mayPublish(user, subject)) allowed.push(subject)
    expect(allowed).toEqual(all.flatMap(([owner, subject]) => (owner === user ? [subject] : [])))
  })
})

test.each(services)('%s hears its own inbox and nudge, and no other’s', async (user) => {
  const relays = services.filter((service) => service !== 'gateway')
  for (const other of [...services, 'provisioner'])
    expect([other, await maySubscribe(user, `_INBOX_${other}.x`)]).toEqual([other, other === user])
  for (const relay of relays) {
    expect([relay, await maySubscribe(user, `nudge.${relay}.relay`)]).toEqual([relay, relay === user])
    expect([relay, await mayPublish(user, `nudge.${relay}.relay`)]).toEqual([relay, relay === user])
  }
  for (const wide of ['>', 'evt.>', 'evt.pub.payments.>', '_INBOX_*.>', '$JS.>', '$SYS.>'])
    expect([wide, await maySubscribe(user, wide)]).toEqual([wide, false])
  expect(await maySubscribe(user, consumers.paymentsSites.filter)).toBe(user === 'gateway')
})

describe('JetStream', () => {
  const every = Object.values(consumers)
  const managerOf = async (user: string): Promise<JetStreamManager> =>
    await jetstreamManager(as(user), { checkAPI: false, timeout: 2_000 })
  /** Whether the server let it through; any other failure than a refusal is one of the test. */
  const may = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work
      return true
    } catch (error) {
      if (error instanceof PermissionViolationError || (error as Error).cause instanceof PermissionViolationError)
        return false
      throw error
    }
  }

  test.each([...services, 'recalls'])('%s reads, removes and makes its own consumers, and no other', async (user) => {
    const manager = await managerOf(user)
    for (const consumer of every) {
      const { name, stream, owner } = consumer
      const made = { ...consumerConfig(consumer), ...startingAt(undefined) }
      const own = owner === user
      expect([name, await may(manager.consumers.info(stream, name))]).toEqual([name, own])
      expect([name, await mayPublish(user, `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`)]).toEqual([name, own])
      expect([name, await mayPublish(user, `$JS.ACK.${stream}.${name}.1.1.1.1.0`)]).toEqual([name, own])
      expect([name, await may(manager.consumers.delete(stream, name))]).toEqual([name, own])
      expect([name, await may(manager.consumers.add(stream, made))]).toEqual([name, own])
      // A wider filter would show what the consumer is not for.
      const wider = manager.consumers.add(stream, { ...made, filter_subject: '>' })
      expect([name, await may(wider)]).toEqual([name, false])
    }
  })

  test.each([...services, 'recalls', 'provisioner'])('%s administers no stream that it need not', async (user) => {
    const manager = await managerOf(user)
    const isProvisioner = user === 'provisioner'
    expect(await may(manager.streams.add({ name: 'MINE', subjects: ['mine.>'] }))).toBe(false)
    expect(await may(manager.streams.delete('EVT_PAYMENTS'))).toBe(false)
    expect(await may(manager.streams.purge('EVT_PAYMENTS'))).toBe(false)
    expect(await mayPublish(user, '$JS.API.STREAM.UPDATE.EVT_PAYMENTS')).toBe(isProvisioner)
    expect(await mayPublish(user, '$JS.API.STREAM.CREATE.EVT_PAYMENTS')).toBe(isProvisioner)
    expect(await mayPublish(user, '$JS.API.STREAM.RESTORE.EVT_PAYMENTS')).toBe(false)
    expect(await mayPublish(user, '$JS.API.STREAM.MSG.DELETE.EVT_PAYMENTS')).toBe(false)
    const reads = ['payments', 'webhook-delivery']
    expect(await mayPublish(user, '$JS.API.STREAM.MSG.GET.WRK_PAYMENTS')).toBe(user === 'payments')
    expect(await mayPublish(user, '$JS.API.STREAM.MSG.GET.EVT_PAYMENTS')).toBe(user === 'webhook-delivery')
    expect(await mayPublish(user, '$JS.API.DIRECT.GET.EVT_PAYMENTS')).toBe(false)
    expect(await mayPublish(user, '$JS.API.STREAM.INFO.EVT_PAYMENTS')).toBe(
      [...reads, 'recalls', 'provisioner'].includes(user),
    )
  })
})

test('another team reads what it was given by durables of its own, and nothing else', async () => {
  const admin = jetstream(as('administrator'))
  await admin.publish(subjects.payments, 'public')
  await admin.publish(subjects.payments.replace('.pub.', '.int.'), 'internal')
  const manager = await jetstreamManager(as('recalls'), { checkAPI: false })
  await manager.consumers.add('EVT_PAYMENTS', {
    durable_name: 'recalls-1',
    filter_subject: 'evt.pub.payments.>',
    ack_policy: 'explicit',
  })
  const reader = await jetstream(as('recalls')).consumers.get('EVT_PAYMENTS', 'recalls-1')
  const seen: string[] = []
  const fetched = await reader.fetch({ max_messages: 50, expires: 1_000 })
  for await (const message of fetched) {
    seen.push(message.subject)
    expect(await message.ackAck()).toBe(true)
  }
  expect(new Set(seen)).toEqual(new Set([subjects.payments]))
  const internal = { durable_name: 'recalls-1', filter_subject: 'evt.int.payments.>', ack_policy: 'explicit' } as const
  await expect(manager.consumers.add('EVT_PAYMENTS', internal)).rejects.toThrow(/[Pp]ermissions/)
  await expect(manager.streams.getMessage('EVT_PAYMENTS', { seq: 1 })).rejects.toThrow(/[Pp]ermissions/)
})

test('a service cannot have the server act or publish in its place, under a subject that it has no right to', async () => {
  const forger = as('webhook-delivery')
  const forged = subjects.payments.replace(site, 'sForged')
  const { stream, name, filter } = consumers.deliveryExternal
  const pull = (reply: string) =>
    forger.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, JSON.stringify({ batch: 1 }), { reply })
  // The server checks no right for the subject of a reply: a pull is answered there, and so is a publish. Deleting takes an
  // empty message.
  await jetstream(forger).publish(external, '')
  pull('$JS.API.STREAM.DELETE.EVT_PAYMENTS')
  await jetstream(forger).publish(external, 'forged')
  pull(forged)
  forger.publish(external, 'forged', { reply: forged })
  forger.publish(`$JS.API.STREAM.INFO.${stream}`, '', { reply: forged })
  const manager = await jetstreamManager(forger, { checkAPI: false })
  await manager.consumers.delete(stream, name)
  await manager.consumers.add(stream, { durable_name: name, filter_subject: filter, deliver_subject: forged })
  await forger.flush()
  const answers: string[] = []
  await eventually(async () => {
    const reader = await jetstreamManager(as('administrator'))
    const { state } = await reader.streams.info('EVT_PAYMENTS')
    answers.splice(0)
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await reader.streams.getMessage('EVT_PAYMENTS', { seq })
      if (message?.subject === forged) answers.push(Buffer.from(message.data).toString())
    }
    // What comes under that subject are answers of the server itself, which are no events.
    expect(answers).toEqual(expect.arrayContaining([expect.stringContaining('stream_info_response')]))
  })
  expect(answers).not.toContain('forged')
  for (const answer of answers) expect(() => parseEvent(Buffer.from(answer))).toThrow(PermanentError)
})

test('the administrator may do everything, and nobody without a key anything', async () => {
  expect(await mayPublish('administrator', subjects.payments)).toBe(true)
  expect(await maySubscribe('administrator', '>')).toBe(true)
  const [server] = [connections.get('administrator')?.getServer()]
  await expect(connectNats({ NATS_URL: server ?? '' }, { reconnect: false })).rejects.toThrow(
    /Authorization Violation.*NATS_CREDENTIALS_FILE/,
  )
})

test.each(['work.payments.>', 'evt.priv.payments.>', 'evt.*.*.>', '>', 'evt.>', 'dlq.>', 'evt.pub.nobody.>'])(
  'no team is given %s',
  (filter) => expect(() => teamUser('recalls', [filter])).toThrow(RangeError),
)
