import { expect, test } from 'vitest'
import { parseJson } from './json-body.ts'

test('an empty body is undefined', () => expect(parseJson(Buffer.alloc(0))).toBeUndefined())

test('plain JSON is parsed', () => expect(parseJson(Buffer.from('{"a":[1,"ü"]}'))).toEqual({ a: [1, 'ü'] }))

test.for([
  ['text that is not JSON', Buffer.from('{"a":')],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a NUL outside of a string', Buffer.from('{}\u0000')],
] as const)('%s is refused as malformed JSON', ([, body]) => {
  expect(() => parseJson(body)).toThrow(expect.objectContaining({ code: 'malformed_json' }))
})

test.for([
  ['9223372036854775807', 2 ** 63 - 1024],
  ['9223372036854775807.0', 2 ** 63 - 1024],
  ['9223372036854775296', 2 ** 63 - 1024],
  ['9223372036854775808', 2 ** 63],
  ['9223372036854775808.0', 2 ** 63],
  ['9.223372036854775808e18', 2 ** 63],
  ['"9223372036854775807"', '9223372036854775807'],
  ['1234567890123456789', 1234567890123456800],
] as const)('an int64 stays one, and nothing becomes one: %s', ([text, value]) => {
  expect(parseJson(Buffer.from(`{"a":[${text}],"b":1}`))).toEqual({ a: [value], b: 1 })
})

const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join()

test.for([
  ['a NUL character', '{"a":"x\\u0000"}', 'A string holds a NUL character (\\u0000), which cannot be stored.'],
  ['the first half of a surrogate pair', '{"a":"\\ud83ex"}', 'A string holds half of a surrogate pair.'],
  ['the second half of a surrogate pair', '["\\udd8a"]', 'A string holds half of a surrogate pair.'],
  ['half of a pair in a name', '{"\\uD83E\\u0041":1}', 'A string holds half of a surrogate pair.'],
  ['a __proto__ member', '{"a":{"__proto__":{}}}', 'A member is named __proto__.'],
  ['an escaped __proto__ member', '{"\\u005f\\u005Fproto__" : 1}', 'A member is named __proto__.'],
  ['deep nesting', '['.repeat(1000) + ']'.repeat(1000), 'The body nests deeper than 32.'],
  ['very many members', `{${many(3_001, (index) => `"${index}":1`)}}`, 'The body has more than 3000 members.'],
  ['very many values', `[${many(20_001, () => '1')}]`, 'The body has more than 20000 values.'],
] as const)('%s is JSON, and refused with the reason', ([, body, detail]) => {
  const refusal = expect.objectContaining({ code: 'malformed_request', options: expect.objectContaining({ detail }) })
  expect(() => parseJson(Buffer.from(body))).toThrow(refusal)
})

test.for([
  '{"__proto":1,"a":"__proto__","_":["__proto__"]}',
  '["\\\\u0000 \\ud83e\\udd8a \\" : , [ { \\\\"]',
  `[${many(10_000, () => '1')}]`,
  `{${many(3_000, (index) => `"${index}":1`)}}`,
  ` ${'['.repeat(32)}${']'.repeat(32)}\n`,
])('what only looks like it is parsed: %.50s', (body) => {
  expect(parseJson(Buffer.from(body))).toEqual(JSON.parse(body))
})
