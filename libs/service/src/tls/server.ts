import type { ServerOptions } from 'node:https'
import { TLSSocket } from 'node:tls'
import { problem } from '@frontdesk/problems'
import type { FastifyInstance } from 'fastify'
import type { InternalTls } from './internal-tls.ts'

/** Probes of an orchestrator have no certificate, and learn no more than whether the service works. */
const withoutCertificate = new Set(['/livez', '/readyz'])

/**
 * Returns how a server identifies itself and asks its callers to. The handshake also succeeds without a certificate: `requireCertificate`
 * then refuses everything but probes.
 */
export function serverTls(tls: InternalTls): ServerOptions {
  return { ...tls.current(), minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: false }
}

/** Refuses requests on connections without a certificate of our authorities, and follows changed certificates. */
export function requireCertificate(app: FastifyInstance, tls: InternalTls): void {
  app.addHook('onRequest', async ({ raw: { socket, url = '' } }, reply) => {
    if (socket instanceof TLSSocket && socket.authorized) return
    if (withoutCertificate.has(url.split('?', 1)[0] ?? '')) return
    reply.header('connection', 'close')
    throw problem('unauthorized', {
      detail: 'A certificate of this system is needed.',
      headers: { 'www-authenticate': 'Bearer' },
    })
  })
  const { server } = app as unknown as { server: { setSecureContext(options: ServerOptions): void } }
  // New connections only: those that are open go on until their callers leave them, half a minute later at most.
  tls.onChange((certificates) => server.setSecureContext({ ...certificates, minVersion: 'TLSv1.3' }))
}
