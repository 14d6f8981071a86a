import { expect, test } from 'vitest'
import { forwardedHeaders, givenRequestId, returnedHeaders } from './headers.ts'

const own = { traceparent: '00-1-2-01', requestId: 'r1', address: '192.0.2.7', hasBody: true }

test('only headers that services read are forwarded', () => {
  const headers = {
    host: 'api.example.com',
    authorization: 'Bearer secret',
    'x-site-api-key': 'secret',
    'x-internal-principal': 'client:root',
    'x-forwarded-for': '10.0.0.1',
    'x-client-address': '10.0.0.2',
    cookie: 'a=b',
    connection: 'keep-alive, x-custom',
    'transfer-encoding': 'chunked',
    'content-type': 'application/json',
    'idempotency-key': 'k1',
    'x-practice-management-software': 'OpenDental',
    traceparent: '00-caller-01',
  }
  expect(forwardedHeaders(headers, own)).toEqual({
    'content-type': 'application/json',
    'idempotency-key': 'k1',
    'x-practice-management-software': 'OpenDental',
    traceparent: '00-1-2-01',
    'x-request-id': 'r1',
    'x-client-address': '192.0.2.7',
  })
})

test('a request without a body has no content type', () => {
  expect(forwardedHeaders({ 'content-type': 'application/json' }, { ...own, hasBody: false })).not.toHaveProperty(
    'content-type',
  )
})

test('connection headers, headers that Connection names, and Server are not returned', () => {
  const headers = {
    connection: 'close, X-Hop',
    'x-hop': '1',
    'keep-alive': 'timeout=72',
    'transfer-encoding': 'chunked',
    server: 'internal/1',
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'retry-after': '1',
  }
  expect(returnedHeaders(headers)).toEqual({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'retry-after': '1',
  })
})

test('a request id of letters, digits and hyphens is accepted', () => {
  expect(givenRequestId({ 'x-request-id': 'abc-123' })).toBe('abc-123')
  expect(givenRequestId({ 'x-request-id': 'a b' })).toBeUndefined()
  expect(givenRequestId({ 'x-request-id': 'a'.repeat(65) })).toBeUndefined()
})
