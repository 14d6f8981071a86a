import { expect, test } from 'vitest'
import { acceptedType, checkMediaTypes } from './media-types.ts'

test('a client that accepts JSON gets it', () => {
  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'application/*;q=0.5',
    'text/html, */*;q=0.1',
    'Application/JSON; charset=utf-8',
    'application/json;odata=verbose;q=0.1, text/html',
    'application/json; profile="a,b;c", text/html',
  ]) {
    expect(acceptedType(accept), accept).toBe('application/json')
  }
})

test('a client that does not accept JSON is refused', () => {
  for (const accept of [
    'text/html',
    'application/json;q=0',
    'application/json; charset=utf-8; Q=0',
    '*/*, application/json;q=0',
    'application/*;q=0, text/*',
  ]) {
    expect(acceptedType(accept), accept).toBeUndefined()
  }
})

test('of several media types a client gets the one that it prefers, and JSON if it has no preference', () => {
  const available = ['application/json', 'text/csv'] as const
  const preferred = (accept: string | undefined) => acceptedType(accept, available)
  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'text/csv;q=0.5, application/json',
    'text/html, */*;q=0.1',
  ])
    expect(preferred(accept), accept).toBe('application/json')
  for (const accept of [
    'text/csv',
    'text/*',
    'TEXT/CSV; charset=utf-8; header=present',
    'text/csv, application/json;q=0.9',
  ])
    expect(preferred(accept), accept).toBe('text/csv')
  expect(preferred('text/html')).toBeUndefined()
  expect(() => checkMediaTypes({ accept: 'text/html' }, false, available)).toThrow(
    expect.objectContaining({ code: 'not_acceptable', message: expect.stringContaining('text/csv') }),
  )
})

test('a body must have a JSON media type', () => {
  const check = (contentType: string | undefined) => () => checkMediaTypes({ 'content-type': contentType }, true)
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/merge-patch+json',
    'application/cloudevents+json',
  ]) {
    expect(check(type), type).not.toThrow()
  }
  for (const type of [
    undefined,
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'application/jsonx',
  ]) {
    expect(check(type), type).toThrow(expect.objectContaining({ code: 'media_type_unsupported' }))
  }
  expect(() => checkMediaTypes({ 'content-type': 'text/plain' }, false)).not.toThrow()
})
