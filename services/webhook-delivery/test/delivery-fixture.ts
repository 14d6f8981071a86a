import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  consumers,
  events,
  internalOperations,
  operations,
  type publicEventTypes,
  scopes,
  streams,
  type Body,
  type DeliverySummary,
  type EventData,
  type Operation,
  type OperationsOf,
  type Reply,
  type SiteAccess,
  operationUrl,
} from '@frontdesk/contracts'
import { openPool, type Pool } from '@frontdesk/database'
import {
  composeEvent,
  ownedBy,
  provisionStreams,
  toNatsHeaders,
  eventSiteOf,
  type OutboxEvent,
  connectNats,
} from '@frontdesk/events'
import type { Running } from '@frontdesk/service/process'
import { replaceFile, writeInternalKeys } from '@frontdesk/testing/internal-keys'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { openTokenIssuer, type Principal, type TokenIssuer } from '@frontdesk/service/tokens'
import { eventually, throwAwayDatabase, throwAwayNats, type ThrowAwayNats } from '@frontdesk/testing'
import { siteDeletedEvent } from '@frontdesk/testing/site-deleted'
import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { start, type StartDeps } from '../src/start.ts'

export type DeliveryOperation = OperationsOf<'webhook-delivery'>

export interface Answer<Id extends DeliveryOperation> {
  status: number
  /** Of a success; a problem has other members. */
  body: Reply<Id>['body']
  headers: Headers
}

/** One subscriber: a client (or a site's key) at one site, with a token as the gateway mints it. */
export interface Caller {
  principal: Principal
  site: SiteAccess
  call<Id extends DeliveryOperation>(
    id: Id,
    options?: { params?: Record<string, string>; query?: string; body?: Body<Id> | object; key?: string },
  ): Promise<Answer<Id>>
  /** Subscribes and returns the signing secret. */
  subscribe(url: string, body?: object): Promise<string>
}

/** The service on its own database and broker. */
export interface DeliveryFixture extends AsyncDisposable {
  /** As the administrator of Postgres. */
  pool: Pool
  /** The environment of the first replica. */
  env: Record<string, string>
  /** As the service logs in. */
  databaseUrl: string
  /** As the administrator of Postgres, who may do what the service may not. */
  administratorUrl: string
  nats: ThrowAwayNats
  js: JetStreamClient
  /** Where the first replica listens. */
  url(): string
  /** Another replica of the service. */
  startReplica(env?: Record<string, string>, options?: Partial<StartDeps>): Promise<Running>
  /** Stops the first replica. */
  stopFirst(): Promise<void>
  /** Stops the first replica and starts it with other settings. */
  restart(env?: Record<string, string>, options?: Partial<StartDeps>): Promise<void>
  /** Another replica in its own process, which can be killed. */
  spawnReplica(env?: Record<string, string>): Promise<Killable>
  /** Calls an internal operation as that service does. */
  callAs(
    service: 'gateway' | 'registry',
    id: 'endSiteKey' | 'tellClientRights',
    call?: { params?: Record<string, string>; body?: object },
  ): Promise<{ status: number; body: unknown }>
  caller(options?: { principal?: Partial<Principal>; site?: SiteAccess }): Caller
  /** Publishes an event of a payment as the relay of payments would; returns it as it was published. */
  publish(site: SiteAccess, options?: Publishing): Promise<OutboxEvent>
  /** Publishes an external event with any envelope. Returns its message id. */
  publishExternal(envelope: Record<string, unknown>, id?: string): Promise<string>
  /** Publishes registry's Internal event that a site was deleted. */
  deleteSite(site: SiteAccess): Promise<void>
  /** How many messages have been set aside. */
  deadLetters(): Promise<number>
  /** The events that the service has published. */
  ownEvents(): Promise<{ type: string; data: Record<string, unknown> }[]>
}

export interface Killable {
  kill(signal: NodeJS.Signals): Promise<void>
}

type PublicEventType = (typeof publicEventTypes)[number]

export interface Publishing {
  type?: PublicEventType
  /** Further attributes of the envelope. */
  attributes?: Record<string, unknown>
  at?: Date
}

let sites = 0

/** A new site. */
export function someSite(): SiteAccess {
  const slug = `s${process.pid}${Date.now().toString(36)}${++sites}`
  const organisation = `o${slug.slice(1)}`
  return {
    slug,
    name: 'Smile Dental',
    practiceManagementSystem: 'OpenDental',
    pmsSpecificId: `pms-${slug}`,
    owningOrganisation: organisation,
    billingOrganisation: organisation,
    status: 'Operational',
  }
}

