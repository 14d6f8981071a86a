import { lookup, Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { isLocalName } from './addresses.ts'

/** Returns the addresses of a host name. Throws with a DNS error code if there are none. */
export type Resolve = (hostname: string) => Promise<string[]>

// When the answer of one family is there, how long to wait for the other's (RFC 8305 says 50 ms).
const otherFamilyMs = 50
const mostNames = 10_000
const unknownForMs = 1_000
const definiteErrors = new Set(['ENOTFOUND', 'ENODATA'])

export interface ResolverOptions {
  /** DNS servers as `address:port`; default: the system's. */
  servers?: readonly string[]
  /** Bounds for how long an answer is kept, whatever its TTL says. Default 5 to 60 s. */
  keepMs?: { least: number; most: number }
}

type Answer = { addresses: string[] } | { error: Error }

/**
 * Resolves names by DNS and not by the system's threads: there are only four, and four names that hang would stop every
 * other delivery. Asks for both families at once, and goes on with what has arrived. Keeps answers by their TTL, and "no
 * such name" for a second. A name that DNS does not know is looked up by the system afterwards (its hosts file).
 */
export function createResolver({ servers, keepMs = { least: 5_000, most: 60_000 } }: ResolverOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const kept = new LRUCache<string, Answer>({ max: mostNames })
  const running = new Map<string, Promise<string[]>>()

  function keep(hostname: string, answer: Answer, ttlSeconds: number): void {
    const ttl = 'error' in answer ? unknownForMs : Math.min(keepMs.most, Math.max(keepMs.least, ttlSeconds * 1_000))
    if (ttl > 0) kept.set(hostname, answer, { ttl })
  }

  /** Addresses of either family, as soon as there are some; those that come later are kept for the next connection. */
  async function ask(hostname: string): Promise<string[]> {
    const found: { address: string; ttl: number }[] = []
    const failures: Error[] = []
    const families = [resolver.resolve4(hostname, { ttl: true }), resolver.resolve6(hostname, { ttl: true })].map(
      async (family) => {
        try {
          found.push(...(await family))
        } catch (error) {
          failures.push(error instanceof Error ? error : notFound(hostname))
        }
        if (found.length === 0) return
        const addresses = found.map(({ address }) => address)
        keep(hostname, { addresses }, Math.min(...found.map(({ ttl }) => ttl)))
      },
    )
    const both = Promise.all(families)
    await Promise.race(families)
    if (found.length > 0) await Promise.race([both, pause(otherFamilyMs)])
    else await both
    if (found.length > 0) return found.map(({ address }) => address)
    throw failures.find((error) => codeOf(error) !== 'ENODATA') ?? failures[0] ?? notFound(hostname)
  }

  async function resolve(hostname: string): Promise<string[]> {
    try {
      return await ask(hostname)
    } catch (error) {
      const isUnknown = error instanceof Error && (codeOf(error) === 'ENOTFOUND' || codeOf(error) === 'ECONNREFUSED')
      if (isUnknown && servers === undefined) {
        const addresses = (await lookup(hostname, { all: true })).map((entry) => entry.address)
        keep(hostname, { addresses }, 0)
        return addresses
      }
      if (error instanceof Error && definiteErrors.has(codeOf(error))) keep(hostname, { error }, 0)
      throw error
    }
  }

  return async (hostname) => {
    if (isLocalName(hostname)) return ['127.0.0.1', '::1']
    const known = kept.get(hostname)
    if (known !== undefined) {
      if ('error' in known) throw known.error
      return known.addresses
    }
    let answer = running.get(hostname)
    if (answer === undefined) {
      answer = resolve(hostname).finally(() => running.delete(hostname))
      running.set(hostname, answer)
    }
    return answer
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')

function notFound(hostname: string): Error {
  return Object.assign(new Error(`no address of ${hostname}`), { code: 'ENOTFOUND' })
}
