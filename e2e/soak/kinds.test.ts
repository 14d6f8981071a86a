import { expect, test } from 'vitest'
import { kindOf, kindsOf } from './kinds.ts'

test.each([
  ['01a203e0-2cd5-72b3-81d9-8894e6b8773e: charged 2 times', '#: charged # times'],
  [
    'SOAK-000011 (refunded), refund: refused as provider_rejected',
    '# (refunded), refund: refused as provider_rejected',
  ],
  [
    'sKqRtWmXbVnZ: disconnected, and could not open another account',
    '#: disconnected, and could not open another account',
  ],
  [
    'a successfully stuck one: refund re_3ZPA2dn is 50 PartiallyRefunded',
    'a successfully stuck one: refund # is # PartiallyRefunded',
  ],
  ['SOAK-1 (paid), recorded as paid: not so\nour API last answered 504', '# (paid), recorded as paid: not so'],
])('the kind of "%s" has no ids, numbers and details', (fault, kind) => {
  expect(kindOf(fault)).toBe(kind)
})

test('faults are counted by kind, the most frequent first', () => {
  const faults = [
    'p1: stuck as Pending',
    'p2: charged 2 times',
    'p3: stuck as Pending',
    'p4: charged 3 times',
    'p5: charged 2 times',
  ]
  expect(kindsOf(faults)).toEqual([
    { kind: '#: charged # times', faults: ['p2: charged 2 times', 'p4: charged 3 times', 'p5: charged 2 times'] },
    { kind: '#: stuck as Pending', faults: ['p1: stuck as Pending', 'p3: stuck as Pending'] },
  ])
})
