import { FrontdeskProblem } from '#client'
import { expect, test } from 'vitest'
import { kindOf } from './kinds.ts'
import { PatienceLost, startWaiting } from './patience.ts'
import { describeSides } from './sides.ts'

const record = { Status: 'Pending', Amount: 500, Refunds: [] } as const
const sides = {
  recordId: 'record-1',
  ledger: [{ paymentId: 'cs_1', paymentStatus: 'paid' }],
  behind: { due: 7, seconds: 42 },
}

test('a step that was not done in its time tells how long it waited and what our API last answered', () => {
  expect(new PatienceLost('not so', 900_400, { ...record, Refunds: [] }).message).toBe(
    'not so after 900 s\nour API last answered 200 Pending, paid 0 of 500, refunds: none',
  )
  const problem = { type: 'about:blank', title: 'The request took too long', status: 504, code: 'deadline_exceeded' }
  const late = new PatienceLost('no answer', 1_000, new FrontdeskProblem(504, problem))
  expect(late.message).toContain('our API last answered 504 deadline_exceeded')
  expect(new PatienceLost('not so', 1_000, new TypeError('terminated')).message).toContain(
    'answered nothing: terminated',
  )
})

test('patience is lost only after its time', () => {
  const answer = new Error('not yet')
  expect(() => startWaiting('not so', 60_000)(answer)).not.toThrow()
  expect(() => startWaiting('not so', -1)(answer)).toThrow(PatienceLost)
})

test('it also tells what the provider has, and how far our checks are behind', () => {
  expect(describeSides(sides)).toBe(
    'payment record-1: the provider has [{"paymentId":"cs_1","paymentStatus":"paid"}]\n7 checks are due, the oldest since 42 s',
  )
  expect(describeSides({ ...sides, behind: { due: 0, seconds: 0 } })).toContain('no check is due')
})

test('such faults are of one kind, whatever each side says', () => {
  const kinds = ['SOAK-000001', 'SOAK-000002'].map((name, index) =>
    kindOf(
      `${name} (refunded), recorded as paid: ${new PatienceLost('not so', index * 5_000, { ...record, Refunds: [] }).message}`,
    ),
  )
  expect(new Set(kinds)).toEqual(new Set(['# (refunded), recorded as paid: not so after # s']))
})
