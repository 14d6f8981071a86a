import { FrontdeskProblem } from '#client'
import { expect, test } from 'vitest'
import { kindOf } from './kinds.ts'
import { describeWait, type LostWait } from './until-record.ts'

const lost: LostWait = {
  recordId: 'record-1',
  waitedMs: 900_400,
  answer: { Status: 'Pending', Amount: 500, Refunds: [] },
  ledger: [{ paymentId: 'cs_1', paymentStatus: 'paid' }],
  behind: { due: 7, seconds: 42 },
}

test('a step that was not done in its time tells how long it waited, what each side says, and how far behind the checks are', () => {
  expect(describeWait(lost).split('\n')).toEqual([
    'not so after 900 s',
    'payment record-1: our API last answered 200 Pending, paid 0 of 500, refunds: none',
    'the provider has [{"paymentId":"cs_1","paymentStatus":"paid"}]',
    '7 checks are due, the oldest since 42 s',
  ])
  const problem = { type: 'about:blank', title: 'The request took too long', status: 504, code: 'deadline_exceeded' }
  const late = describeWait({ ...lost, answer: new FrontdeskProblem(504, problem) })
  expect(late).toContain('our API last answered 504 deadline_exceeded')
  expect(describeWait({ ...lost, answer: new TypeError('terminated') })).toContain('answered nothing: terminated')
})

test('such faults are of one kind, whatever each side says', () => {
  const kinds = ['SOAK-000001', 'SOAK-000002'].map((name, index) =>
    kindOf(`${name} (refunded), recorded as paid: ${describeWait({ ...lost, waitedMs: 180_000 + index * 5_000 })}`),
  )
  expect(new Set(kinds)).toEqual(new Set(['# (refunded), recorded as paid: not so after # s']))
})
