import { openReceiver } from '@frontdesk/testing'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiveEvents, type LeaseTerms } from '../src/intake/store.ts'
import { dayOf } from '../src/partitions/days.ts'
import { addDays } from '../src/partitions/store.ts'
import { openDeliveryFixture, someSite, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

test('an event is leased for endpoints that answer, for no closed one, and for as many others as there is room for', async () => {
  await using receiver = await openReceiver()
  const site = someSite()
  await addDays(fixture.pool, [dayOf(Date.now())])
  for (let i = 0; i < 6; i++) {
    await fixture.caller({ site, principal: { id: `client:${i}` } }).subscribe(`${receiver.url}/${i}`)
  }
  const { rows } = await fixture.pool.query<{ endpoint_id: bigint }>(
    'select endpoint_id from subscriptions where site_slug = $1 order by client',
    [site.slug],
  )
  const [answering = 0n, busy = 0n] = rows.map((row) => row.endpoint_id)
  const receive = async (terms: Pick<LeaseTerms, 'open' | 'closed' | 'others'>) => {
    const event = {
      eventId: uuidv7(),
      type: 'payment.succeeded',
      siteSlug: site.slug,
      rank: 0,
      notBefore: undefined,
      expiresAt: undefined,
      traceparent: undefined,
      payload: Buffer.from('{}'),
    }
    const { made } = await receiveEvents(fixture.pool, [event], { claimId: uuidv7(), leaseMs: 60_000, ...terms })
    expect(made).toHaveLength(6)
    return made.filter((one) => one.leased).map((one) => one.endpointId)
  }
  const leased = await receive({ open: [answering], closed: [busy], others: 3 })
  expect(leased).toHaveLength(4)
  expect(leased).toContain(answering)
  expect(leased).not.toContain(busy)
  expect(await receive({ open: [answering], closed: [], others: 0 })).toEqual([answering])
  expect(await receive({ open: [], closed: [], others: 0 })).toEqual([])
  expect(await receive({ open: [], closed: [], others: 9 })).toHaveLength(6)
})
