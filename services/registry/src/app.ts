import { createServer, serveOperations, type KeyRing, type ServerOptions, type TokenVerifier } from '@frontdesk/service'
import type { FastifyInstance } from 'fastify'
import { namedSystem, systemHeader, systemOfNewSite } from './practice-management-systems/domain.ts'
import { siteAccessRoutes } from './site-access/routes.ts'
import { siteListRoutes } from './site-list/routes.ts'
import { siteRoutes, type SiteRoutesDependencies } from './sites/routes.ts'

export interface AppDependencies extends SiteRoutesDependencies, Omit<ServerOptions, 'name'> {
  verify: TokenVerifier
  ring: KeyRing
}

/** The HTTP server of the registry; it does not listen yet. */
export function createApp(dependencies: AppDependencies): FastifyInstance {
  const { database, catalogue, verify, ring, log, ready, metrics } = dependencies
  const app = createServer({ name: 'registry', log, ready, metrics })
  serveOperations(app, {
    service: 'registry',
    verify,
    idempotency: { pool: database.pool, ring },
    // Which system is meant is settled before anything else is looked at: 403 comes before 400.
    beforeValidation(id, principal, headers) {
      const named = namedSystem(catalogue, principal, headers[systemHeader])
      if (id === 'createSite') systemOfNewSite(catalogue, principal, named)
    },
    handlers: {
      ...siteRoutes(dependencies),
      ...siteListRoutes({ pool: database.pool, ring, catalogue }),
    },
    internalHandlers: siteAccessRoutes(database),
  })
  return app
}
