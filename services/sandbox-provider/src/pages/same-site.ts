import { isIP } from 'node:net'
import { problem } from '@frontdesk/problems'
import type { FastifyRequest } from 'fastify'

/**
 * Throws `forbidden` for what a page of another site asks for: the control API and the pages take no credential, so any page that
 * a developer has open could otherwise pay, refund or set faults. Terminals and services send neither header.
 *
 * @param baseUrl the address of the sandbox's own pages
 */
export function refuseOtherSites({ method, headers }: FastifyRequest, baseUrl: string): void {
  const { 'sec-fetch-site': site, origin, host = '' } = headers
  if (!isOwnHost(host, baseUrl)) throw problem('forbidden', `This is no address of the sandbox: use ${baseUrl}.`)
  if (method === 'GET' || method === 'HEAD') return
  const isOwn =
    site === undefined
      ? origin === undefined || isOriginOf(origin, host)
      : ['same-origin', 'none'].includes(String(site))
  if (!isOwn) throw problem('forbidden', 'A page of another site may not do this.')
}

/**
 * Whether a host is an address, a name of this machine or network, or that of the sandbox's pages. Any other name may belong to
 * somebody who has had it lead here (DNS rebinding): for a browser, his pages are then of the same site.
 */
function isOwnHost(host: string, baseUrl: string): boolean {
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 || hostname.endsWith('.localhost')) return true
  return !hostname.includes('.') || hostname === new URL(baseUrl).hostname
}

function isOriginOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}
