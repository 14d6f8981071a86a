import { PaymentStatus } from '@frontdesk/contracts'
import { expect, test } from 'vitest'
import { mayGo, paidStatuses, stepsTo, transitions } from './transitions.ts'

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
  expect(ends.toSorted()).toEqual(['Cancelled', 'Failed'])
  for (const from of ends) {
    for (const to of statuses) expect(stepsTo(from, to)).toEqual(to === 'Completed' ? ['Completed'] : [])
  }
})

test('What became of money may be undone: its statuses lead to one another, and never back to before it was paid', () => {
  for (const from of paidStatuses) {
    for (const to of transitions[from]) expect(paidStatuses).toContain(to)
    for (const to of paidStatuses) {
      if (from === 'ChargedBack' || to !== 'ChargedBack') expect(from === to || mayGo(from, to)).toBe(true)
    }
  }
})

test.each<[PaymentStatus, PaymentStatus, PaymentStatus[]]>([
  ['Created', 'Declined', ['Pending', 'Declined']],
  ['Created', 'Completed', ['Completed']],
  ['Processing', 'Pending', ['Declined', 'Pending']],
  ['Cancelled', 'Completed', ['Completed']],
  ['Completed', 'Pending', []],
  ['Refunded', 'Completed', []],
])('From %s to %s the history passes through the statuses that must have come before', (from, to, steps) => {
  expect(stepsTo(from, to)).toEqual(steps)
})
