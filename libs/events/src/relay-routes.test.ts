import { expect, test } from 'vitest'
import { createRoutes, streamKeyOf } from './relay-routes.ts'
import type { Pending, PendingEvent } from './relay-store.ts'

const event = (seq: bigint) => ({ seq }) as PendingEvent

function pending(payments: bigint[], top: bigint, transactions: { oldestRunning: bigint; next: bigint }): Pending {
  return {
    byKey: new Map([
      ['payments', payments.map(event)],
      ['work', []],
    ]),
    top,
    oldestRunning: transactions.oldestRunning,
    nextTransaction: transactions.next,
  }
}

const marks = (routes: ReturnType<typeof createRoutes>) =>
  Object.fromEntries(routes.all().map(({ key, from }) => [key, from]))

test('a subject and the subjects of its stream have the same key', () => {
  expect(streamKeyOf('evt.*.webhook-delivery.>')).toBe('webhook-delivery')
  expect(streamKeyOf('evt.pub.webhook-delivery.x.v1.s')).toBe('webhook-delivery')
  expect([streamKeyOf('work.payments.>'), streamKeyOf('work.payments.x')]).toEqual(['work', 'work'])
  expect(streamKeyOf('nonsense')).toBe('')
})

test('a relay has a route for each stream of its service', () => {
  expect(Object.keys(marks(createRoutes('payments')))).toEqual(['payments', 'work'])
  expect(Object.keys(marks(createRoutes('webhook-delivery')))).toEqual(['webhook-delivery', 'external'])
})

test('a mark moves once every transaction has ended that ran when it was found', () => {
  const routes = createRoutes('payments')
  routes.seen(pending([10n, 11n], 11n, { oldestRunning: 100n, next: 103n }))
  expect(marks(routes)).toEqual({ payments: 0n, work: 0n })
  routes.seen(pending([], 11n, { oldestRunning: 102n, next: 104n }))
  expect(marks(routes)).toEqual({ payments: 0n, work: 0n })
  routes.seen(pending([], 11n, { oldestRunning: 103n, next: 105n }))
  expect(marks(routes)).toEqual({ payments: 10n, work: 12n })
})

test('a mark stops at an event below it that was committed late', () => {
  const routes = createRoutes('payments')
  routes.seen(pending([10n], 10n, { oldestRunning: 100n, next: 103n }))
  routes.seen(pending([7n], 12n, { oldestRunning: 103n, next: 104n }))
  expect(marks(routes)['payments']).toBe(7n)
})

test('a stream that fails is tried with one event, after a wait that doubles up to 30 s, and the others go on', () => {
  let now = 0
  const routes = createRoutes('payments', () => now)
  expect(routes.failed('payments')).toEqual({ isFirst: true, backoffMs: 250 })
  expect(routes.looks()).toEqual([{ key: 'work', from: 0n, most: 500 }])
  expect(routes.nextTryMs()).toBeLessThanOrEqual(250)
  now += 250
  expect(routes.looks()[0]).toEqual({ key: 'payments', from: 0n, most: 1 })
  for (let failure = 0; failure < 10; failure++) routes.failed('payments')
  expect(routes.failed('payments')).toEqual({ isFirst: false, backoffMs: 30_000 })
  routes.retryNow()
  expect(routes.looks()).toHaveLength(2)
  expect(routes.succeeded('payments')).toBe(true)
  expect(routes.succeeded('payments')).toBe(false)
  expect(routes.looks()[0]).toEqual({ key: 'payments', from: 0n, most: 500 })
})

test('subjects that no stream of the service has get a route of their own, and marks are forgotten on request', () => {
  const routes = createRoutes('payments')
  for (let poll = 0; poll < 2; poll++) routes.seen(pending([], 20n, { oldestRunning: 5n, next: 5n }))
  expect(marks(routes)).toEqual({ payments: 21n, work: 21n })
  routes.lookAgain(['payments', ''])
  expect(marks(routes)).toEqual({ payments: 0n, work: 0n, '': 0n })
})
