import { auditPart } from '@frontdesk/service/audit'
import { createServer, serveOperations, type ServerOptions, type UnvalidatedRequest } from '@frontdesk/service/http'
import type { TokenVerifier } from '@frontdesk/service/tokens'
import type { FastifyInstance } from 'fastify'
import { systemRoutes } from './practice-management-systems/routes.ts'
import { siteListRoutes, type SiteListDeps } from './site-list/routes.ts'
import { findAddressed, siteAccessRoutes, siteRoutes, type SiteDeps } from './sites/routes.ts'

/** Makes the HTTP server of the registry; it does not listen yet. */
export function createApp(
  server: ServerOptions,
  deps: SiteDeps & SiteListDeps,
  verify: TokenVerifier,
): FastifyInstance {
  const app = createServer(server)
  serveOperations(app, {
    service: 'registry',
    verify,
    idempotency: { pool: deps.pool, ring: deps.ring },
    beforeValidation: (request: UnvalidatedRequest) => findAddressed(deps, request),
    handlers: { ...siteRoutes(deps), ...siteListRoutes(deps), ...systemRoutes(deps) },
    internalHandlers: { ...siteAccessRoutes(deps), listRegistryAudit: auditPart(deps.pool, 'registry') },
  })
  return app
}
