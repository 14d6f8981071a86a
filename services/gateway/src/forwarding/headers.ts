import type { IncomingHttpHeaders } from 'node:http'

/**
 * The request headers that services read; nothing else goes on, so neither credentials nor what looks like ours
 * (`x-internal-*`) or belongs to one connection can.
 */
const passed = ['idempotency-key', 'x-practice-management-software'] as const

/** The headers of a forwarded request, besides its internal token. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  own: { traceparent: string; requestId: string; hasBody: boolean },
): Record<string, string> {
  const forwarded: Record<string, string> = { traceparent: own.traceparent, 'x-request-id': own.requestId }
  if (own.hasBody && headers['content-type'] !== undefined) forwarded['content-type'] = headers['content-type']
  for (const name of passed) {
    const value = headers[name]
    if (typeof value === 'string') forwarded[name] = value
  }
  return forwarded
}

/** Of one connection only (RFC 9110 section 7.6.1), or made anew by our own server. */
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

/** The headers of a service's response that go back to the caller. */
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

/** The caller's own id of a request where it is a plain one. */
export function givenRequestId(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(id) ? id : undefined
}
