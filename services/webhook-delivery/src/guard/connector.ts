import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { buildConnector } from 'undici'
import { isAllowedAddress, type AddressRules } from './addresses.ts'
import type { Resolve } from './resolver.ts'

const mostSessions = 5_000

/** Thrown if all addresses of a host are closed to deliveries. */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED'

  constructor(hostname: string) {
    super(`${hostname} leads to an address that deliveries may not reach`)
    this.name = 'AddressRefusedError'
  }
}

/**
 * The connector of all deliveries. It checks an address after its name was resolved and connects to that very address, so
 * a name that resolves differently the next time (rebinding) gains nothing.
 */
export function guardedConnector(rules: AddressRules, resolve: Resolve, timeoutMs: number): buildConnector.connector {
  // undici remembers TLS sessions by weak references: these keep them, so that the next connection resumes one.
  const sessions = new LRUCache<string, Buffer>({ max: mostSessions })
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    maxCachedSessions: mostSessions,
    lookup: guardedLookup(rules, resolve),
    autoSelectFamily: true,
  })
  return (options, callback) => {
    // A literal address is connected to without a lookup.
    const hostname = options.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(hostname) !== 0 && !isAllowedAddress(hostname, rules))
      callback(new AddressRefusedError(options.hostname), null)
    else
      connect(options, (...[error, socket]: Parameters<typeof callback>) => {
        // undici passes an error alone, without null.
        if (!socket) return void callback(error, null)
        socket.on('session', (session: Buffer) => sessions.set(options.servername ?? options.hostname, session))
        callback(null, socket)
      })
  }
}

/** A lookup for `net.connect` that returns only allowed addresses. */
export function guardedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const allowed = addresses
          .filter((address) => isAllowedAddress(address, rules))
          .map((address) => ({ address, family: isIP(address) }))
        const first = allowed[0]
        if (first === undefined) callback(new AddressRefusedError(hostname), '', 0)
        else if (options.all === true) callback(null, allowed)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}
