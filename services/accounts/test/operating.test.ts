import { consumers } from '@frontdesk/contracts'
import { saveDeadLetter } from '@frontdesk/events'
import { runCommand } from '@frontdesk/operate/testing'
import { eventually } from '@frontdesk/testing'
import { siteDeletedEvent } from '@frontdesk/testing/site-deleted'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program } from '../src/commands.ts'
import { openAccountsFixture, someSite, type AccountsFixture } from './accounts-fixture.ts'

let fixture: AccountsFixture
beforeAll(async () => {
  fixture = await openAccountsFixture()
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

const run = (...args: string[]) => runCommand(program, args, fixture.env('accounts'))

test('A site.deleted event that was set aside closes the accounts when it is replayed, once', async () => {
  const site = someSite()
  const created = await fixture.call('createAccount', site, { body: { paymentProvider: 'Sandbox' } })
  expect(created.status).toBe(201)
  const event = siteDeletedEvent(site, fixture.url('gateway'))
  await saveDeadLetter(fixture.pool, {
    consumer: consumers.accountsSites.name,
    stream: 'EVT_REGISTRY',
    streamSeq: 1,
    messageId: event.id,
    subject: event.subject,
    headers: event.headers,
    payload: event.payload,
    reason: 'for this test',
    deliveries: 1,
    storedAt: new Date(),
  })
  expect(await run('dead-letters', 'replay', '--all')).toMatchObject({ code: 0, text: 'replayed 1' })
  const closed = await fixture.pool.query('select deleted_at from accounts where site_slug = $1', [site.slug])
  expect(closed.rows).toEqual([{ deleted_at: expect.any(Date) }])
  expect(await run('dead-letters', 'replay', '--all')).toMatchObject({ code: 0, text: 'nothing to replay' })
  // The running service's relay publishes the event of the change.
  await eventually(async () => {
    const waiting = await fixture.pool.query('select 1 from outbox where published_at is null')
    expect(waiting.rowCount).toBe(0)
  })
})
