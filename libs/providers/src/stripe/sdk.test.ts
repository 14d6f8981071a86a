import { expect, test } from 'vitest'
import type { Call } from '../calls.ts'
import { openSdk, sdkCall } from './sdk.ts'

const call: Call = (_operation, _options, attempt) => attempt({ timeoutMs: 1_000 })
const here = /\n\s+at .*sdk\.(test\.)?ts/

test('a call of the SDK takes no stack from other errors: neither from what runs meanwhile nor from the sending of its request', async () => {
  const limit = Error.stackTraceLimit
  const stacks: (string | undefined)[] = []
  const stripe = openSdk('sk_test_1', undefined, {
    async exchange() {
      stacks.push(new Error('while it is sent').stack)
      return { status: 200, headers: {}, body: { object: 'balance' } }
    },
  })
  const underWay = sdkCall(call)('readBalance', {}, (options) => stripe.balance.retrieve({}, options))
  expect(Error.stackTraceLimit).toBe(limit)
  stacks.push(new Error('meanwhile').stack)
  await underWay
  expect(stacks).toEqual([expect.stringMatching(here), expect.stringMatching(here)])
})

test('an error of our own at the beginning of a call has its stack', async () => {
  const limit = Error.stackTraceLimit
  const begin = async () =>
    sdkCall(call)('readBalance', {}, () => {
      throw new TypeError('of our own')
    })
  const error = await begin().catch((thrown: unknown) => thrown as Error)
  expect(error).toMatchObject({ message: 'of our own', stack: expect.stringMatching(here) })
  expect(Error.stackTraceLimit).toBe(limit)
})
