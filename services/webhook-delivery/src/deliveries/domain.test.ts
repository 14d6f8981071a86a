import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { timeOfId } from '../event-ids.ts'
import { decideRedelivery } from './domain.ts'
import { deliveryIdOf } from './ids.ts'

test('the id of a delivery is a UUID with the time of its event, always the same, and different for each subscription', () => {
  const [event, one, two] = [uuidv7(), uuidv7(), uuidv7()]
  const id = deliveryIdOf(event, one)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(timeOfId(id)).toBe(timeOfId(event))
  expect(deliveryIdOf(event, one)).toBe(id)
  expect(deliveryIdOf(event, two)).not.toBe(id)
})

test('a delivery in any state can be sent again, until its event has ended', () => {
  const delivery = { state: 'delivered' as const, isLeased: false, endsAt: 100, expiresAt: undefined, attempts: 999 }
  for (const state of ['pending', 'delivered', 'rejected', 'exhausted', 'expired', 'cancelled'] as const) {
    expect(decideRedelivery({ ...delivery, state }, 99)).toBe('now')
  }
  expect(decideRedelivery(delivery, 100)).toBe('too late')
  expect(decideRedelivery({ ...delivery, expiresAt: 50 }, 50)).toBe('too late')
  expect(decideRedelivery({ ...delivery, attempts: 1_000 }, 99)).toBe('too often')
  expect(decideRedelivery({ ...delivery, isLeased: true }, 99)).toBe('already on its way')
})
