import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problem, problemDetails, problemHeaders, type ProblemError } from '@frontdesk/problems'

/** The error that Node's HTTP parser reports for bytes that are not a request. */
export interface ClientError extends Error {
  code?: string | undefined
  /** A Buffer, whatever Fastify's types say. */
  rawPacket?: unknown
}

/** The longest address, in characters. It has room for 250 values in each filter of a list. */
export const longestAddress = 32 * 1024
/** The limit for address and headers together, which Node's parser counts as one, in bytes. */
export const largestHead = longestAddress + 16 * 1024

/** Answers a request that Node's parser refused with a problem, like every other refusal, and ends the connection. */
export function answerClientError(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(rawResponse(problemOf(error)))
  socket.destroySoon()
}

function problemOf({ code, rawPacket }: ClientError): ProblemError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('request_timeout')
  if (code !== 'HPE_HEADER_OVERFLOW') return problem('malformed_request', 'It is not valid HTTP/1.1.')
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0)
  const lineEnd = packet.indexOf('\n')
  const isLongLine = (lineEnd === -1 ? packet.byteLength : lineEnd) > longestAddress
  return problem(isLongLine ? 'uri_too_long' : 'headers_too_large')
}

function rawResponse(error: ProblemError): string {
  const body = JSON.stringify(problemDetails(error, {}))
  const headers = { ...problemHeaders(error), 'content-length': String(Buffer.byteLength(body)), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`
}
