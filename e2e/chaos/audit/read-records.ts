import { connectNats, type NatsSettings } from '@frontdesk/events'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { streams } from '@frontdesk/contracts'
import { hasDatabase } from '@frontdesk/database/service-databases'
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { LoadLog } from '../load/log.ts'
import { services, type Environment } from '../environment.ts'
import type {
  Records,
  DeadLetterRow,
  DeliveryRow,
  OutboxRow,
  PaymentRow,
  Receipt,
  StreamMessage,
  SubscriptionRow,
} from './records.ts'

export interface Span {
  since: Date
  /** Where the services' log ended then. */
  logOffset: number
}

/** Reads what all sides know of the time since a scenario began. */
export async function readRecords(
  environment: Environment,
  log: LoadLog,
  drained: Records['drained'],
  { since, logOffset }: Span,
): Promise<Records> {
  const { system } = environment
  // One snapshot: if something is still under way, a payment must not be compared with an outbox of another time.
  const payments = await system.database('payments').connect()
  const rows = async <Row extends object>(service: string, sql: string): Promise<Row[]> => {
    const database = service === 'payments' ? payments : system.database(service)
    return (await database.query<Row & Record<string, unknown>>(sql, [since])).rows
  }
  try {
    await payments.query('begin isolation level repeatable read read only')
    return await readAll(environment, rows, { log, drained, since, logOffset })
  } finally {
    payments.release(true)
  }
}

async function readAll(
  environment: Environment,
  rows: Rows,
  { log, drained, since, logOffset }: Pick<Records, 'log' | 'drained'> & Span,
): Promise<Records> {
  const outbox = await readOutboxes(rows)
  // Later than the outboxes: it has all that they call published.
  const stream = await readStreams(environment.system.devStack.dev.nats.administrator, since)
  return {
    log,
    drained,
    payments: await rows<PaymentRow>(
      'payments',
      `select id, reference, site_slug as site, status, outcome, payment_id as "paymentId", event_count as "eventCount"
         from payments where created_at >= $1`,
    ),
    sites: await rows('registry', 'select name, slug from sites where created_at >= $1'),
    ledger: (await environment.system.provider.ledger()).filter(
      ({ createdAt = '' }) => Date.parse(createdAt) >= since.getTime(),
    ),
    outbox,
    stream,
    applied: await readApplied(rows),
    accounts: await readAccounts(environment),
    deliveries: await rows<DeliveryRow>(
      'webhook-delivery',
      `select event_id as "eventId", subscription_id as "subscriptionId", rtrim(url, '/') as url, d.state
         from delivery.deliveries d join delivery.events e using (event_id) join subscriptions s on s.id = subscription_id
        where e.received_at >= $1`,
    ),
    subscriptions: await rows<SubscriptionRow>(
      'webhook-delivery',
      `select id, site_slug as site, rtrim(url, '/') as url, created_at < $1 and deleted_at is null as throughout from subscriptions`,
    ),
    receipts: environment.practices.flatMap((practice) => receiptsOf(practice, since)),
    deadLetters: await readDeadLetters(rows),
    secretsInLogs: findSecrets(environment, logOffset),
  }
}

type Rows = <Row extends object>(service: string, sql: string) => Promise<Row[]>

async function readOutboxes(rows: Rows): Promise<OutboxRow[]> {
  const all: OutboxRow[] = []
  for (const service of services.filter(hasDatabase)) {
    const own = await rows<OutboxRow>(
      service,
      `select '${service}' as service, id, aggregate_type || ' ' || aggregate_id as aggregate, aggregate_version as version,
              visibility, subject, published_at is not null as published, encode(sha256(payload), 'hex') as digest
         from outbox where created_at >= $1 order by seq`,
    )
    all.push(...own)
  }
  return all
}

async function readApplied(rows: Rows): Promise<Record<string, string[]>> {
  const ids = async (service: string, sql: string) => (await rows<{ id: string }>(service, sql)).map(({ id }) => id)
  const delivered = await ids('webhook-delivery', 'select event_id as id from delivery.events where received_at >= $1')
  return {
    'webhook-delivery-payments': delivered,
    'webhook-delivery-accounts': delivered,
    'payments-accounts': await ids(
      'payments',
      `select event_id as id from inbox where consumer = 'payments-accounts' and received_at >= $1`,
    ),
    'payments-provider-events': await ids(
      'payments',
      `select id from outbox join provider_events
           on event_id = convert_from(outbox.payload, 'UTF8')::jsonb -> 'data' ->> 'providerEventId'
        where visibility = 2 and created_at >= $1 and applied_at is not null`,
    ),
  }
}

