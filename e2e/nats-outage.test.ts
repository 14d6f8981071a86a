import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPractice, paymentBody, type Practice } from './system/practice.ts'
import { startSystem, type StartedSystem } from './system/start-system.ts'

let system: StartedSystem
let practice: Practice

beforeAll(async () => {
  system = await startSystem()
  practice = await openPractice(system)
})
afterAll(async () => {
  await practice?.[Symbol.asyncDispose]()
  await system?.[Symbol.asyncDispose]()
})

test('While NATS is stopped for 20 seconds, creating payments still answers 201, and the events arrive after it is back', async () => {
  // Tries each call once, so that a retry cannot hide a failure.
  const strict = system.client('demo', { attempts: 1 })
  const before = await practice.createPayment()
  await system.devStack.stop('nats')
  const stopped = performance.now()
  await system.provider.atCheckout(before.paymentId, 'pay')
  const during: { recordId: string; paymentId: string }[] = []
  while (performance.now() - stopped < 20_000) {
    const payment = await strict.payments.create({ SiteSlug: practice.slug, body: paymentBody() })
    const [recordId, paymentId] = [payment.RecordId, payment.PaymentId ?? '']
    during.push({ recordId, paymentId })
    await system.provider.atCheckout(paymentId, 'pay')
    await wait(1_000)
  }
  expect(during.length).toBeGreaterThan(10)
  await system.devStack.start('nats')
  for (const { recordId } of [before, ...during])
    expect(await practice.outcomeOf(recordId, 60_000)).toBe('payment.succeeded')
  for (const { recordId } of [before, ...during]) expect(practice.subscriber.deliveriesOf(recordId)).toHaveLength(1)
})
