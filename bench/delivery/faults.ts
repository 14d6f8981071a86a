import { setTimeout as wait } from 'node:timers/promises'
import { openReplica } from '../harness/replica.ts'
import { until } from '../harness/wait.ts'
import type { Report } from '../harness/results.ts'
import { openSubscribers, type Subscribers } from './subscribers.ts'
import { outboxEnd, pending, readRecords, unacknowledged, unpublished, type Records } from './records.ts'
import type { Environment } from './environment.ts'

const perSecond = 500
const seconds = 60
const everyMs = 3_000

/**
 * Runs two replicas of webhook-delivery under load; every three seconds one of them is killed, and Postgres and NATS once
 * each. Every committed event has to arrive.
 */
export async function measureFaults(environment: Environment, report: Report): Promise<void> {
  const { system, receiver, load } = environment
  const { devStack } = system
  report.say(
    `faults: ${perSecond} events/s for ${seconds} s; kill -9 of one of two replicas every 3 s, of Postgres and NATS once`,
  )
  await using second = await openReplica(system.pid('webhook-delivery'))
  await using subscribers = await openSubscribers(environment, { name: 'faults' })
  await receiver.call.expect('/faults/', { inspect: true })
  const since = await outboxEnd(environment)

  const loading = load.call.steady({ sites: subscribers.sites, perSecond, seconds })
  const killed: Record<string, number> = {}
  for (let turn = 1; turn * everyMs < seconds * 1_000; turn++) {
    await wait(everyMs)
    const victims =
      turn === 7 ? ['postgres'] : turn === 13 ? ['nats'] : [turn % 2 === 0 ? 'first replica' : 'second replica']
    for (const victim of victims) {
      killed[victim] = (killed[victim] ?? 0) + 1
      if (victim === 'second replica') second.kill('SIGKILL')
      else devStack.kill(victim === 'first replica' ? 'webhook-delivery' : victim, 'SIGKILL')
    }
  }
  const committed = await loading
  await untilCalm(environment, subscribers)
  const records = await readRecords(environment, subscribers, since)
  report.add('faults.accepted', 'events', [records.accepted])
  report.add('faults.lost', 'events', [records.lost], { exactly: 0 })
  report.add('faults.duplicates', 'requests', [records.duplicates])
  const kills = Object.entries(killed).map(([victim, times]) => `${victim} ${times}`)
  report.say(
    `killed: ${kills.join(', ')}; ${committed.ids.length} commits returned, ${committed.failed} threw meanwhile`,
  )
  await checkFaults(environment, report, records, committed.ids)
}

/**
 * Waits until everything is delivered. The work of a killed replica waits for another owner: deliveries until their lease
 * expires, and unacknowledged messages until their ack wait has passed.
 */
async function untilCalm(environment: Environment, subscribers: Subscribers): Promise<void> {
  const isCalm = async (): Promise<boolean> =>
    (await unpublished(environment)) === 0 &&
    (await unacknowledged(environment)) === 0 &&
    (await pending(environment, subscribers)) === 0
  await until('everything is delivered', isCalm, { within: 180_000, every: 250 })
}

async function checkFaults(
  environment: Environment,
  report: Report,
  records: Records,
  returned: readonly string[],
): Promise<void> {
  const outbox = environment.system.database('payments')
  const kept = await outbox.query<{ count: number }>('select count(*)::int as count from outbox where id = any($1)', [
    returned,
  ])
  report.check(kept.rows[0]?.count === returned.length, 'every commit that returned is in the outbox')
  report.check(
    records.unrecorded === 0,
    `every accepted event is recorded as delivered (${records.unrecorded} are not)`,
  )
  report.check(records.lost === 0, `every accepted event reached the receiver (${records.lost} did not)`)
  report.check(
    records.mislabelled === 0,
    `a repeated event has the same webhook-id (${records.mislabelled} had another)`,
  )
  report.check(
    await onlyInFlight(environment),
    'an event was repeated only where the attempt before it had left no record',
  )
}

/** Returns whether every repeated event has only one recorded success: an attempt whose process died has left none. */
async function onlyInFlight({ system, receiver }: Environment): Promise<boolean> {
  const arrivals = await receiver.call.arrivals()
  const repeated = arrivals.flatMap((arrival) => arrival.repeated)
  const result = await system.database('webhook-delivery').query(
    `select event_id from delivery.attempts where event_id = any($1) and outcome = 'accepted'
      group by event_id, subscription_id having count(*) > 1`,
    [repeated],
  )
  return result.rows.length === 0
}
