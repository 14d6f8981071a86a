import { randomBytes } from 'node:crypto'

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The W3C trace context of a request: the caller's trace continued, or a new one. */
export function traceContext(header: string | undefined): { traceparent: string; traceId: string } {
  const match = header === undefined ? null : form.exec(header)
  const known = match !== null && !/^0+$/.test(match[1] ?? '') && !/^0+$/.test(match[2] ?? '')
  const traceId = known ? (match[1] ?? '') : randomBytes(16).toString('hex')
  return { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${known ? match[3] : '01'}`, traceId }
}
