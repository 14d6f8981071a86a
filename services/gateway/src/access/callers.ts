import { hash } from 'node:crypto'
import { operations, type Operation, type Scope, type SiteAccess } from '@frontdesk/contracts'
import { ProblemError } from '@frontdesk/problems'
import { siteKeyIdOf, type Principal } from '@frontdesk/service/tokens'
import type { FastifyRequest } from 'fastify'
import type { MountedFile } from '@frontdesk/service/mounted-files'
import { networkOf } from '../rate-limits/addresses.ts'
import {
  clientQuota,
  siteKeyPolicy,
  unknownSiteKeyPolicy,
  type Allowance,
  type RateLimits,
} from '../rate-limits/limits.ts'
import { invalidToken, noCredential } from '../tokens/challenges.ts'
import type { Client, Clients } from '../tokens/clients.ts'
import type { VerifiedToken } from '../tokens/verify-token.ts'
import { narrowedRights } from './rights.ts'
import type { Sites } from './sites.ts'

/** An authenticated caller of the API. The same object while its rights stay the same: caches hang on it. */
export interface ApiCaller {
  principal: Principal
  /** The quota that the request is counted against; undefined for a client without a limit. */
  allowance: Allowance | undefined
  /** The site of a site key. */
  site?: SiteAccess
}

export interface CallersDeps {
  verify: (token: string) => Promise<VerifiedToken>
  clients: MountedFile<Clients>
  sites: Sites
  limits: Pick<RateLimits, 'attempt'>
}

/** Whether an operation may be called with a site key instead of a token. */
export function takesSiteKeys({ level, clientsOnly = false }: Operation): boolean {
  return level === 'site' && !clientsOnly
}

/** The scopes of a site key: those of all site-level operations that take site keys. */
const siteKeyScopes: readonly Scope[] = [
  ...new Set(
    Object.values<Operation>(operations).flatMap((operation) => (takesSiteKeys(operation) ? [operation.scope] : [])),
  ),
]

/**
 * Returns a function that authenticates a request by its bearer token or, if it has none and `siteKeys` is set, by its
 * `X-Site-Api-Key`. It throws `unauthorized`, and `rate_limited` for a key that nobody has after many others of the address.
 */
export function createCallers({ verify, clients, sites, limits }: CallersDeps) {
  // A change of the clients file replaces its client objects, and with them these entries.
  const byToken = new WeakMap<VerifiedToken, { client: Client; caller: ApiCaller }>()
  const byClient = new WeakMap<Client, Map<string, ApiCaller>>()
  const bySiteKey = new WeakMap<SiteAccess, ApiCaller>()

  async function callerOfToken(token: string): Promise<ApiCaller> {
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

  /** Returns one caller for all tokens of equal rights, so that they also share internal tokens. */
  function shared(client: Client, caller: ApiCaller): ApiCaller {
    const rights = JSON.stringify(caller.principal)
    const callers = byClient.get(client) ?? new Map<string, ApiCaller>()
    byClient.set(client, callers)
    const same = callers.get(rights) ?? caller
    callers.set(rights, same)
    return same
  }

  async function siteOfKey(keyHash: string, address: string): Promise<SiteAccess> {
    const giveBack = sites.hasAnswer(keyHash) ? undefined : limits.attempt(unknownSiteKeyPolicy, networkOf(address))
    try {
      const site = await sites.byKeyHash(keyHash)
      if (site === undefined) throw noCredential('The site API key is not valid.')
      giveBack?.()
      return site
    } catch (error) {
      // Registry did not answer: the key may be right.
      if (!(error instanceof ProblemError && error.status === 401)) giveBack?.()
      throw error
    }
  }

  async function callerOfSiteKey(key: string, address: string): Promise<ApiCaller> {
    const keyHash = hash('sha256', key, 'hex')
    const site = await siteOfKey(keyHash, address)
    const known = bySiteKey.get(site)
    if (known !== undefined) return known
    const caller: ApiCaller = {
      principal: {
        id: `site:${site.slug}`,
        siteKeyId: siteKeyIdOf(keyHash),
        scopes: siteKeyScopes,
        practiceManagementSystems: [site.practiceManagementSystem],
      },
      allowance: { key: `key ${keyHash}`, policy: siteKeyPolicy },
      site,
    }
    bySiteKey.set(site, caller)
    return caller
  }

  return async function callerOf(request: FastifyRequest, siteKeys: boolean): Promise<ApiCaller> {
    const { authorization } = request.headers
    if (authorization !== undefined) {
      const scheme = authorization.slice(0, 7)
      if (scheme !== 'Bearer ' && scheme.toLowerCase() !== 'bearer ') throw noCredential('Send a bearer token.')
      return callerOfToken(authorization.slice(7).trim())
    }
    const key = request.headers['x-site-api-key']
    if (siteKeys && typeof key === 'string' && key !== '') return callerOfSiteKey(key, request.ip)
    throw noCredential(
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
    ...(client.refundsReturnFee === undefined ? {} : { refundsReturnFee: client.refundsReturnFee }),
  }
}

function allowanceOf({ id, rateLimit = clientQuota }: Client): Allowance | undefined {
  return rateLimit === 'unlimited' ? undefined : { key: `client ${id}`, policy: { name: 'default', ...rateLimit } }
}
