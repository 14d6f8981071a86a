import { createHmac, hash, randomUUID, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { RequestKey } from './internal-keys.ts'

/** A request between services, as its caller sends it. */
export interface OutgoingRequest {
  method: string
  /** Path and query, as they are in the request line. */
  path: string
  /** With `authorization`. The signature covers all of them but those of tracing, which proxies may change. */
  headers: Readonly<Record<string, string>>
  body?: Buffer | undefined
}

/** The part of a request that its signature covers, as it arrives. */
export interface ArrivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
}

/** Headers that are not signed: of tracing, of the connection, and of how the body is framed, which the digest covers better. */
const unsigned: ReadonlySet<string> = new Set([
  'traceparent',
  'tracestate',
  'x-request-id',
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'signature',
  'signature-input',
])

/** How long a request may take to arrive, in seconds; the clocks' tolerance comes on top. As long as an internal token lives. */
export const signatureSeconds = 60

const label = 'request'
const inputForm =
  /^request=(\(((?:"[a-z0-9@!#$%&'*+.^_`|~-]+" ?)+)\);created=(\d{1,12});nonce="([0-9a-f-]{36})";keyid="([\w.:/-]{1,200})")$/

/** Returns the `Content-Digest` of a body (RFC 9530). */
export const contentDigest = (body: Buffer): string => `sha-256=:${hash('sha256', body, 'base64')}:`

/**
 * Returns the headers of a request with its signature (RFC 9421, HMAC-SHA256) and the digest of its body, so that nobody who sees the
 * request can send its token with another method, address, body or caller. Each signature is unlike all others, so that the same request
 * is known when somebody sends it again. `created` is in seconds since 1970.
 */
export function signRequest(
  { method, path, headers, body }: OutgoingRequest,
  { id, key }: RequestKey,
  created: number,
): Record<string, string> {
  const signed: Record<string, string> = {}
  // Names arrive in lower case, and a signature has them so.
  for (const name in headers) signed[name.toLowerCase()] = headers[name] ?? ''
  if (body !== undefined && body.byteLength > 0) signed['content-digest'] = contentDigest(body)
  const names = Object.keys(signed).filter((name) => !unsigned.has(name))
  const parts = ['@method', '@request-target', ...names].map((name) => `"${name}"`).join(' ')
  const input = `(${parts});created=${created};nonce="${randomUUID()}";keyid="${id}"`
  const base = signatureBase(method, path, names, signed, input)
  signed['signature-input'] = `${label}=${input}`
  signed['signature'] = `${label}=:${createHmac('sha256', key).update(base).digest('base64')}:`
  return signed
}

/** A signature that is valid. */
export interface VerifiedSignature {
  keyId: string
  /** Seconds since 1970. */
  created: number
  /** Unlike that of every other request of the caller. */
  nonce: string
}

/**
 * Verifies the signature of a request, and removes the headers from it that the signature does not cover, so that no handler reads what
 * somebody added. The body is not here yet: its digest is compared once it is. Throws an Error with the reason.
 */
export function verifySignature(
  request: ArrivedRequest,
  keyOf: (id: string) => KeyObject | undefined,
): VerifiedSignature {
  const { method, url, headers } = request
  const [, input, list = '', created = '', nonce = '', keyId = ''] =
    inputForm.exec(text(headers['signature-input'])) ?? []
  if (input === undefined) throw new Error('the request is not signed')
  const [target, path, ...names] = list.split(' ').map((name) => name.slice(1, -1))
  if (target !== '@method' || path !== '@request-target' || !names.includes('authorization')) {
    throw new Error('the signature covers too little')
  }
  const key = keyOf(keyId)
  if (key === undefined) throw new Error(`the key ${keyId} of the signature is not known`)
  const base = signatureBase(method, url, names, headers, input)
  const signature = /^request=:([A-Za-z0-9+/]{43}=):$/.exec(text(headers['signature']))?.[1] ?? ''
  const [given, expected] = [Buffer.from(signature, 'base64'), createHmac('sha256', key).update(base).digest()]
  if (given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) {
    throw new Error('the signature is of another request')
  }
  const covered = new Set(names)
  for (const name of Object.keys(headers)) if (!covered.has(name) && !unsigned.has(name)) delete headers[name]
  return { keyId, created: Number(created), nonce }
}

/** Returns the bytes that are signed (RFC 9421 section 2.5). */
function signatureBase(
  method: string,
  path: string,
  names: readonly string[],
  headers: Readonly<Record<string, string | string[] | undefined>>,
  input: string,
): Buffer {
  const lines = names.map((name) => `"${name}": ${text(headers[name]).trim()}\n`).join('')
  const base = `"@method": ${method}\n"@request-target": ${path}\n${lines}"@signature-params": ${input}`
  // The bytes of header values: Node reads and writes them as Latin-1.
  return Buffer.from(base, 'latin1')
}

const text = (value: string | string[] | undefined): string => (Array.isArray(value) ? value.join(', ') : (value ?? ''))
