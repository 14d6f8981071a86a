import { expect, test } from 'vitest'
import { parseJson } from './json-body.ts'

test('an empty body is undefined', () => expect(parseJson(Buffer.alloc(0))).toBeUndefined())

test('plain JSON is parsed', () => expect(parseJson(Buffer.from('{"a":[1,"ü"]}'))).toEqual({ a: [1, 'ü'] }))

test.for([
  ['text that is not JSON', Buffer.from('{"a":')],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a NUL character', Buffer.from('{"a":"x\\u0000"}')],
  ['half of a surrogate pair', Buffer.from('{"a":"\\ud800"}')],
  ['a __proto__ member', Buffer.from('{"a":{"__proto__":{}}}')],
  ['deep nesting', Buffer.from('['.repeat(1000) + ']'.repeat(1000))],
] as const)('%s is refused as malformed', ([, body]) => {
  expect(() => parseJson(body)).toThrow(expect.objectContaining({ code: 'malformed_json' }))
})
