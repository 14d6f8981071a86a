import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { buildConnector } from 'undici'
import { isAllowedAddress, isAllowedPort, type AddressRules, type TargetRules } from './addresses.ts'
import type { Tunnels } from './proxy.ts'
import type { Resolve } from './resolver.ts'
import { holdsHost, parseTargets } from './targets.ts'

const mostSessions = 5_000

/** Thrown if a host, all its addresses or the port are closed to deliveries. */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED'

  constructor(hostname: string, what = 'leads to an address') {
    super(`${hostname} ${what} that deliveries may not reach`)
    this.name = 'AddressRefusedError'
  }
}

/**
 * The connector of all deliveries. It checks an address after its name was resolved and connects to that very address, so
 * a name that resolves differently the next time (rebinding) gains nothing. With `tunnels` it does so through a proxy.
 */
export function guardedConnector(
  rules: TargetRules,
  resolve: Resolve,
  timeoutMs: number,
  tunnels?: Tunnels,
): buildConnector.connector {
  // undici remembers TLS sessions by weak references: these keep them, so that the next connection resumes one.
  const sessions = new LRUCache<string, Buffer>({ max: mostSessions })
  const lookup = guardedLookup(rules, resolve)
  const connect = buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    maxCachedSessions: mostSessions,
    lookup,
    autoSelectFamily: true,
  })
  const lookUp = promisify(lookup) as unknown as (hostname: string, options: object) => Promise<string>

  /** Connects through the proxy to the address that was checked here: the proxy resolves nothing. */
  async function connectThrough(
    proxy: Tunnels,
    options: buildConnector.Options,
    hostname: string,
    callback: buildConnector.Callback,
  ): Promise<void> {
    try {
      const address = isIP(hostname) === 0 ? await lookUp(hostname, {}) : hostname
      const port = options.port === '' ? (options.protocol === 'https:' ? 443 : 80) : Number(options.port)
      const socket = await proxy.open(address, port, timeoutMs)
      if (options.protocol === 'https:') connect({ ...options, httpSocket: socket }, callback)
      else callback(null, socket)
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null)
    }
  }

  return (options, callback) => {
    // A literal address is connected to without a lookup.
    const hostname = options.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(hostname) !== 0 && !isAllowedAddress(hostname, rules))
      return void callback(new AddressRefusedError(options.hostname), null)
    if (!isAllowedPort(options, rules))
      return void callback(new AddressRefusedError(`${options.hostname}:${options.port}`, 'is a port'), null)
    const kept: buildConnector.Callback = (...[error, socket]) => {
      // undici passes an error alone, without null.
      if (!socket) return void callback(error, null)
      socket.on('session', (session: Buffer) => sessions.set(options.servername ?? options.hostname, session))
      callback(null, socket)
    }
    if (tunnels === undefined) connect(options, kept)
    else void connectThrough(tunnels, options, hostname, kept)
  }
}

const everywhere = parseTargets('0.0.0.0/0, ::/0')

/** A lookup for `net.connect` that returns only allowed addresses. */
export function guardedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  const { opened, closed } = rules
  return (hostname, options, callback) => {
    if (closed !== undefined && holdsHost(closed, hostname))
      return void callback(new AddressRefusedError(hostname, 'is a host'), '', 0)
    // An opened name may lead anywhere but to what is closed by address.
    const isOpened = opened !== undefined && holdsHost(opened, hostname)
    const present = isOpened ? { ...rules, opened: everywhere } : rules
    resolve(hostname).then(
      (addresses) => {
        const allowed = addresses
          .filter((address) => isAllowedAddress(address, present))
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
