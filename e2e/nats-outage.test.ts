import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf, openPractice, outcomeOf, startSystem, type Practice, type System } from './system.ts'

let system: System
let practice: Practice

beforeAll(async () => {
  system = await startSystem()
  practice = await openPractice(system)
})
afterAll(async () => {
  await practice?.[Symbol.asyncDispose]()
  await system?.[Symbol.asyncDispose]()
})

test('with NATS stopped for 20 seconds creating payments still answers 201, and the events arrive after it is back', async () => {
  // One try a call: what answers only at a second try would not count.
  const strict = clientOf(system.constellation, 'demo', 1)
  const before = await practice.createPayment()
  await system.constellation.stop('nats')
  const stopped = performance.now()
  await system.control(`checkouts/${before.paymentId}/pay`)
  const during: { recordId: string; paymentId: string }[] = []
  while (performance.now() - stopped < 20_000) {
    const payment = await strict.createPayment({
      SiteSlug: practice.site,
      body: { PaymentProvider: 'Sandbox', Currency: 'GBP', LineItems: [{ ProductName: 'Check-up', Price: 4_500 }] },
    })
    during.push({ recordId: payment.RecordId, paymentId: payment.PaymentId ?? '' })
    await system.control(`checkouts/${payment.PaymentId}/pay`)
    await wait(1_000)
  }
  expect(during.length).toBeGreaterThan(10)
  await system.constellation.start('nats')
  for (const { recordId } of [before, ...during])
    expect(await outcomeOf(practice, recordId, 60_000)).toBe('payment.succeeded')
  for (const { recordId } of [before, ...during]) expect(practice.deliveriesOf(recordId)).toHaveLength(1)
})
