import { openBus, toNatsHeaders } from '@frontdesk/events'
import { eventually } from '@frontdesk/testing'
import { openReleases, sampleSlug } from '@frontdesk/testing/releases'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openPaymentsFixture } from './payments-fixture.ts'

const releases = await openReleases()
afterAll(() => Promise.all(releases.map((release) => release[Symbol.asyncDispose]())))

test.skipIf(releases.length === 0)('payments applies the events of earlier releases', async () => {
  await using fixture = await openPaymentsFixture()
  await using bus = openBus({ settings: fixture.nats.settings(), name: 'test', log: pino({ level: 'silent' }) })
  const js = await bus.jetstream()
  const manager = await bus.manager()
  const sources = ['evt.int.registry.site.', 'evt.int.accounts.account.', 'work.payments.']
  for (const release of releases) {
    const events = release.events.filter(({ subject }) => sources.some((one) => subject.startsWith(one)))
    expect(new Set(events.map((event) => event.type)).size).toBe(7)
    for (const { subject, payload, id, headers } of events)
      await js.publish(subject, Buffer.from(payload, 'base64'), { msgID: id, headers: toNatsHeaders(headers) })
    await eventually(
      async () => {
        for (const [stream, consumer] of [
          ['EVT_REGISTRY', 'payments-sites'],
          ['EVT_ACCOUNTS', 'payments-accounts'],
          ['WRK_PAYMENTS', 'payments-provider-events'],
        ] as const) {
          const { num_pending, num_ack_pending } = await manager.consumers.info(stream, consumer)
          expect({ consumer, num_pending, num_ack_pending }).toEqual({ consumer, num_pending: 0, num_ack_pending: 0 })
        }
      },
      { within: 15_000 },
    )
    const metrics = await (await fetch(`${fixture.url('payments')}/metrics`)).text()
    const consumed = [...metrics.matchAll(/events_consumed_total\{.*outcome="(\w+)"\} (\d+)/g)]
    expect(new Set(consumed.map(([, outcome]) => outcome))).toEqual(new Set(['handled']))
    expect(consumed.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(events.length)
  }
  const { rows } = await fixture.pool.query(
    `select (select count(*)::int from dead_letters) as dead,
            (select count(*)::int from deleted_sites where slug = $1) as deleted,
            (select count(*)::int from account_copies where site_slug = $1) as accounts`,
    [sampleSlug],
  )
  expect(rows).toEqual([{ dead: 0, deleted: 1, accounts: 1 }])
})
