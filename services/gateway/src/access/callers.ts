import { hash } from 'node:crypto'
import { operations, type Operation, type Scope, type SiteAccess } from '@frontdesk/contracts'
import type { Principal } from '@frontdesk/service/tokens'
import type { FastifyRequest } from 'fastify'
import type { MountedFile } from '../mounted-file.ts'
import { clientQuota, siteKeyPolicy, type Allowance } from '../rate-limits/limits.ts'
import type { Client, Clients } from '../tokens/clients.ts'
import type { VerifiedToken } from '../tokens/verify-token.ts'
import { invalidToken, noProof } from './challenges.ts'
import { narrowedRights } from './rights.ts'
import type { Sites } from './sites.ts'

/** Who calls, proven. The same object for as long as the rights are the same. */
export interface Caller {
  principal: Principal
  /** Whose requests this one is counted with; absent for a client without a limit. */
  allowance: Allowance | undefined
  /** The one site of a site key. */
  site?: SiteAccess
}

export interface CallersOptions {
  verify: (token: string) => Promise<VerifiedToken>
  clients: MountedFile<Clients>
  sites: Sites
}

/** What a site key may do: everything on its own site. */
const siteKeyScopes: readonly Scope[] = [
  ...new Set(Object.values<Operation>(operations).flatMap(({ level, scope }) => (level === 'site' ? [scope] : []))),
]

/**
 * Makes the way from a request to its caller: a bearer token, or where there is none and `siteKeys` are taken,
 * `X-Site-Api-Key`. Throws `unauthorized`.
 */
export function createCallers({ verify, clients, sites }: CallersOptions) {
  // A client object is replaced when its file changes, so what hangs on it is never older than the file.
  const byToken = new WeakMap<VerifiedToken, { client: Client; caller: Caller }>()
  const byClient = new WeakMap<Client, Map<string, Caller>>()
  const bySiteKey = new WeakMap<SiteAccess, Caller>()

  async function callerOfToken(token: string): Promise<Caller> {
    const verified = await verify(token)
    const client = clients.current().get(verified.clientId)
    if (client === undefined || (verified.issuer !== undefined && client.issuer !== verified.issuer)) {
      throw invalidToken('Its client is not known here.')
    }
    const known = byToken.get(verified)
    if (known?.client === client) return known.caller
    const caller = shared(client, { principal: principalOf(client, verified), allowance: allowanceOf(client) })
    byToken.set(verified, { client, caller })
    return caller
  }

  /** Tokens of equal rights share one caller, and with it the internal tokens minted for it. */
  function shared(client: Client, caller: Caller): Caller {
    const rights = JSON.stringify(caller.principal)
    const callers = byClient.get(client) ?? new Map<string, Caller>()
    byClient.set(client, callers)
    const same = callers.get(rights) ?? caller
    callers.set(rights, same)
    return same
  }

  async function callerOfSiteKey(key: string): Promise<Caller> {
    const keyHash = hash('sha256', key, 'hex')
    const site = await sites.byKeyHash(keyHash)
    if (site === undefined) throw noProof('The site API key is not valid.')
    const known = bySiteKey.get(site)
    if (known !== undefined) return known
    const caller: Caller = {
      principal: { id: `site:${site.slug}`, scopes: siteKeyScopes, systems: [site.system] },
      allowance: { key: `key ${keyHash}`, policy: siteKeyPolicy },
      site,
    }
    bySiteKey.set(site, caller)
    return caller
  }

  return async function callerOf(request: FastifyRequest, siteKeys: boolean): Promise<Caller> {
    const { authorization } = request.headers
    if (authorization !== undefined) {
      const scheme = authorization.slice(0, 7)
      if (scheme !== 'Bearer ' && scheme.toLowerCase() !== 'bearer ') throw noProof('Send a bearer token.')
      return callerOfToken(authorization.slice(7).trim())
    }
    const key = request.headers['x-site-api-key']
    if (siteKeys && typeof key === 'string' && key !== '') return callerOfSiteKey(key)
    throw noProof(
      key === undefined ? 'There is no access token.' : 'A site API key is not taken here: send a bearer token.',
    )
  }
}

function principalOf(client: Client, token: VerifiedToken): Principal {
  return {
    id: `client:${client.id}`,
    ...narrowedRights(client, token),
    ...(client.eventSource === undefined ? {} : { eventSource: client.eventSource }),
    ...(client.webhookUrl === undefined ? {} : { webhookUrl: client.webhookUrl }),
  }
}

function allowanceOf({ id, rateLimit = clientQuota }: Client): Allowance | undefined {
  return rateLimit === 'unlimited' ? undefined : { key: `client ${id}`, policy: { name: 'default', ...rateLimit } }
}
