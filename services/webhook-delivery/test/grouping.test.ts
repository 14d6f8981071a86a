import { setTimeout as wait } from 'node:timers/promises'
import { transaction, type Queryable } from '@frontdesk/database'
import { createKeyRing } from '@frontdesk/service/encryption'
import { throwAwayDatabase } from '@frontdesk/testing'
import { pino } from 'pino'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSettingsCache } from '../src/attempts/settings.ts'
import { openDatabase, type Database } from '../src/db.ts'
import type { LeasedDelivery } from '../src/leases/leased.ts'
import { extendLeases, releaseDeliveries } from '../src/leases/store.ts'
import { createPartitions } from '../src/partitions/partitions.ts'
import { recordChanges, recordLateAttempts, type Change } from '../src/recording/store.ts'
import { subscriptionCipher } from '../src/subscriptions/secrets.ts'

const stack = new AsyncDisposableStack()
const log = pino({ level: 'silent' })
let db: Database
beforeAll(async () => {
  const database = stack.use(await throwAwayDatabase('webhook-delivery'))
  db = stack.use(openDatabase({ url: database.url, size: 2, engineSize: 4, log }))
  await createPartitions({ pool: db.pool, url: database.url, retentionDays: 90, log }).maintain(new Date())
})
afterAll(() => stack.disposeAsync())

const claimId = uuidv4()

/** Leased deliveries: of some events, made one millisecond after the other, to some subscriptions each. */
async function lease(events: number, subscriptions: number): Promise<LeasedDelivery[]> {
  const now = Date.now()
  const made = Array.from({ length: events }, (_, index) => {
    const eventId = uuidv7({ msecs: now - events + index })
    return Array.from({ length: subscriptions }, () => ({ eventId, subscriptionId: uuidv4() }))
  }).flat()
  await db.engine.query(
    `insert into delivery.deliveries (subscription_id, event_id, due_at, claim_id, state, rank)
     select s, e, now() + interval '1 minute', $3, 'pending', 0 from unnest($1::uuid[], $2::uuid[]) as t (s, e)`,
    [made.map((one) => one.subscriptionId), made.map((one) => one.eventId), claimId],
  )
  return made.map((one) => ({
    ...one,
    claimId,
    endpointId: 1n,
    version: 1,
    failing: false,
    rank: 0,
    manual: false,
    attempts: 0,
    step: 0,
    payload: Buffer.from('{}'),
    traceparent: undefined,
    expiresAt: undefined,
    leasedUntil: Infinity,
  }))
}

/** Returns how many rows of deliveries a statement reads. */
function rowsRead(statement: (tx: Queryable) => Promise<unknown>): Promise<number> {
  return transaction(db.engine, async (tx) => {
    const count = async () => {
      const { rows } = await tx.query<{ count: number }>(
        `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as count
           from pg_stat_xact_user_tables where schemaname = 'delivery' and relname like 'deliveries%'`,
      )
      return rows[0]?.count ?? 0
    }
    const before = await count()
    await statement(tx)
    return (await count()) - before
  })
}

const timedOut = (delivery: LeasedDelivery): Change => ({
  delivery,
  state: 'pending',
  waitMs: 5_000,
  charged: true,
  attempt: {
    startedAt: performance.now() - 15_000,
    durationMs: 15_000,
    outcome: 'timeout',
    statusCode: null,
    error: 'no complete answer within 15000 ms',
    responseBody: null,
  },
})

test('a group reads its own deliveries, not those between the oldest and the newest of them, whatever the statistics say', async () => {
  // The statistics are from before: no event in them is as new as those of the group.
  await lease(5, 40)
  await db.engine.query('analyze delivery.deliveries')
  const leased = await lease(60, 100)
  const groupOf = (first: number) => leased.filter((_, index) => index % 12 === first)
  const size = groupOf(0).length

  const released = await rowsRead((tx) => releaseDeliveries(tx, groupOf(0)))
  const extended = await rowsRead((tx) => extendLeases(tx, groupOf(1), 60_000))
  const recorded = await rowsRead((tx) => recordChanges(tx, groupOf(2).map(timedOut), performance.now()))
  const late = await rowsRead((tx) => recordLateAttempts(tx, groupOf(3).map(timedOut), performance.now()))
  for (const [what, read] of Object.entries({ released, extended, recorded, late })) {
    expect(read, what).toBeLessThanOrEqual(2 * size)
  }
})

test('settings that many requests ask for in different turns take one connection', async () => {
  const ring = createKeyRing('key', new Map([['key', Buffer.alloc(32, 1)]]))
  const cache = createSettingsCache(db.engine, subscriptionCipher(ring), log)
  const answers = await transaction(db.pool, async (tx) => {
    await tx.query('lock table subscriptions in access exclusive mode')
    const asked = Array.from({ length: 20 }, async (_, turn) => {
      await wait(turn)
      return cache.get(uuidv4(), 1)
    })
    await wait(100)
    const { totalCount, idleCount, waitingCount } = db.engine
    expect({ busy: totalCount - idleCount, waiting: waitingCount }).toEqual({ busy: 1, waiting: 0 })
    return asked
  })
  expect(await Promise.all(answers)).toEqual(answers.map(() => undefined))
})
