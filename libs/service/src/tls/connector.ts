import { buildConnector } from 'undici'
import type { Certificates, InternalTls } from './internal-tls.ts'

/**
 * Returns how a pool connects to a service: with our certificate, to a server whose certificate one of our authorities has signed for that
 * host name. Each connection takes the certificates of its moment.
 */
export function internalConnector(tls: InternalTls, timeoutMs: number): buildConnector.connector {
  let made: { of: Certificates; connect: buildConnector.connector } | undefined
  return (options, callback) => {
    const certificates = tls.current()
    if (made?.of !== certificates) {
      // Without sessions: a resumed one would be judged by an earlier certificate.
      const settings = { timeout: timeoutMs, allowH2: false, maxCachedSessions: 0, minVersion: 'TLSv1.3' as const }
      made = { of: certificates, connect: buildConnector({ ...settings, ...certificates }) }
    }
    made.connect(options, callback)
  }
}
