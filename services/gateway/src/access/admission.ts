import { Slug, type Operation, type SiteAccess } from '@frontdesk/contracts'
import { problem, ProblemError } from '@frontdesk/problems'
import type { Principal } from '@frontdesk/service/tokens'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import type { RateLimits } from '../rate-limits/limits.ts'
import type { Telemetry } from '../telemetry.ts'
import type { Caller } from './callers.ts'
import { insufficientScope } from './challenges.ts'
import { maySee } from './rights.ts'
import type { Sites } from './sites.ts'

/** A request that was let through: who calls, and for a site-level operation the site. */
export interface Admission {
  principal: Principal
  site: SiteAccess | undefined
}

export interface AdmissionOptions {
  callerOf: (request: FastifyRequest, siteKeys: boolean) => Promise<Caller>
  limits: RateLimits
  sites: Sites
  telemetry: Telemetry
}

/** The checks that come before an operation's own, in the order of design section 5: 401, 429, (404 route), 403, 404 site. */
export function createAdmission({ callerOf, limits, sites, telemetry }: AdmissionOptions) {
  /** Proves who calls (401) and counts the request (429). */
  async function identify(request: FastifyRequest, reply: FastifyReply, siteKeys: boolean): Promise<Caller> {
    const caller = await callerOf(request, siteKeys).catch((error: unknown) => {
      if (error instanceof ProblemError && error.status === 401) telemetry.refusedProofs.inc()
      throw error
    })
    if (caller.allowance !== undefined) reply.headers(limits.admit(caller.allowance))
    return caller
  }

  async function admit(request: FastifyRequest, reply: FastifyReply, operation: Operation): Promise<Admission> {
    const onSite = operation.level === 'site'
    const caller = await identify(request, reply, onSite)
    const { principal } = caller
    if (!principal.scopes.includes(operation.scope)) throw insufficientScope(operation.scope)
    if (!onSite) return { principal, site: undefined }
    return { principal, site: await siteOf(caller, (request.params as { SiteSlug: string }).SiteSlug) }
  }

  async function siteOf(caller: Caller, slug: string): Promise<SiteAccess> {
    requireSlug(slug)
    const site = caller.site ?? (await sites.bySlug(slug))
    // One that the caller may not know of is answered like one that does not exist.
    if (site === undefined || site.slug !== slug || !maySee(caller.principal, site)) throw problem('site_not_found')
    return site
  }

  return { identify, admit }
}

const slugForm = Compile(Slug)

/** What is not even a slug is malformed rather than unknown (design section 5, "Bodies"). */
function requireSlug(slug: string): void {
  if (slugForm.Check(slug)) return
  const errors = slugForm.Errors(slug).map(({ message }) => ({ pointer: 'path/SiteSlug', detail: message }))
  throw problem('malformed_request', { detail: 'The request does not match its schema.', errors })
}