const quick = {
  FRONTDESK_MODE: 'development',
  PUBLIC_URL: 'https://frontdesk.example',
  DELIVERY_ALLOW_LOOPBACK: 'true',
  DELIVERY_ALLOW_HTTP: 'true',
  DELIVERY_RETRY_SCHEDULE: '200ms,400ms,800ms',
  SHUTDOWN_DRAIN: '0s',
  SHUTDOWN_GRACE: '9s',
}

export async function openDeliveryFixture(
  env: Record<string, string> = {},
  options: Partial<StartDeps> = {},
): Promise<DeliveryFixture> {
  const stack = new AsyncDisposableStack()
  const database = stack.use(await throwAwayDatabase('webhook-delivery'))
  const nats = stack.use(await throwAwayNats())
  const connection = await connectNats(nats.settings(), { maxReconnectAttempts: -1, reconnectTimeWait: 100 })
  stack.defer(() => connection.close())
  const own = ownedBy('webhook-delivery', { streams, consumers: Object.values(consumers) })
  await provisionStreams(connection, streams, own.consumers)
  const pool = openPool({ url: database.url, name: 'delivery test', size: 4 })
  stack.defer(() => pool.end())
  const folder = stack.use(await throwAwayFolder()).path
  const keysOf = writeInternalKeys(folder, ['gateway', 'registry', 'webhook-delivery'])
  const issuer = openTokenIssuer('gateway', keysOf('gateway'))
  const ring = join(folder, 'ring.json')
  replaceFile(ring, { current: 'k1', keys: { k1: randomBytes(32).toString('base64') } })
  const base = {
    ...quick,
    WEBHOOK_DELIVERY_DATABASE_URL: database.runtimeUrl,
    ...nats.settings('webhook-delivery'),
    ...keysOf('webhook-delivery'),
    ENCRYPTION_KEYS_FILE: ring,
    ...env,
  }
  const replicas = new Set<Running>()
  stack.defer(async () => void (await Promise.all([...replicas].map((replica) => replica[Symbol.asyncDispose]()))))
  let first: Running | undefined

  async function startReplica(more: Record<string, string> = {}, also: Partial<StartDeps> = {}): Promise<Running> {
    const replica = await start({
      env: { ...base, ...more },
      log: pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' }),
      signal: new AbortController().signal,
      ...options,
      ...also,
    })
    replicas.add(replica)
    const stop = replica[Symbol.asyncDispose].bind(replica)
    replica[Symbol.asyncDispose] = async () => {
      replicas.delete(replica)
      await stop()
    }
    return replica
  }
  first = await startReplica()
  const js = jetstream(connection)

  return {
    pool,
    env: base,
    databaseUrl: database.runtimeUrl,
    administratorUrl: database.url,
    nats,
    js,
    url: () => first?.url ?? '',
    startReplica,
    async spawnReplica(more) {
      const replica = await spawnService({ ...base, ...more })
      stack.defer(() => replica.kill('SIGKILL'))
      return replica
    },
    stopFirst: async () => first?.[Symbol.asyncDispose](),
    async restart(more, also) {
      await first?.[Symbol.asyncDispose]()
      first = await startReplica(more, also)
    },
    async callAs(service, id, { params = {}, body } = {}) {
      const { method, path: pattern } = internalOperations[id]
      const path = operationUrl(pattern, params)
      const caller = openTokenIssuer(service, keysOf(service))
      const principal = { id: `service:${service}`, scopes: [], practiceManagementSystems: [] }
      const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const headers = {
        authorization: `Bearer ${await caller.mint('webhook-delivery', { principal })}`,
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const reply = await fetch(`${first?.url ?? ''}${path}`, {
        method,
        headers: caller.sign('webhook-delivery', { method, path, headers, body: sent }),
        ...(sent === undefined ? {} : { body: sent }),
      })
      return { status: reply.status, body: await reply.json() }
    },
    caller: ({ principal = {}, site = someSite() } = {}) =>
      callerOf(
        () => first?.url ?? '',
        issuer,
        { id: 'client:test', scopes: [...scopes], practiceManagementSystems: ['OpenDental'], ...principal },
        site,
      ),
    async publish(site, { type = 'payment.succeeded', attributes = {}, at = new Date() } = {}) {
      const event = publicEvent(site, type, at)
      const envelope = { ...JSON.parse(event.payload.toString()), ...attributes }
      const payload = Buffer.from(JSON.stringify(envelope))
      await js.publish(event.subject, payload, { msgID: event.id, headers: toNatsHeaders(event.headers) })
      return { ...event, payload }
    },
    async publishExternal(envelope, id = uuidv7()) {
      await js.publish(
        `evt.pub.external.event.published.v1.${String(envelope['siteslug'])}`,
        JSON.stringify(envelope),
        { msgID: id },
      )
      return id
    },
    async deleteSite(site) {
      const event = siteDeletedEvent(site)
      await js.publish(event.subject, event.payload, { msgID: event.id })
    },
    async deadLetters() {
      const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from dead_letters')
      return rows[0]?.count ?? 0
    },
    ownEvents: () => readStream(connection, 'EVT_WEBHOOK_DELIVERY'),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Runs the service as a process, as in production. */
async function spawnService(env: Record<string, string>): Promise<Killable> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await Promise.race([
    new Promise<void>((resolve) =>
      createInterface({ input: child.stdout }).on('line', (line) => line.includes('"msg":"ready"') && resolve()),
    ),
    exited.then(() => Promise.reject(new Error('the service did not start'))),
  ])
  return {
    async kill(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await exited
    },
  }
}

function callerOf(url: () => string, gateway: TokenIssuer, principal: Principal, site: SiteAccess): Caller {
  const call: Caller['call'] = async (id, { params = {}, query = '', body, key } = {}) => {
    const operation: Operation = operations[id]
    const { method } = operation
    const path = `${operationUrl(operation.path, { SiteSlug: site.slug, ...params })}${query}`
    const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const headers = {
      authorization: `Bearer ${await gateway.mint('webhook-delivery', { principal, site })}`,
      ...(body === undefined ? {} : { 'content-type': operation.contentTypes?.[0] ?? 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    const reply = await fetch(`${url()}${path}`, {
      method,
      headers: gateway.sign('webhook-delivery', { method, path, headers, body: sent }),
      ...(sent === undefined ? {} : { body: sent }),
    })
    return { status: reply.status, body: (await reply.json()) as never, headers: reply.headers }
  }
  return {
    principal,
    site,
    call,
    async subscribe(target, body = {}) {
      const reply = await call('subscribe', { body: { EventTypes: ['payment.*'], Url: target, ...body } })
      if (reply.status >= 300) throw new Error(JSON.stringify(reply.body))
      return reply.body.SigningSecret ?? ''
    },
  }
}

/** Returns a Public event of a site, as the service that owns it makes it. */
function publicEvent(site: SiteAccess, type: PublicEventType, at: Date): OutboxEvent {
  const recordId = uuidv7()
  const outcome = { recordId, reference: 'INV-1', paymentProvider: 'Sandbox' as const }
  const refund = { refundId: uuidv7(), currency: 'EUR', amount: 500, refundedAmount: 500, ...outcome }
  const dispute = { disputeId: 'dp_1', currency: 'EUR', amount: 12_500, ...outcome }
  const data = {
    'payment.succeeded': { currency: 'EUR', amount: 12_500, ...outcome },
    'payment.failed': { failureReason: 'declined', ...outcome },
    'payment.cancelled': { cancellationReason: 'expired', ...outcome },
    'refund.succeeded': refund,
    'refund.failed': { ...refund, failureReason: 'expired_or_canceled_card' },
    'dispute.opened': dispute,
    'dispute.closed': { ...dispute, disputeOutcome: 'won' },
    'account.status_changed': {
      accountId: recordId,
      paymentProvider: 'Sandbox',
      status: 'Active',
      previousStatus: 'Pending',
      externalAccountId: 'acct_1',
    },
  }[type] as EventData<typeof type>
  const [service] = events[type].owners
  return composeEvent(
    { service, publicUrl: 'https://frontdesk.example' },
    {
      type,
      aggregate: { type: events[type].entity, id: recordId, version: 1 },
      data,
      time: at,
      site: eventSiteOf(site),
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    },
  )
}

async function readStream(
  connection: NatsConnection,
  name: string,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const manager = await jetstreamManager(connection)
  const { state } = await manager.streams.info(name)
  const found: { type: string; data: Record<string, unknown> }[] = []
  for (let seq = state.first_seq; seq > 0 && seq <= state.last_seq; seq++) {
    const message = await manager.streams.getMessage(name, { seq })
    if (message !== null) found.push(message.json())
  }
  return found
}

/** A caller's deliveries, newest first, once there are as many as expected. */
export async function deliveriesOf(caller: Caller, count: number): Promise<DeliverySummary[]> {
  return eventually(async () => {
    const { body } = await caller.call('listDeliveries')
    if (body.Items?.length !== count) throw new Error(`${body.Items?.length} deliveries`)
    return body.Items
  })
}

/** The one delivery of a caller. */
export async function onlyDelivery(caller: Caller): Promise<DeliverySummary> {
  const [delivery] = await deliveriesOf(caller, 1)
  if (delivery === undefined) throw new Error('there is no delivery')
  return delivery
}