async function readAccounts({ system }: Environment): Promise<Records['accounts']> {
  const sent = await system.database('accounts').query<{ id: string; version: number }>(
    `select distinct on (aggregate_id) aggregate_id as id,
            (convert_from(payload, 'UTF8')::jsonb -> 'data' ->> 'version')::int as version
       from outbox where aggregate_type = 'account' order by aggregate_id, aggregate_version desc`,
  )
  const copies = await system
    .database('payments')
    .query<{ id: string; version: number }>('select account_id as id, version from account_copies')
  const copied = new Map(copies.rows.map(({ id, version }) => [id, version]))
  return sent.rows.map(({ id, version }) => ({ id, version, copied: copied.get(id) }))
}

async function readDeadLetters(rows: Rows): Promise<DeadLetterRow[]> {
  const all: DeadLetterRow[] = []
  for (const service of ['accounts', 'payments', 'webhook-delivery']) {
    const own = await rows<DeadLetterRow>(
      service,
      'select consumer, message_id as "messageId", reason from dead_letters where set_aside_at >= $1',
    )
    all.push(...own)
  }
  for (const service of services.filter(hasDatabase)) {
    const own = await rows<DeadLetterRow>(
      service,
      `select 'outbox of ${service}' as consumer, id as "messageId", set_aside_reason as reason
         from outbox where set_aside_at >= $1`,
    )
    all.push(...own)
  }
  return all
}

/** Reads the messages of all logs of events. */
export async function readStreams(settings: NatsSettings, since: Date): Promise<StreamMessage[]> {
  const kept: StreamMessage[] = []
  const connection = await connectNats(settings)
  try {
    const manager = await jetstreamManager(connection)
    const names: string[] = []
    for await (const { config } of manager.streams.list()) names.push(config.name)
    const logs = streams.map(({ name }) => name).filter((name) => !name.startsWith('WRK_') && names.includes(name))
    for (const stream of logs) {
      const info = await manager.consumers.add(stream, {
        deliver_policy: DeliverPolicy.StartTime,
        opt_start_time: since.toISOString(),
        ack_policy: AckPolicy.None,
        inactive_threshold: 10_000_000_000,
      })
      const consumer = await jetstream(connection).consumers.get(stream, info.name)
      let left = info.num_pending
      while (left > 0) {
        const batch = await consumer.fetch({ max_messages: Math.min(left, 500), expires: 5_000 })
        let got = 0
        for await (const message of batch) {
          got++
          const id = message.headers?.get('Nats-Msg-Id') ?? ''
          // Of the version that is delivered.
          const isOutcome = /^evt\.pub\.payments\..*\.v1\./.test(message.subject)
          const outcomeOf = isOutcome ? message.json<{ data?: { recordId?: string } }>().data?.recordId : undefined
          const type = message.headers?.get('x-event-type') ?? ''
          kept.push({ stream, id, type, ...(outcomeOf !== undefined && { outcomeOf }) })
        }
        left = got === 0 ? 0 : left - got
      }
    }
    return kept
  } finally {
    await connection.close()
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function receiptsOf({ subscriber }: Environment['practices'][number], since: Date): Receipt[] {
  const { url, deliveries, unverified } = subscriber
  const receipt = (webhookId: string, request: { body: string; receivedAt: Date }, verified: boolean): Receipt => ({
    webhookId,
    url,
    digest: sha256(request.body),
    verified,
    at: request.receivedAt.getTime(),
  })
  return [
    ...deliveries.map(({ webhookId, request }) => receipt(webhookId, request, true)),
    ...unverified.map((request) => receipt(String(request.headers['webhook-id']), request, false)),
  ].filter(({ at }) => at >= since.getTime())
}

function findSecrets({ logFile, secrets }: Environment, offset: number): string[] {
  const text = readFileSync(logFile).subarray(offset).toString('utf8')
  return [...secrets()].flatMap(([secret, name]) => {
    const place = text.indexOf(secret)
    if (place === -1) return []
    const part = text.slice(text.lastIndexOf('\n', place) + 1).split(' ', 1)[0]
    return [`${name} is in the log of ${part}`]
  })
}
