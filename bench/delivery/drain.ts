import { sharedNow } from '../harness/clock.ts'
import { until } from '../harness/wait.ts'
import { forEachOf, processorTimeOf } from '../harness/processor-time.ts'
import type { Subscribers } from './subscribers.ts'
import { outboxEnd, pending, readRecords, unpublished, type Records } from './records.ts'
import { deliveryTrees, type Environment } from './environment.ts'

export interface DrainOptions {
  /** Deliveries before the measurement: a fresh process has to compile its code first. */
  warmUp: number
  /** Deliveries that are measured. */
  measured: number
}

/** The result of delivering one backlog as fast as possible. */
export interface Drain {
  /** Deliveries a second, from the end of the warm-up to the last outcome in the database. */
  perSecond: number
  /** Processor time of a delivery in microseconds, in all and by part. */
  microseconds: Record<string, number>
  /** Bytes of write-ahead log of a delivery, warm-up included. */
  logBytes: number
  records: Records
}

/**
 * Fills JetStream while webhook-delivery is stopped, starts it, and measures how fast the backlog becomes recorded
 * outcomes. Nothing else runs.
 */
export async function drain(
  environment: Environment,
  subscribers: Subscribers,
  { warmUp, measured }: DrainOptions,
): Promise<Drain> {
  const { system, receiver, load } = environment
  const since = await outboxEnd(environment)
  await system.devStack.stop('webhook-delivery')
  await load.call.bulk(subscribers.sites, Math.ceil((warmUp + measured) / subscribers.fanout))
  await until('the backlog is published', async () => (await unpublished(environment)) === 0, { within: 120_000 })

  // Cleaning up after publishing is not part of delivering; autovacuum would do it in one round or another by chance.
  await system.database('payments').query('vacuum outbox')

  const logged = await logPosition(environment)
  await system.devStack.start('webhook-delivery')
  const total = Math.ceil((warmUp + measured) / subscribers.fanout) * subscribers.fanout
  await until('the warm-up is done', async () => (await receiver.call.count()).received >= warmUp, { within: 60_000 })
  const before = await receiver.call.count()
  const { spent } = await processorTimeOf(deliveryTrees(environment), async () => {
    const arrived = async (): Promise<boolean> => (await receiver.call.count()).received >= total
    await until('everything has arrived', arrived, { within: 120_000 })
    await until('everything is recorded', async () => (await pending(environment)) === 0, { within: 60_000, every: 5 })
  })
  const deliveries = total - before.received
  const perSecond = (deliveries * 1_000) / (sharedNow() - before.now)
  const microseconds = forEachOf(deliveries, spent)
  const logBytes = ((await logPosition(environment)) - logged) / total
  return { perSecond, microseconds, logBytes, records: await readRecords(environment, subscribers, since) }
}

async function logPosition({ system }: Environment): Promise<number> {
  const result = await system
    .database('webhook-delivery')
    .query<{ bytes: number }>(`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`)
  return result.rows[0]?.bytes ?? 0
}
