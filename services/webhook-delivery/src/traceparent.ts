import type { Envelope } from '@frontdesk/contracts'

/** Whether a value is a `traceparent` of W3C Trace Context, version 00. */
export function isTraceparent(value: string | null | undefined): value is string {
  return typeof value === 'string' && /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(value)
}

/** The event's `traceparent`, from its stored bytes; undefined without a valid one. */
export function traceparentIn(payload: Buffer): string | undefined {
  const { traceparent } = JSON.parse(payload.toString('utf8')) as Envelope
  return isTraceparent(traceparent) ? traceparent : undefined
}
