import { expect, test } from 'vitest'
import { parseExternalIssuers } from './external-issuers.ts'

const file = (settings: object = {}) =>
  JSON.stringify([
    {
      issuer: 'https://login.example',
      jwksUri: 'https://login.example/keys',
      audience: 'us',
      clientClaim: 'azp',
      ...settings,
    },
  ])

test('tokens of an issuer are access tokens that live for a day at most, unless its entry says something else', () => {
  const [first] = parseExternalIssuers(file(), undefined).values()
  expect(first).toMatchObject({ tokenType: 'at+jwt', longestLifeSeconds: 86_400 })
  const [other] = parseExternalIssuers(file({ tokenType: 'JWT', longestLifeSeconds: 60 }), undefined).values()
  expect(other).toMatchObject({ tokenType: 'JWT', longestLifeSeconds: 60 })
})

test.for(['http://login.example/keys', 'http://127.0.0.1.login.example/keys', 'http://127.0.0.1:8080/keys'])(
  'keys are not fetched in the clear from %s',
  (jwksUri) => {
    expect(() => parseExternalIssuers(file({ jwksUri }), undefined)).toThrow(
      'the keys of https://login.example must be',
    )
  },
)

test('in development keys may come from this machine in the clear, and from nowhere else', () => {
  for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:9']) {
    expect(parseExternalIssuers(file({ jwksUri: `http://${host}/keys` }), 'development').size).toBe(1)
  }
  expect(() => parseExternalIssuers(file({ jwksUri: 'http://login.example/keys' }), 'development')).toThrow('https')
  expect(() => parseExternalIssuers(file({ issuer: 'http://login.example' }), 'development')).toThrow('issuer')
})
