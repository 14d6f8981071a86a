import { sharedNow } from '../harness/clock.ts'
import { until } from '../harness/patience.ts'
import { forEachOf, processorTimeOf } from '../harness/processor-time.ts'
import type { Audience } from './audience.ts'
import { outboxEnd, pending, readLedger, unpublished, type Ledger } from './ledger.ts'
import { deliveryTrees, type Stage } from './stage.ts'

export interface DrainOptions {
  /** Deliveries that only warm up: a fresh process has to compile its code first. */
  warmUp: number
  /** Deliveries that are measured. */
  measured: number
}

/** One backlog in JetStream, delivered as fast as it goes. */
export interface Drain {
  /** Deliveries a second, from the end of the warm-up to the last outcome in the database. */
  perSecond: number
  /** Processor time for each delivery, in microseconds: of everything, and part by part. */
  microseconds: Record<string, number>
  /** Bytes of write-ahead log for each delivery, warm-up included. */
  logBytes: number
  ledger: Ledger
}

/**
 * Fills JetStream while webhook-delivery is stopped, starts it, and measures how fast the backlog becomes recorded
 * outcomes: a closed loop, with nothing else to do.
 */
export async function drain(stage: Stage, audience: Audience, { warmUp, measured }: DrainOptions): Promise<Drain> {
  const { system, receiver, load } = stage
  const since = await outboxEnd(stage)
  await system.constellation.stop('webhook-delivery')
  await load.call.bulk(audience.sites, Math.ceil((warmUp + measured) / audience.fanout))
  await until('the backlog is published', async () => (await unpublished(stage)) === 0, { within: 120_000 })

  // What publishing leaves to be cleared away is work of publishing, and would fall into one round or another by chance.
  await system.database('payments').query('vacuum outbox')

  const logged = await logPosition(stage)
  await system.constellation.start('webhook-delivery')
  const total = Math.ceil((warmUp + measured) / audience.fanout) * audience.fanout
  await until('the warm-up is done', async () => (await receiver.call.count()).received >= warmUp, { within: 60_000 })
  const before = await receiver.call.count()
  const { spent } = await processorTimeOf(deliveryTrees(stage), async () => {
    const arrived = async (): Promise<boolean> => (await receiver.call.count()).received >= total
    await until('everything has arrived', arrived, { within: 120_000 })
    await until('everything is recorded', async () => (await pending(stage)) === 0, { within: 60_000, every: 5 })
  })
  const deliveries = total - before.received
  const perSecond = (deliveries * 1_000) / (sharedNow() - before.now)
  const microseconds = forEachOf(deliveries, spent)
  const logBytes = ((await logPosition(stage)) - logged) / total
  return { perSecond, microseconds, logBytes, ledger: await readLedger(stage, audience, since) }
}

async function logPosition({ system }: Stage): Promise<number> {
  const result = await system
    .database('webhook-delivery')
    .query<{ bytes: number }>(`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`)
  return result.rows[0]?.bytes ?? 0
}
