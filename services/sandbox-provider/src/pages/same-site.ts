import { problem } from '@frontdesk/problems'
import type { FastifyRequest } from 'fastify'

/**
 * Throws `forbidden` for a change that a page of another site asks for: the control API and the pages take no credential, so any page
 * that a developer has open could otherwise pay, refund or set faults. Terminals and services send neither header.
 */
export function refuseOtherSites({ method, headers }: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD') return
  const { 'sec-fetch-site': site, origin, host = '' } = headers
  const isOwn =
    site === undefined
      ? origin === undefined || isOriginOf(origin, host)
      : ['same-origin', 'none'].includes(String(site))
  if (!isOwn) throw problem('forbidden', 'A page of another site may not do this.')
}

function isOriginOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}
