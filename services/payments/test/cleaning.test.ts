import { eventually } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPaymentsFixture, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
beforeAll(async () => {
  fixture = await openPaymentsFixture()
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

const rows = 6_000

/** Inserts rows that are past their retention, and as many that are not. */
async function fill(): Promise<void> {
  const insert = (sql: string) =>
    fixture.pool.query(sql.replaceAll('ROWS', `generate_series(1, ${rows}) n, (values (true), (false)) age (old)`))
  await insert(
    `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload, published_at)
     select gen_random_uuid(), 'test', n::text, case when old then 1 else 2 end, 0, 'evt.int.payments.x', '{}', 'x',
            now() - case when old then interval '7 days 1 minute' else interval '6 days' end from ROWS`,
  )
  await insert(
    `insert into inbox (consumer, source, event_id, received_at)
     select 'test', old::text, n::text, now() - case when old then interval '31 days' else interval '29 days' end from ROWS`,
  )
  await insert(
    `insert into idempotency_keys (client, operation, path, key, fingerprint, resource_id, lease_until, expires_at)
     select 'test', old::text, '/', n::text, 'x', gen_random_uuid(), now(),
            now() + case when old then interval '-1 minute' else interval '1 hour' end from ROWS`,
  )
  await insert(
    `insert into provider_events (provider, event_id, type, object_id, object_type, payload, received_at)
     select 'Sandbox', old::text || n, 'x', 'x', 'x', '{}',
            now() - case when old then interval '31 days' else interval '29 days' end from ROWS`,
  )
}

test('The clean-up goes on until every row past its retention is gone, and keeps the others', async () => {
  await fixture.stop()
  await fill()
  await fixture.start()
  const count = async () => {
    const result = await fixture.pool.query(
      `select (select count(*)::int from outbox where aggregate_type = 'test') as outbox,
              (select count(*)::int from inbox where consumer = 'test') as inbox,
              (select count(*)::int from idempotency_keys where client = 'test') as keys,
              (select count(*)::int from provider_events where type = 'x') as events`,
    )
    return result.rows[0]
  }
  await eventually(async () => expect(await count()).toEqual({ outbox: rows, inbox: rows, keys: rows, events: rows }), {
    within: 20_000,
    every: 200,
  })
})
