/** Downloads a file whose bytes are known beforehand. */
import { createHash } from 'node:crypto'

/** A machine without a way to the host tries something else soon. */
const ANSWER_WITHIN_MS = 8_000
const DOWNLOAD_WITHIN_MS = 5 * 60_000

/**
 * Returns the bytes at `url`.
 *
 * @throws Error if there is no answer within 8 s, it is no success, or the bytes do not have the SHA-256 (hex)
 */
export async function downloadVerified(url, sha256) {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`${url} does not answer`)), ANSWER_WITHIN_MS)
  const signal = AbortSignal.any([late.signal, AbortSignal.timeout(DOWNLOAD_WITHIN_MS)])
  const response = await fetch(url, { signal }).finally(() => clearTimeout(timer))
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  const actual = createHash('sha256').update(bytes).digest('hex')
  if (actual !== sha256) throw new Error(`${url} has the SHA-256 ${actual}, not ${sha256}`)
  return bytes
}
