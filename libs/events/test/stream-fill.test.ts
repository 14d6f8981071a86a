import { eventually } from '@frontdesk/testing'
import { expect, test } from 'vitest'
import { newId, openEventsFixture, outcome } from './events-fixture.ts'

test('the replica with the leader lock measures the streams and the outbox for all, and clears its figures when it loses the lock', async () => {
  await using fixture = await openEventsFixture()
  const manager = await fixture.bus.manager()
  await manager.streams.update('EVT_PAYMENTS', {
    ...(await manager.streams.info('EVT_PAYMENTS')).config,
    max_bytes: 10_000,
  })
  await fixture.commit([outcome(newId(), 1), outcome(newId(), 1)])
  await fixture.commit([outcome(newId(), 1)])
  const relay = fixture.startReplica()
  const figures = () => relay.metrics.metrics()
  // One stream after the other is asked.
  await eventually(async () => {
    expect(await figures()).toMatch(/^events_stream_fill_ratio\{stream="EVT_PAYMENTS"\} \d/m)
    expect(await figures()).toMatch(/^events_stream_fill_ratio\{stream="WRK_PAYMENTS"\} 0$/m)
  })
  // Nobody but its owner measures a stream.
  expect(await figures()).not.toContain('EVT_REGISTRY')
  expect(await figures()).toMatch(/^outbox_waiting 3$/m)
  expect(relay.leads()).toBe(true)
  await relay.stop()
  expect(relay.leads()).toBe(false)
  expect(await figures()).not.toMatch(/^events_stream_fill_ratio\{/m)
  expect(await figures()).toMatch(/^outbox_waiting 0$/m)
  expect(await figures()).toMatch(/^outbox_oldest_seconds 0$/m)
  // The next leader finds what has been published since.
  const next = fixture.startReplica()
  await eventually(async () =>
    expect(await next.metrics.metrics()).toMatch(/^events_stream_fill_ratio\{stream="EVT_PAYMENTS"\} 0\.\d+$/m),
  )
})
