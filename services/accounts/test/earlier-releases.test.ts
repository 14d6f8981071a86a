import { openBus, toNatsHeaders } from '@frontdesk/events'
import { eventually } from '@frontdesk/testing'
import { openReleases, sampleSlug } from '@frontdesk/testing/releases'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openAccountsFixture, someSite } from './accounts-fixture.ts'

const releases = await openReleases()
afterAll(() => Promise.all(releases.map((release) => release[Symbol.asyncDispose]())))

test.skipIf(releases.length === 0)('accounts applies the events of earlier releases', async () => {
  await using fixture = await openAccountsFixture()
  await using bus = openBus({ settings: fixture.nats.settings(), name: 'test', log: pino({ level: 'silent' }) })
  const js = await bus.jetstream()
  const manager = await bus.manager()
  const site = { ...someSite(), slug: sampleSlug }
  expect((await fixture.call('createAccount', site, { body: { paymentProvider: 'Sandbox' } })).status).toBe(201)
  for (const release of releases) {
    const events = release.events.filter(({ subject }) =>
      ['evt.int.registry.site.', 'work.accounts.'].some((prefix) => subject.startsWith(prefix)),
    )
    expect(new Set(events.map((event) => event.type)).size).toBe(4)
    for (const { subject, payload, id, headers } of events)
      await js.publish(subject, Buffer.from(payload, 'base64'), { msgID: id, headers: toNatsHeaders(headers) })
    await eventually(
      async () => {
        for (const [stream, consumer] of [
          ['EVT_REGISTRY', 'accounts-sites'],
          ['WRK_ACCOUNTS', 'accounts-provider-events'],
        ] as const) {
          const { num_pending, num_ack_pending } = await manager.consumers.info(stream, consumer)
          expect({ consumer, num_pending, num_ack_pending }).toEqual({ consumer, num_pending: 0, num_ack_pending: 0 })
        }
      },
      { within: 20_000 },
    )
  }
  expect((await fixture.pool.query('select reason from dead_letters')).rows).toEqual([])
  expect((await fixture.call('listAccounts', site)).body).toEqual([])
})
