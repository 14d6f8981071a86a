const second = 1_000
const day = 24 * 60 * 60 * second

/**
 * The wait that a `Retry-After` header asks for, in milliseconds, within 1 s to 24 h (RFC 9110 10.2.3: seconds or a date;
 * a fraction is rounded up). Undefined without a valid header.
 *
 * @param now epoch milliseconds, to measure a date against
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return clamp(Math.ceil(Number(text)) * second)
  // An HTTP date begins with a day or month name; `Date.parse` alone accepts nearly anything.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : clamp(at - now)
}

const clamp = (milliseconds: number) => Math.min(day, Math.max(second, milliseconds))
