import { toNatsHeaders } from '@frontdesk/events'
import { eventually, openReceiver } from '@frontdesk/testing'
import { openReleases, sampleSlug } from '@frontdesk/testing/releases'
import { afterAll, expect, test } from 'vitest'
import { openDeliveryFixture, someSite } from './delivery-fixture.ts'

const releases = await openReleases()
afterAll(() => Promise.all(releases.map((release) => release[Symbol.asyncDispose]())))

test.skipIf(releases.length === 0)('subscribers get the Public events of earlier releases, byte for byte', async () => {
  await using fixture = await openDeliveryFixture()
  await using receiver = await openReceiver()
  const caller = fixture.caller({ site: { ...someSite(), slug: sampleSlug } })
  await caller.subscribe(receiver.url)
  // The events were composed before the test began.
  await fixture.pool.query(`update subscriptions set created_at = now() - interval '1 hour'`)
  const sent: string[] = []
  for (const release of releases) {
    const events = release.events.filter(({ subject }) => subject.startsWith('evt.pub.payments.'))
    expect(new Set(events.map((event) => event.type)).size).toBe(3)
    for (const { subject, payload, id, headers } of events) {
      const bytes = Buffer.from(payload, 'base64')
      sent.push(bytes.toString())
      await fixture.js.publish(subject, bytes, { msgID: id, headers: toNatsHeaders(headers) })
    }
  }
  await eventually(() => expect(receiver.requests.map(({ body }) => body).toSorted()).toEqual(sent.toSorted()))
  for (const release of releases) {
    for (const { subject, payload, id } of release.events)
      if (subject.includes('.site.')) await fixture.js.publish(subject, Buffer.from(payload, 'base64'), { msgID: id })
  }
  await eventually(async () => {
    const { rows } = await fixture.pool.query('select deleted_at is not null as ended from subscriptions')
    expect(rows).toEqual([{ ended: true }])
  })
  expect(await fixture.deadLetters()).toBe(0)
})
