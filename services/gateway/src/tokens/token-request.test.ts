import { expect, test } from 'vitest'
import { parseTokenRequest } from './token-request.ts'

const contentType = 'application/x-www-form-urlencoded'
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const parse = (form: string, authorization?: string) =>
  parseTokenRequest({ authorization, 'content-type': contentType }, Buffer.from(form))

test('credentials come in the Authorization header, form-encoded', () => {
  const request = parse('grant_type=client_credentials', basic('a%3Ab', 'p%2Bq+r'))
  expect(request).toMatchObject({
    clientId: 'a:b',
    clientSecret: 'p+q r',
    grantType: 'client_credentials',
    scopes: undefined,
  })
})

test('credentials come in the form', () => {
  const request = parse(
    'grant_type=client_credentials&client_id=demo&client_secret=s%26t&scope=sites:read+payments:read',
  )
  expect(request).toMatchObject({ clientId: 'demo', clientSecret: 's&t', scopes: ['sites:read', 'payments:read'] })
})

test('the scheme is read whatever its case, and a secret may hold colons', () => {
  expect(parse('', basic('demo', 'a:b').replace('Basic', 'bAsIc'))).toMatchObject({ clientSecret: 'a:b' })
})

test('a parameter without a value counts as left out', () => {
  expect(parse('grant_type=&scope=', basic('demo', 's'))).toMatchObject({ grantType: undefined, scopes: undefined })
})

test('two methods at once, two clients at once and a repeated parameter are invalid requests', () => {
  expect(() => parse('client_id=demo&client_secret=s', basic('demo', 's'))).toThrow(/one method/)
  expect(() => parse('client_id=other', basic('demo', 's'))).toThrow(/client_id/)
  expect(() => parse('scope=a&scope=a', basic('demo', 's'))).toThrow(/twice/)
})

test('credentials that are missing or cannot be read are an invalid client', () => {
  for (const authorization of [undefined, 'Bearer abc', 'Basic', 'Basic !!!', basic('', 's'), basic('%', 's')]) {
    expect(() => parse('grant_type=client_credentials', authorization)).toThrow(
      expect.objectContaining({ code: 'invalid_client' }),
    )
  }
})

test('a JSON body is an invalid request', () => {
  expect(() => parseTokenRequest({ 'content-type': 'application/json' }, Buffer.from('{}'))).toThrow(/form-urlencoded/)
})

test('scopes separated by anything but single spaces are invalid', () => {
  expect(() => parse('scope=a%20%20b', basic('demo', 's'))).toThrow(expect.objectContaining({ code: 'invalid_scope' }))
  expect(() => parse('scope=a%22', basic('demo', 's'))).toThrow(expect.objectContaining({ code: 'invalid_scope' }))
})
