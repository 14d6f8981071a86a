import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isAllowedAddress, type AddressRules } from './addresses.ts'
import type { Resolve } from './resolver.ts'

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
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    lookup: guardedLookup(rules, resolve),
    autoSelectFamily: true,
  })
  return (options, callback) => {
    // A literal address is connected to without a lookup.
    const hostname = options.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(hostname) !== 0 && !isAllowedAddress(hostname, rules))
      callback(new AddressRefusedError(options.hostname), null)
    else connect(options, callback)
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
