import type { IncomingHttpHeaders } from 'node:http'

/** Returns a request header as one string. */
export function headerOf(request: { headers: IncomingHttpHeaders }, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
