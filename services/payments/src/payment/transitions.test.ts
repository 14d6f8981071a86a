import { PaymentStatus } from '@frontdesk/contracts'
import { expect, test } from 'vitest'
import { mayGo, stepsTo, transitions } from './transitions.ts'

const statuses = Object.keys(transitions) as PaymentStatus[]

test('The table has every status of the contract', () => {
  expect(statuses.toSorted()).toEqual([...PaymentStatus.enum].toSorted())
})

test('from anywhere to anywhere, each step is one of the table', () => {
  for (const from of statuses) {
    for (const to of statuses) {
      const steps = stepsTo(from, to)
      steps.reduce((at, status) => {
        expect(mayGo(at, status), `${at} -> ${status} on the way from ${from} to ${to}`).toBe(true)
        return status
      }, from)
      if (steps.length > 0) expect(steps.at(-1)).toBe(to)
    }
  }
})

test('Only money leads out of a terminal status', () => {
  const ends = statuses.filter((status) => transitions[status].length === 0)
  expect(ends.toSorted()).toEqual(['Cancelled', 'ChargedBack', 'Failed', 'Refunded'])
  for (const from of ends) {
    for (const to of statuses) {
      const steps = stepsTo(from, to)
      if (steps.length > 0) expect([from, steps[0]]).toEqual([expect.stringMatching(/Failed|Cancelled/), 'Completed'])
    }
  }
})

test.each<[PaymentStatus, PaymentStatus, PaymentStatus[]]>([
  ['Created', 'Declined', ['Pending', 'Declined']],
  ['Pending', 'Refunded', ['Completed', 'Refunded']],
  ['Declined', 'ChargedBack', ['Completed', 'Disputed', 'ChargedBack']],
  ['Processing', 'Pending', ['Declined', 'Pending']],
  ['Disputed', 'Refunded', ['Completed', 'Refunded']],
  ['Cancelled', 'PartiallyRefunded', ['Completed', 'PartiallyRefunded']],
  ['Completed', 'Pending', []],
  ['Refunded', 'Completed', []],
  ['PartiallyRefunded', 'Completed', []],
])('From %s to %s the history passes through the statuses that must have come before', (from, to, steps) => {
  expect(stepsTo(from, to)).toEqual(steps)
})
