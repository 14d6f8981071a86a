import { connectNats } from '@frontdesk/events'
import { consumers } from '@frontdesk/contracts'
import { jetstreamManager } from '@nats-io/jetstream'
import type { Report } from '../harness/results.ts'
import type { Arrivals } from '../processes/receiver.ts'
import { until } from '../harness/wait.ts'
import type { Subscribers } from './subscribers.ts'
import type { Environment } from './environment.ts'

/** The events of one round in the databases and at the receiver. */
export interface Records {
  /** Events in the outbox of payments: everything that was committed. */
  accepted: number
  /** Deliveries that these events require. */
  due: number
  /** Due deliveries that the receiver never got. */
  lost: number
  /** Requests that repeat a delivery. */
  duplicates: number
  /** Due deliveries that webhook-delivery has not recorded as delivered. */
  unrecorded: number
  /** Requests whose `webhook-id` is not the id of the event in the body (if bodies were inspected). */
  mislabelled: number
}

/** Returns the last position in the outbox of payments: the events of the next round follow it. */
export async function outboxEnd({ system }: Environment): Promise<bigint> {
  const result = await system
    .database('payments')
    .query<{ seq: bigint }>('select coalesce(max(seq), 0) as seq from outbox')
  return result.rows[0]?.seq ?? 0n
}

/** Returns how many events of payments wait for the relay. */
export async function unpublished({ system }: Environment): Promise<number> {
  return count(system.database('payments'), 'select count(*)::int as count from outbox where published_at is null')
}

/** Returns how many messages webhook-delivery has not acknowledged, unread or in progress in a replica, dead or alive. */
export async function unacknowledged({ system }: Environment): Promise<number> {
  const { stream, name } = consumers.deliveryPayments
  const connection = await connectNats(system.devStack.dev.nats.administrator)
  try {
    const manager = await jetstreamManager(connection)
    const { num_pending: unread, num_ack_pending: inProgress } = await manager.consumers.info(stream, name)
    return unread + inProgress
  } finally {
    await connection.close()
  }
}

/** Returns how many deliveries are pending, in all or for some subscribers. */
export async function pending({ system }: Environment, subscribers?: Subscribers): Promise<number> {
  const database = system.database('webhook-delivery')
  if (subscribers === undefined) {
    return count(database, `select count(*)::int as count from delivery.deliveries where state = 'pending'`)
  }
  return count(
    database,
    `select count(*)::int as count from delivery.deliveries
      where state = 'pending' and subscription_id in (select id from subscriptions where site_slug = any($1))`,
    [subscribers.sites.map(({ siteSlug }) => siteSlug)],
  )
}

interface Countable {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

async function count(database: Countable, text: string, values: unknown[] = []): Promise<number> {
  const result = await database.query<{ count: number }>(text, values)
  return result.rows[0]?.count ?? 0
}

/** Compares outbox, delivery records and receiver, event by event. */
export async function readRecords(
  { system, receiver }: Environment,
  subscribers: Subscribers,
  since: bigint,
): Promise<Records> {
  const arrivals = await receiver.call.arrivals()
  const outbox = await system
    .database('payments')
    .query<{ id: string }>('select id from outbox where seq > $1', [since])
  const accepted = new Set(outbox.rows.map(({ id }) => id))
  const got = timesSeen(arrivals.map(({ ids }) => ids))
  const record = await system.database('webhook-delivery').query<{ id: string; delivered: number }>(
    `select event_id as id, count(*)::int as delivered from delivery.deliveries
      where state = 'delivered' and event_id >= $1 group by event_id`,
    [lowest(accepted)],
  )
  const delivered = new Map(record.rows.map((row) => [row.id, row.delivered]))
  const missing = (times: ReadonlyMap<string, number>): number =>
    [...accepted].reduce((sum, id) => sum + Math.max(0, subscribers.fanout - (times.get(id) ?? 0)), 0)
  return {
    accepted: accepted.size,
    due: accepted.size * subscribers.fanout,
    lost: missing(got),
    unrecorded: missing(delivered),
    duplicates: sum(arrivals, ({ repeated }) => repeated.length),
    mislabelled: sum(arrivals, ({ mislabelled }) => mislabelled),
  }
}

function timesSeen(lists: readonly (readonly string[])[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const ids of lists) for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1)
  return times
}

function lowest(ids: ReadonlySet<string>): string {
  let least = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  for (const id of ids) if (id < least) least = id
  return least
}

function sum(arrivals: readonly Arrivals[], of: (arrival: Arrivals) => number): number {
  return arrivals.reduce((total, arrival) => total + of(arrival), 0)
}

/** Waits until every event is published and acknowledged, and every delivery has ended; each within `within` ms. */
export async function untilSettled(environment: Environment, subscribers: Subscribers, within: number): Promise<void> {
  await until('every event is published', async () => (await unpublished(environment)) === 0, { within })
  await until('every message is acknowledged', async () => (await unacknowledged(environment)) === 0, { within })
  await until('every delivery has ended', async () => (await pending(environment, subscribers)) === 0, { within })
}

/** Checks that every event of a round was delivered once, and is recorded as delivered. */
export function checkRecords(report: Report, round: string, records: Records): void {
  const { due, lost, unrecorded, duplicates } = records
  const isWhole = lost === 0 && unrecorded === 0 && duplicates === 0
  const counts = `${due} due, ${lost} lost, ${unrecorded} not recorded, ${duplicates} duplicates`
  if (isWhole) report.say(`${round}: every event delivered and recorded (${counts})`)
  else report.check(false, `${round}: every event is delivered once and recorded: ${counts}`)
}
