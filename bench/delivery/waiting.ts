import { setTimeout as wait } from 'node:timers/promises'
import type { Report } from '../harness/results.ts'
import { percentile } from '../harness/statistics.ts'
import { transaction } from '@frontdesk/database'
import type { Environment } from './environment.ts'

const subscriptions = 1_000_000
const polls = 300

/**
 * Measures the poll for due deliveries while a million subscriptions, each with an endpoint of its own, have a retry that
 * waits. The last section, because the rows stay.
 */
export async function measureWaiting({ system }: Environment, report: Report): Promise<void> {
  const database = system.database('webhook-delivery')
  report.say(`waiting: a poll while ${subscriptions} subscriptions have retries that wait`)
  const startedAt = performance.now()
  await transaction(database, async (tx) => {
    for (const statement of seed) await tx.query(statement)
  })
  await database.query('vacuum analyze')
  await database.query('checkpoint')
  report.say(`seeded in ${Math.round((performance.now() - startedAt) / 1_000)} s`)

  const url = `${system.url('webhook-delivery')}/metrics`
  const before = await pollTimes(url)
  const times: number[] = []
  while (times.length < polls) {
    await transaction(database, async (tx) => {
      const askedAt = performance.now()
      const { rowCount } = await tx.query(largestPoll)
      times.push(performance.now() - askedAt)
      if (rowCount !== 250) throw new Error(`a poll found ${rowCount} endpoints`)
    })
    await wait(20)
  }
  report.add('waiting.poll_p50_ms', 'ms', [percentile(times, 0.5)])
  report.add('waiting.poll_p99_ms', 'ms', [percentile(times, 0.99)], { atMost: 50 })
  report.add('waiting.poll_max_ms', 'ms', [percentile(times, 1)])
  const after = await pollTimes(url)
  const mean = (1_000 * (after.sum - before.sum)) / (after.count - before.count)
  report.say(`the service polled ${after.count - before.count} times meanwhile, in ${mean.toFixed(2)} ms in the mean`)
}

// What the service's poll does at most: it takes the 250 lines that are due first, and moves them on.
const largestPoll = `
  with due as (
    select endpoint_id, rank from delivery.waiting_endpoints order by next_at limit 250 for update skip locked
  ), visited as (
    update delivery.waiting_endpoints w set next_at = greatest(w.next_at + interval '12 h', p.throttled_until)
      from due join endpoints p on p.id = due.endpoint_id
     where w.endpoint_id = due.endpoint_id and w.rank = due.rank
    returning w.endpoint_id, w.rank
  )
  select endpoint_id, rank, (select q.next_at from delivery.waiting_queues q
     where q.endpoint_id = visited.endpoint_id and q.rank = visited.rank order by q.next_at limit 1) as next_at
    from visited`

const numbers = `generate_series(1, ${subscriptions}) n`
const firstEndpoint = 1_000_000_000

// Events of the last minute, twenty thousand subscriptions each, with retries over the next twelve hours. Without triggers:
// it takes half as long, and what the trigger would write is written here.
const seed = [
  `set local session_replication_role = replica`,
  `insert into endpoints (id, client, url) overriding system value
   select ${firstEndpoint} + n, 'waiting', 'https://receiver.example/' || n from ${numbers}`,
  `insert into subscriptions (id, client, site_slug, site, endpoint_id, url, event_types, header_names, encrypted_headers, encrypted_secret, state)
   select md5('waiting' || n)::uuid, 'waiting', 'waiting' || n, '{}', ${firstEndpoint} + n, 'https://receiver.example/' || n,
          '{payment.*}', '{}', '', '', 'active' from ${numbers}`,
  `create temporary table happened on commit drop as
   select n as place, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 1000), 12, '0') || '7' || lpad(to_hex(n), 3, '0')
          || '8000000000000000')::uuid as event_id from generate_series(0, ${subscriptions / 20_000}) n`,
  `insert into delivery.events (event_id, type, rank, payload) select event_id, 'payment.succeeded', 0, '{}' from happened`,
  `insert into delivery.deliveries (subscription_id, event_id, due_at, state, rank, attempts, step)
   select md5('waiting' || n)::uuid, event_id, now() + make_interval(secs => 600 + 43200 * random()), 'pending', 0, 1, 1
     from ${numbers} join happened on place = n / 20000`,
  `insert into delivery.waiting_queues (subscription_id, rank, endpoint_id, next_at)
   select d.subscription_id, d.rank, s.endpoint_id, d.due_at
     from delivery.deliveries d join subscriptions s on s.id = d.subscription_id where s.client = 'waiting'`,
  `insert into delivery.waiting_endpoints (endpoint_id, rank, next_at)
   select endpoint_id, rank, next_at from delivery.waiting_queues where endpoint_id > ${firstEndpoint}`,
]

async function pollTimes(url: string): Promise<{ sum: number; count: number }> {
  const text = await (await fetch(url)).text()
  const value = (name: string) =>
    Number(new RegExp(`^delivery_poll_duration_seconds_${name} (.*)$`, 'm').exec(text)?.[1] ?? 0)
  return { sum: value('sum'), count: value('count') }
}
