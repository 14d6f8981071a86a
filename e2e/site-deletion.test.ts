import type { FrontdeskProblem } from '@frontdesk/client'
import { eventually } from '@frontdesk/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPractice, outcomeOf, startSystem, type System } from './system.ts'

let system: System

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.[Symbol.asyncDispose]())

test('a deleted site is let go of in every service, and its open payment is cancelled', async () => {
  const { frontdesk, constellation } = system
  await using practice = await openPractice(system)
  const open = await practice.createPayment()
  const paid = await practice.createPayment()
  await system.control(`checkouts/${paid.paymentId}/pay`)
  expect(await outcomeOf(practice, paid.recordId)).toBe('payment.succeeded')

  await frontdesk.deleteSite({ SiteIdentifier: practice.site })
  const gone = frontdesk.getPayment({ SiteSlug: practice.site, PaymentIdentifier: paid.recordId })
  await expect(gone).rejects.toMatchObject({ status: 404, code: 'site_not_found' } satisfies Partial<FrontdeskProblem>)

  // The subscription still matches what the deletion itself causes.
  expect(await outcomeOf(practice, open.recordId)).toBe('payment.cancelled')
  expect(practice.deliveriesOf(open.recordId)[0]?.event.data).toMatchObject({ cancellationReason: 'site_deleted' })
  expect(practice.deliveriesOf(paid.recordId)).toHaveLength(1)

  await eventually(
    async () => {
      const { accounts } = constellation.dev.services
      const client = new pg.Client(accounts?.databaseUrl)
      await client.connect()
      try {
        const { rows } = await client.query(
          'select deleted_at is not null as closed from accounts where site_slug = $1',
          [practice.site],
        )
        expect(rows).toEqual([{ closed: true }])
      } finally {
        await client.end()
      }
    },
    { within: 15_000, every: 100 },
  )
})
