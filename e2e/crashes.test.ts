import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@frontdesk/testing'
import { openPractice, outcomeOf, startSystem, type Practice, type System } from './system.ts'

let system: System
let practice: Practice

beforeAll(async () => {
  system = await startSystem({ 'webhook-delivery': { DELIVERY_RETRY_SCHEDULE: '500ms,1s,2s,4s' } })
  practice = await openPractice(system)
})
afterAll(async () => {
  await practice?.[Symbol.asyncDispose]()
  await system?.[Symbol.asyncDispose]()
})

test('payments killed right after the checkout was paid: the event arrives, with one webhook id', async () => {
  for (const pause of [0, 20, 60]) {
    const { recordId, paymentId } = await practice.createPayment()
    await system.control(`checkouts/${paymentId}/pay`)
    await wait(pause)
    system.constellation.kill('payments', 'SIGKILL')
    expect(await outcomeOf(practice, recordId)).toBe('payment.succeeded')
  }
  const ids = new Map<string, Set<string>>()
  for (const { body, headers } of practice.receiver.requests) {
    const { subject } = JSON.parse(body) as { subject: string }
    ids.set(subject, (ids.get(subject) ?? new Set()).add(String(headers['webhook-id'])))
  }
  for (const [subject, webhookIds] of ids) expect([subject, webhookIds.size]).toEqual([subject, 1])
})

test('payments killed while it creates one: the same Idempotency-Key leads to one payment, and one checkout', async () => {
  const { frontdesk } = system
  const body = {
    PaymentProvider: 'Sandbox' as const,
    Currency: 'GBP',
    Reference: 'KILLED',
    LineItems: [{ ProductName: 'Check-up', Price: 4_500 }],
  }
  const creating = frontdesk.createPayment({ SiteSlug: practice.site, idempotencyKey: 'killed once', body })
  await wait(15)
  system.constellation.kill('payments', 'SIGKILL')
  const first = await creating.catch(() => undefined)
  // The lease of a claim whose process died lapses after 60 s; until then the answer is 409.
  const again = await eventually(
    () => frontdesk.createPayment({ SiteSlug: practice.site, idempotencyKey: 'killed once', body }),
    { within: 90_000, every: 1_000 },
  )
  if (first !== undefined) expect(again.RecordId).toBe(first.RecordId)
  const { Items } = await frontdesk.listPayments({ SiteSlug: practice.site, query: { Reference: 'KILLED' } })
  expect(Items.map((payment) => payment.RecordId)).toEqual([again.RecordId])
})

test('webhook-delivery killed while it delivers: nothing is lost, and a repeated attempt has the same webhook id', async () => {
  practice.receiver.reply(() => ({ status: 204, after: 150 }))
  const payments = await Promise.all(Array.from({ length: 10 }, () => practice.createPayment()))
  for (const { paymentId } of payments) await system.control(`checkouts/${paymentId}/pay`)
  await eventually(
    () => {
      const underWay = payments.filter(({ recordId }) => practice.deliveriesOf(recordId).length > 0)
      if (underWay.length === 0) throw new Error('nothing is under way')
    },
    { within: 20_000, every: 5 },
  )
  system.constellation.kill('webhook-delivery', 'SIGKILL')
  for (const { recordId } of payments) expect(await outcomeOf(practice, recordId, 100_000)).toBe('payment.succeeded')
  for (const { recordId } of payments) {
    expect(new Set(practice.deliveriesOf(recordId).map(({ webhookId }) => webhookId)).size).toBe(1)
  }
  practice.receiver.reply(() => ({ status: 204 }))
}, 150_000)

test('an endpoint that fails gets the same event again on the schedule', async () => {
  let failures = 2
  practice.receiver.reply(() => ({ status: failures-- > 0 ? 500 : 204 }))
  const { recordId, paymentId } = await practice.createPayment()
  await system.control(`checkouts/${paymentId}/pay`)
  await eventually(() => expect(practice.deliveriesOf(recordId)).toHaveLength(3), { within: 15_000 })
  expect(new Set(practice.deliveriesOf(recordId).map(({ webhookId }) => webhookId)).size).toBe(1)
  practice.receiver.reply(() => ({ status: 204 }))
})

test('every service killed at once comes back by itself and goes on', async () => {
  const { recordId, paymentId } = await practice.createPayment()
  for (const service of Object.keys(system.constellation.dev.services)) system.constellation.kill(service, 'SIGKILL')
  await eventually(() => system.control(`checkouts/${paymentId}/pay`), { within: 30_000, every: 200 })
  expect(await outcomeOf(practice, recordId, 60_000)).toBe('payment.succeeded')
})
