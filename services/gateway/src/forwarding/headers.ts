import type { IncomingHttpHeaders } from 'node:http'
import { clientAddressHeader } from '@frontdesk/service/audit'

/** The request headers that services read. No others are forwarded: no credentials, `x-internal-*` or connection headers. */
const passed = ['idempotency-key', 'x-practice-management-software'] as const

/** Returns the headers of a forwarded request, but for its internal token. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  own: { traceparent: string; requestId: string; address: string; hasBody: boolean },
): Record<string, string> {
  const forwarded: Record<string, string> = {
    traceparent: own.traceparent,
    'x-request-id': own.requestId,
    [clientAddressHeader]: own.address,
  }
  if (own.hasBody && headers['content-type'] !== undefined) forwarded['content-type'] = headers['content-type']
  for (const name of passed) {
    const value = headers[name]
    if (typeof value === 'string') forwarded[name] = value
  }
  return forwarded
}

/** Headers of one connection (RFC 9110 section 7.6.1), and those that our own server sets. */
const notReturned = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'date',
  'server',
  'x-powered-by',
  'x-request-id',
])

/** Returns the headers of a service's response that go back to the caller. */
export function returnedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = headers.connection
    ?.toLowerCase()
    .split(',')
    .map((token) => token.trim())
  const returned: Record<string, string | string[]> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !notReturned.has(name) && named?.includes(name) !== true) returned[name] = value
  }
  return returned
}

/** Returns the caller's `x-request-id` if it is 1 to 64 letters, digits and hyphens. */
export function givenRequestId(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(id) ? id : undefined
}
