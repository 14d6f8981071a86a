import { eventually } from '@frontdesk/testing'
import { expect, test } from 'vitest'
import { openEventsFixture, outcome, newId } from './events-fixture.ts'

test('a committed event is published when the relay is woken, and is marked as published', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  const id = newId()
  await fixture.commit([outcome(id, 1)], relay)
  await eventually(async () => expect(await fixture.published()).toEqual([`${id}:payment.succeeded`]))
  await eventually(async () => {
    const { rows } = await fixture.pool.query('select stream, stream_seq from outbox where published_at is not null')
    expect(rows).toEqual([{ stream: 'EVT_PAYMENTS', stream_seq: 1n }])
  })
})

test('an event of a rolled-back transaction is never published', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  const tx = await fixture.pool.connect()
  await tx.query('begin')
  const { appendToOutbox } = await import('../src/index.ts')
  await appendToOutbox(tx, { service: 'payments', publicUrl: 'http://localhost' }, [outcome(newId(), 1)])
  await tx.query('rollback')
  tx.release()
  const kept = newId()
  await fixture.commit([outcome(kept, 1)], relay)
  await eventually(async () => expect(await fixture.published()).toEqual([`${kept}:payment.succeeded`]))
})

test('the events of a payment keep their order, whichever of two replicas holds the leader lock', async () => {
  await using fixture = await openEventsFixture()
  const first = fixture.startReplica()
  const second = fixture.startReplica()
  const ids = [newId(), newId(), newId()]
  for (const id of ids) await fixture.commit([outcome(id, 1, 'payment.failed')], second)
  await first.stop()
  for (const id of ids) await fixture.commit([outcome(id, 2)], second)
  await eventually(async () => expect(await fixture.published()).toHaveLength(6), { within: 10_000 })
  const published = await fixture.published()
  for (const id of ids) {
    expect(published.filter((line) => line.startsWith(id))).toEqual([`${id}:payment.failed`, `${id}:payment.succeeded`])
  }
})

test('events wait while the broker is down, and arrive once each when it is back', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  await fixture.commit([outcome(newId(), 1)], relay)
  await eventually(async () => expect(await fixture.published()).toHaveLength(1))
  await fixture.nats.stop()
  const ids = Array.from({ length: 20 }, newId)
  for (const id of ids) await fixture.commit([outcome(id, 1)], relay)
  const { rows } = await fixture.pool.query('select count(*)::int as waiting from outbox where published_at is null')
  expect(rows[0].waiting).toBe(20)
  await fixture.nats.start()
  await eventually(async () => expect(await fixture.published()).toHaveLength(21), { within: 15_000 })
  expect(new Set(await fixture.published()).size).toBe(21)
})

test('an event that is published twice, as after a crash before it was marked, is stored once', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  await fixture.commit([outcome(newId(), 1)], relay)
  await eventually(async () => {
    const { rowCount } = await fixture.pool.query('select from outbox where published_at is not null')
    expect(rowCount).toBe(1)
  })
  await fixture.pool.query('update outbox set published_at = null')
  await eventually(async () => {
    const { rowCount } = await fixture.pool.query('select from outbox where published_at is not null')
    expect(rowCount).toBe(1)
  })
  expect(await fixture.published()).toHaveLength(1)
})

test('the outbox table refuses a Private event', async () => {
  await using fixture = await openEventsFixture()
  const insert = fixture.pool.query(
    `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload)
     values ($1, 'payment', 'x', 1, 3, 'evt.int.payments.x', '{}', '')`,
    [newId()],
  )
  await expect(insert).rejects.toThrow(/outbox_visibility_check/)
})
