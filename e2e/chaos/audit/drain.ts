import { connectNats } from '@frontdesk/events'
import { setTimeout as wait } from 'node:timers/promises'
import { consumers } from '@frontdesk/contracts'
import { hasDatabase } from '@frontdesk/database/service-databases'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { LoadLog } from '../load/log.ts'
import { services, type Environment } from '../environment.ts'
import { drainWithinSeconds, type Backlog, type Records } from './records.ts'

/** Waits until nothing is left to do, at most until 30 s after `recoveredAt` (of `performance.now()`). */
export async function untilDrained(
  environment: Environment,
  log: LoadLog,
  recoveredAt: number,
): Promise<Records['drained']> {
  const elapsed = () => (performance.now() - recoveredAt) / 1_000
  const connection = await connectNats(environment.system.devStack.dev.nats.administrator, { maxReconnectAttempts: -1 })
  try {
    for (;;) {
      const seconds = elapsed()
      const left = await readBacklog(environment, log, connection).catch(() => everything)
      const isDone = Object.values(left).every((count) => count === 0)
      if (isDone || elapsed() > drainWithinSeconds) return { seconds, left }
      await wait(200)
    }
  } finally {
    await connection.close()
  }
}

/** The backlog while a part cannot be asked: not empty. */
const everything: Backlog = { outbox: 1, consumers: 1, deliveries: 1, created: 1, paid: 1, providerEvents: 1 }

async function readBacklog({ system }: Environment, log: LoadLog, connection: NatsConnection): Promise<Backlog> {
  const count = async (service: string, sql: string, values: unknown[] = []): Promise<number> => {
    const { rows } = await system.database(service).query<{ count: bigint }>(sql, values)
    return Number(rows[0]?.count ?? 0)
  }
  let outbox = 0
  for (const service of services.filter(hasDatabase)) {
    outbox += await count(service, 'select count(*) from outbox where published_at is null and set_aside_at is null')
  }
  const paid = log.creates.flatMap(({ name, paid: isPaid }) => (isPaid === true ? [name] : []))
  const settled = 'select count(*) from payments where reference = any($1) and outcome is not null'
  return {
    outbox,
    consumers: await unacknowledged(connection),
    deliveries: await count(
      'webhook-delivery',
      `select count(*) from delivery.deliveries d join subscriptions s on s.id = d.subscription_id
        where d.state = 'pending' and s.state = 'active'`,
    ),
    created: await count('payments', `select count(*) from payments where status = 'Created'`),
    paid: paid.length - (await count('payments', settled, [paid])),
    providerEvents: await count('payments', 'select count(*) from provider_events where applied_at is null'),
  }
}

async function unacknowledged(connection: NatsConnection): Promise<number> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 2_000 })
  const lags = Object.values(consumers).map(async ({ stream, name }) => {
    const info = await manager.consumers.info(stream, name).catch(() => undefined)
    return info === undefined ? 1 : info.num_pending + info.num_ack_pending
  })
  return (await Promise.all(lags)).reduce((sum, lag) => sum + lag, 0)
}
