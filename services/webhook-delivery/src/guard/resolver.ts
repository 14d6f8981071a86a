import { lookup, Resolver } from 'node:dns/promises'
import { isLocalName } from './addresses.ts'

/** Returns the addresses of a host name. Throws with a DNS error code if there are none. */
export type Resolve = (hostname: string) => Promise<string[]>

/**
 * Resolves names by DNS and not by the system's threads: there are only four, and four names that hang would stop every
 * other delivery. A name that DNS does not know is looked up by the system afterwards (its hosts file).
 *
 * @param servers DNS servers as `address:port`; default: the system's
 */
export function createResolver({ servers }: { servers?: readonly string[] } = {}): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const running = new Map<string, Promise<string[]>>()

  async function resolve(hostname: string): Promise<string[]> {
    if (isLocalName(hostname)) return ['127.0.0.1', '::1']
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const reason: unknown = four.status === 'rejected' ? four.reason : undefined
    const isUnknown =
      reason instanceof Error && 'code' in reason && (reason.code === 'ENOTFOUND' || reason.code === 'ECONNREFUSED')
    if (!isUnknown || servers !== undefined) throw reason instanceof Error ? reason : notFound(hostname)
    return (await lookup(hostname, { all: true })).map((entry) => entry.address)
  }

  return (hostname) => {
    const known = running.get(hostname)
    if (known !== undefined) return known
    const answer = resolve(hostname).finally(() => running.delete(hostname))
    running.set(hostname, answer)
    return answer
  }
}

function notFound(hostname: string): Error {
  return Object.assign(new Error(`no address of ${hostname}`), { code: 'ENOTFOUND' })
}
