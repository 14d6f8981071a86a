import type { Report } from '../harness/results.ts'
import { openSubscribers } from './subscribers.ts'
import { countStatements, listStatements } from '../harness/statements.ts'
import { drain } from './drain.ts'
import type { Environment } from './environment.ts'

const deliveries = 20_000

/** Why the engine needs each of its statements, by name. */
const reasons: Record<string, string> = {
  'delivery-intake': 'a batch of events: the event rows and their deliveries, already leased to this process',
  'delivery-record': 'a group of outcomes: the deliveries and an attempt for each',
  'delivery-claim': 'retries, parked and orphaned deliveries that are due',
  'delivery-poll': 'which endpoints have deliveries that are due, once a second',
  'delivery-settle': 'when the next delivery of a queue is due, once a claim has emptied it',
  'delivery-settle-lines': 'the same for the endpoint of these queues',
  'delivery-release': 'deliveries given back unsent, where memory or an endpoint has no room',
  'delivery-extend': 'renews the leases, three times a minute',
  'delivery-lapsed': 'leases of replicas that died, once a few seconds',
  'subscription-settings': 'address, headers and secret of a subscription, once a version',
  'outbox-pending': 'the relay of our own events looks for new ones',
}

/** The content of the engine's tables. */
const whyWritten: Record<string, string> = {
  events: 'the bytes that are signed and sent, once for all subscribers',
  deliveries: 'the state of one event for one subscription, written twice: leased, ended',
  attempts: 'the result of each request',
}

/** Counts statements and bytes written for a delivery of fan-out 1. Not timed, because Postgres logs every statement. */
export async function countDeliveryStatements(environment: Environment, report: Report): Promise<void> {
  await using subscribers = await openSubscribers(environment, { name: 'statements' })
  const sizes = await tableSizes(environment)
  let logBytes = 0
  const counts = await countStatements(environment.system, 'webhook-delivery', async () => {
    logBytes = (await drain(environment, subscribers, { warmUp: 0, measured: deliveries })).logBytes
  })
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  report.add('statements.fanout1.per_delivery', 'statements', [all / deliveries])
  report.say(listStatements(counts, deliveries, reasons))
  report.add('written.fanout1.wal_bytes_per_delivery', 'bytes', [logBytes])
  const grown = (await tableSizes(environment)).map(({ table, bytes }, place) => {
    const perDelivery = (bytes - (sizes[place]?.bytes ?? 0)) / deliveries
    return `${table} ${perDelivery.toFixed(0)} bytes (${whyWritten[table] ?? ''})`
  })
  report.say(`growth of tables and their indexes for each delivery: ${grown.join(', ')}`)
}

async function tableSizes({ system }: Environment): Promise<{ table: string; bytes: number }[]> {
  const result = await system.database('webhook-delivery').query<{ table: string; bytes: number }>(
    `select parent.relname as table, sum(pg_total_relation_size(leaf.relid))::float8 as bytes
       from pg_class parent cross join lateral pg_partition_tree(parent.oid) leaf
      where parent.relnamespace = 'delivery'::regnamespace and parent.relkind = 'p' and leaf.isleaf
      group by parent.relname order by parent.relname`,
  )
  return result.rows
}
