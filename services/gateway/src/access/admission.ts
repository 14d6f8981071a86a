import { operations, Slug, type Operation, type OperationId, type SiteAccess } from '@frontdesk/contracts'
import { problem, ProblemError } from '@frontdesk/problems'
import type { InternalClaims } from '@frontdesk/service/tokens'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import type { RateLimits } from '../rate-limits/limits.ts'
import type { GatewayMetrics } from '../metrics.ts'
import { insufficientScope } from '../tokens/challenges.ts'
import { logRefusal } from './audit-lines.ts'
import { takesSiteKeys, type ApiCaller } from './callers.ts'
import { maySee } from './rights.ts'
import type { Sites } from './sites.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls the API; set once the credential is verified. */
    apiCaller: ApiCaller | null
    /** The operation that the request is for. */
    operation: OperationId | null
  }
}

export interface AdmissionDeps {
  callerOf: (request: FastifyRequest, siteKeys: boolean) => Promise<ApiCaller>
  limits: RateLimits
  sites: Sites
  metrics: GatewayMetrics
}

/** Makes the checks of every request that come before the operation's own, in this order: 401, 429, 404 route, 403, 404 site. */
export function createAdmission({ callerOf, limits, sites, metrics }: AdmissionDeps) {
  /** Authenticates the caller (401) and counts the request against its rate limit (429). */
  async function identify(request: FastifyRequest, reply: FastifyReply, siteKeys: boolean): Promise<ApiCaller> {
    const caller = await callerOf(request, siteKeys).catch((error: unknown) => {
      if (error instanceof ProblemError && error.status === 401) {
        metrics.refusedCredentials.inc()
        logRefusal(request, error)
      }
      throw error
    })
    request.apiCaller = caller
    if (caller.allowance !== undefined) reply.headers(limits.admit(caller.allowance))
    return caller
  }

  /** Returns the claims with which the operation's request may be forwarded. */
  async function admit(request: FastifyRequest, reply: FastifyReply, id: OperationId): Promise<InternalClaims> {
    const operation: Operation = operations[id]
    request.operation = id
    const caller = await identify(request, reply, takesSiteKeys(operation))
    try {
      return await claimsOf(caller, operation, request)
    } catch (error) {
      if (error instanceof ProblemError && (error.status === 403 || error.status === 404)) logRefusal(request, error)
      throw error
    }
  }

  async function claimsOf(caller: ApiCaller, operation: Operation, request: FastifyRequest): Promise<InternalClaims> {
    const { principal } = caller
    if (!principal.scopes.includes(operation.scope)) throw insufficientScope(operation.scope)
    if (operation.level !== 'site') return { principal }
    return { principal, site: await siteOf(caller, (request.params as { SiteSlug: string }).SiteSlug) }
  }

  async function siteOf(caller: ApiCaller, slug: string): Promise<SiteAccess> {
    requireSlug(slug)
    const site = caller.site ?? (await sites.bySlug(slug))
    // A site that the caller may not see is answered like one that does not exist.
    if (site === undefined || site.slug !== slug || !maySee(caller.principal, site)) throw problem('site_not_found')
    return site
  }

  return { identify, admit }
}

const slugForm = Compile(Slug)

/** Throws `malformed_request` (400) for text that is not a slug; 404 is for slugs that do not exist. */
function requireSlug(slug: string): void {
  if (slugForm.Check(slug)) return
  const errors = slugForm.Errors(slug).map(({ message }) => ({ pointer: '/path/SiteSlug', detail: message }))
  throw problem('malformed_request', { detail: 'The request does not match its schema.', errors })
}
