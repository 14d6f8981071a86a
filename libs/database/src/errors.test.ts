import { expect, test } from 'vitest'
import { isDatabaseFault, isDataException, isUnavailable } from './errors.ts'

const failure = (code: string) => Object.assign(new Error('refused'), { code })

test.each(['25006', '57014', '57P01', '08006', '53300', '58030', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'P1001'])(
  '%s means that the database is away or takes no writes',
  (code) => expect(isUnavailable(failure(code))).toBe(true),
)

test.each(['42501', '42703', '42P01', '26000', '3D000', 'XX000', 'P2021'])(
  '%s is a fault of the database or its schema, which other values would not avoid',
  (code) => expect(isDatabaseFault(failure(code))).toBe(true),
)

test.each(['42501', '42703', '42P01', '40P01'])('%s passes: a request may be tried again later', (code) =>
  expect(isUnavailable(failure(code))).toBe(true),
)

test.each(['22P02', '23505', 'XX000'])('%s is no reason to try a request again', (code) =>
  expect(isUnavailable(failure(code))).toBe(false),
)

test.each(['22P02', '23505', '23514', '40P01', '54000', 'P0001', 'ERR_X', 'P2002'])(
  '%s may come from the values of one statement',
  (code) => expect(isDatabaseFault(failure(code))).toBe(false),
)

test('only class 22 can never be stored, also when Prisma tells of it', () => {
  const byPrisma = Object.assign(failure('P2010'), {
    meta: { driverAdapterError: { cause: { originalCode: '22003' } } },
  })
  expect([isDataException(failure('22P02')), isDataException(byPrisma)]).toEqual([true, true])
  expect([isDataException(failure('23514')), isDataException(new TypeError('a bug'))]).toEqual([false, false])
})
