import { openPool, type Pool } from '@frontdesk/database'
import { eventually, throwAwayDatabase } from '@frontdesk/testing'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOverdue } from '../src/background.ts'
import { dayName, dayOf, startOfDay } from '../src/partitions/days.ts'
import { createPartitions } from '../src/partitions/partitions.ts'
import { presentDays } from '../src/partitions/store.ts'

const day = 24 * 60 * 60 * 1000

const stack = new AsyncDisposableStack()
/** As the administrator of Postgres. */
let pool: Pool
/** As the service. */
let url: string
let servicePool: Pool
beforeAll(async () => {
  const database = stack.use(await throwAwayDatabase('webhook-delivery'))
  url = database.runtimeUrl
  servicePool = openPool({ url, name: 'webhook-delivery', size: 4 })
  pool = openPool({ url: database.url, name: 'dropping test', size: 8 })
  stack.defer(async () => void (await Promise.all([pool.end(), servicePool.end()])))
  await partitions().ensure([Date.now(), Date.now() + day])
})
afterAll(() => stack.disposeAsync())

const partitions = () => createPartitions({ pool: servicePool, url, retentionDays: 30, log: pino({ level: 'silent' }) })

/** A day past its retention, and a reader of it that stays open until `end`. */
async function readOldDay(daysAgo: number): Promise<{ day: number; end: () => Promise<void> }> {
  const old = dayOf(Date.now() - daysAgo * day)
  await partitions().ensure([startOfDay(old)])
  const reader = await pool.connect()
  await reader.query('begin isolation level repeatable read')
  await reader.query(`select count(*) from delivery.deliveries_${dayName(old)}`)
  return {
    day: old,
    async end() {
      await reader.query('rollback')
      reader.release()
    },
  }
}

test('while a reader keeps a day from being dropped, deliveries are written and read without a wait', async () => {
  const reader = await readOldDay(40)
  const maintained = partitions()
    .maintain(new Date())
    .catch(() => {})
  const subscriptionId = uuidv7()
  for (let i = 0; i < 20; i++) {
    const writer = await pool.connect()
    try {
      await writer.query(`begin; set local lock_timeout = '250ms'`)
      await writer.query(
        `insert into delivery.deliveries (subscription_id, event_id, due_at, state, rank) values ($1, $2, now(), 'delivered', 0)`,
        [subscriptionId, uuidv7()],
      )
      await writer.query('select 1 from delivery.deliveries where subscription_id = $1', [subscriptionId])
      await writer.query('commit')
    } finally {
      await writer.query('rollback')
      writer.release()
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await reader.end()
  await maintained
  await partitions().maintain(new Date())
  expect(await presentDays(pool)).not.toContain(reader.day)
})

test('a drop whose replica was killed is finished by the next one, and several at once do it once', async () => {
  const reader = await readOldDay(41)
  const broken = partitions()
    .maintain(new Date())
    .then(
      () => 'finished',
      () => 'broken off',
    )
  await eventually(async () => {
    const { rowCount } = await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'webhook-delivery partitions' and query like '%drop_day%'`,
    )
    expect(rowCount).toBe(1)
  })
  expect(await broken).toBe('broken off')
  await reader.end()
  await Promise.all(Array.from({ length: 3 }, () => partitions().maintain(new Date())))
  await eventually(async () => {
    await partitions().maintain(new Date())
    const left = await pool.query(`select relname from pg_class where relname like $1`, [`%_${dayName(reader.day)}`])
    expect(left.rows).toEqual([])
  })
})

test('tables that the release before has detached, or begun to detach, are dropped', async () => {
  const reader = await readOldDay(43)
  const [deliveries, events] = ['deliveries', 'events'].map((table) => `delivery.${table}_${dayName(reader.day)}`)
  const detaching = await pool.connect()
  await detaching.query(`set statement_timeout = '300ms'`)
  const detach = `alter table delivery.deliveries detach partition ${deliveries} concurrently`
  await expect(detaching.query(detach)).rejects.toThrow(/statement timeout/)
  detaching.release(true)
  await pool.query(`alter table delivery.events detach partition ${events}`)
  await reader.end()
  await partitions().maintain(new Date())
  const left = await pool.query(`select relname from pg_class where relname like $1`, [`%_${dayName(reader.day)}`])
  expect(left.rows).toEqual([])
})

test('a delivery whose lease lapsed long ago ends, and does not keep its day for ever', async () => {
  const old = dayOf(Date.now() - 42 * day)
  await partitions().ensure([startOfDay(old)])
  const eventId = uuidv7({ msecs: startOfDay(old) + 5 })
  await pool.query(
    `insert into delivery.deliveries (subscription_id, event_id, due_at, claim_id, state, rank)
     values ($1, $2, now() - interval '20 days', gen_random_uuid(), 'pending', 0)`,
    [uuidv7(), eventId],
  )
  await partitions().maintain(new Date())
  expect(await presentDays(pool)).toContain(old)
  const origin = { service: 'webhook-delivery', publicUrl: 'https://frontdesk.example' }
  await endOverdue({ db: { pool }, origin, relay: { wake() {} } }, Date.now())
  await partitions().maintain(new Date())
  expect(await presentDays(pool)).not.toContain(old)
})
