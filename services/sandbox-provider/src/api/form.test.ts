import { expect, test } from 'vitest'
import { decodeForm, FormError } from './form.ts'

const decoded = (text: string) => JSON.parse(JSON.stringify(decodeForm(text))) as unknown

test('brackets become objects and numbered members', () => {
  expect(decoded('mode=payment&line_items[0][quantity]=2&line_items[1][quantity]=3')).toEqual({
    mode: 'payment',
    line_items: { 0: { quantity: '2' }, 1: { quantity: '3' } },
  })
})

test('empty brackets append', () => {
  expect(decoded('expand[]=a&expand[]=b')).toEqual({ expand: { 0: 'a', 1: 'b' } })
})

test('names and values are percent-decoded, brackets included', () => {
  expect(decoded('metadata%5Bsite+slug%5D=Zahn%20%26%20Co')).toEqual({ metadata: { 'site slug': 'Zahn & Co' } })
})

test('a name without a value is an empty text, and an empty form has no members', () => {
  expect(decoded('a&b=')).toEqual({ a: '', b: '' })
  expect(decoded('')).toEqual({})
})

test.each([
  ['a name given twice', 'a=1&a=2'],
  ['a text that is an object too', 'a=1&a[b]=2'],
  ['an object that is a text too', 'a[b]=2&a=1'],
  ['unbalanced brackets', 'a[b=1'],
  ['a name that begins with a bracket', '[a]=1'],
  ['text after the brackets', 'a[b]c=1'],
  ['broken percent-encoding', 'a=%E0%A4%A'],
  ['a NUL character', 'a=x%00y'],
  ['nesting that is too deep', `a${'[b]'.repeat(9)}=1`],
])('%s is refused', (_fault, text) => {
  expect(() => decodeForm(text)).toThrow(FormError)
})

test('no parameter name reaches a prototype', () => {
  decodeForm('__proto__[polluted]=yes&constructor[prototype][polluted]=yes')
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})
