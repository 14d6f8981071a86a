import { expect, test } from 'vitest'
import { acceptsJson, checkMediaTypes } from './media-types.ts'

test('JSON is answered to whoever takes it', () => {
  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'application/*;q=0.5',
    'text/html, */*;q=0.1',
    'Application/JSON; charset=utf-8',
  ]) {
    expect(acceptsJson(accept), accept).toBe(true)
  }
})

test('who takes no JSON is told so', () => {
  for (const accept of [
    'text/html',
    'application/json;q=0',
    '*/*, application/json;q=0',
    'application/*;q=0, text/*',
  ]) {
    expect(acceptsJson(accept), accept).toBe(false)
  }
})

test('a body has to be JSON of some kind', () => {
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
