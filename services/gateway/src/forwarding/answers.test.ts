import { expect, test } from 'vitest'
import { faultOfAnswer } from './answers.ts'

const answer = (status: number, contentType: string, body: unknown) => ({
  status,
  headers: { 'content-type': contentType },
  body: Buffer.from(JSON.stringify(body)),
})
const problemJson = 'application/problem+json; charset=utf-8'
const fault = (status: number, contentType: string, body: unknown) =>
  faultOfAnswer(answer(status, contentType, body), 'payments')?.code

test('successes and our own problems go back to the caller', () => {
  expect(fault(201, 'application/json', {})).toBeUndefined()
  expect(fault(422, problemJson, { code: 'declined', status: 422 })).toBeUndefined()
  expect(fault(503, problemJson, { code: 'provider_unavailable', status: 503 })).toBeUndefined()
})

test('other answers of a service or a proxy do not go back', () => {
  expect(fault(500, 'application/json', { stack: 'at payments.ts:1' })).toBe('upstream_failed')
  expect(fault(500, problemJson, { code: 'other', status: 500 })).toBe('upstream_failed')
  expect(fault(500, problemJson, 'nonsense')).toBe('upstream_failed')
  expect(fault(404, 'text/html', 'nginx')).toBe('upstream_failed')
  expect(fault(302, 'text/html', '')).toBe('upstream_failed')
  expect(fault(503, 'text/html', 'no endpoints')).toBe('service_unavailable')
})

test('a 401 of a service is upstream_failed: it refuses our internal token, not the caller', () => {
  expect(fault(401, problemJson, { code: 'unauthorized', status: 401 })).toBe('upstream_failed')
})
