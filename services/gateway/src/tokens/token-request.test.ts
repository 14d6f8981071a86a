import { expect, test } from 'vitest'
import { parseTokenRequest } from './token-request.ts'

const contentType = 'application/x-www-form-urlencoded'
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const parse = (form: string, authorization?: string) =>
  parseTokenRequest({ authorization, 'content-type': contentType }, Buffer.from(form))

test('credentials may be in the Authorization header, form-encoded', () => {
  const request = parse('grant_type=client_credentials', basic('a%3Ab', 'p%2Bq+r'))
  expect(request).toMatchObject({
    clientId: 'a:b',
    clientSecret: 'p+q r',
    grantType: 'client_credentials',
    scopes: undefined,
  })
})

test('credentials may be in the form', () => {
  const request = parse(
    'grant_type=client_credentials&client_id=demo&client_secret=s%26t&scope=sites:read+payments:read',
  )
  expect(request).toMatchObject({ clientId: 'demo', clientSecret: 's&t', scopes: ['sites:read', 'payments:read'] })
})

test('the case of the scheme does not matter, and a secret may contain colons', () => {
  expect(parse('', basic('demo', 'a:b').replace('Basic', 'bAsIc'))).toMatchObject({ clientSecret: 'a:b' })
})

test('a parameter without a value counts as absent', () => {
  expect(parse('grant_type=&scope=', basic('demo', 's'))).toMatchObject({ grantType: undefined, scopes: undefined })
})

test('two methods, two clients or a repeated parameter make an invalid request', () => {
  expect(() => parse('client_id=demo&client_secret=s', basic('demo', 's'))).toThrow(/one method/)
  expect(() => parse('client_id=other', basic('demo', 's'))).toThrow(/client_id/)
  expect(() => parse('scope=a&scope=a', basic('demo', 's'))).toThrow(/twice/)
})

test('credentials that are missing or malformed make an invalid client', () => {
  for (const authorization of [undefined, 'Bearer abc', 'Basic', 'Basic !!!', basic('', 's'), basic('%', 's')]) {
    expect(() => parse('grant_type=client_credentials', authorization)).toThrow(
      expect.objectContaining({ code: 'invalid_client' }),
    )
  }
})

test('a JSON body makes an invalid request', () => {
  expect(() => parseTokenRequest({ 'content-type': 'application/json' }, Buffer.from('{}'))).toThrow(/form-urlencoded/)
})

test('scopes must be separated by single spaces', () => {
  expect(() => parse('scope=a%20%20b', basic('demo', 's'))).toThrow(expect.objectContaining({ code: 'invalid_scope' }))
  expect(() => parse('scope=a%22', basic('demo', 's'))).toThrow(expect.objectContaining({ code: 'invalid_scope' }))
})
