import { expect, test } from 'vitest'
import { rememberServed } from './served-requests.ts'

test('a request is new once, for as long as its signature is valid, also if it was signed by a clock that is ahead', () => {
  const served = rememberServed(150)
  const start = 1_795_000_000
  for (const created of [start - 150, start - 149, start, start + 400]) {
    const nonce = `signed at ${created}`
    expect(served.isNew(nonce, created, start)).toBe(true)
    for (let now = start; now <= created + 150; now += 10) {
      // Others come meanwhile.
      expect(served.isNew(`${nonce} ${now}`, now, now)).toBe(true)
      expect(served.isNew(nonce, created, now)).toBe(false)
    }
  }
})

test('what is no longer valid is forgotten', () => {
  const served = rememberServed(150)
  expect(served.isNew('one', 1_000, 1_000)).toBe(true)
  for (let now = 1_000; now < 2_000; now += 50) served.isNew(`other ${now}`, now, now)
  // Its signature is refused by its age. That it is new again shows that nothing is kept of it.
  expect(served.isNew('one', 1_000, 2_000)).toBe(true)
})
