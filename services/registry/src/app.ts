import type { KeyRing } from '@frontdesk/service/encryption'
import { createServer, serveOperations, type ServerOptions } from '@frontdesk/service/http'
import type { TokenVerifier } from '@frontdesk/service/tokens'
import { operations } from '@frontdesk/contracts'
import type { FastifyInstance } from 'fastify'
import { Compile } from 'typebox/compile'
import { namedSystem, systemHeader, systemOfNewSite } from './practice-management-systems/domain.ts'
import { siteAccessRoutes } from './site-access/routes.ts'
import { siteListRoutes } from './site-list/routes.ts'
import { findSite, siteRoutes, type SiteRoutesDependencies } from './sites/routes.ts'

export interface AppDependencies extends SiteRoutesDependencies, Omit<ServerOptions, 'name'> {
  verify: TokenVerifier
  ring: KeyRing
}

const changeParams = Compile(operations.changeSite.params)

/** The HTTP server of the registry; it does not listen yet. */
export function createApp(dependencies: AppDependencies): FastifyInstance {
  const { database, catalogue, verify, ring, log, ready, metrics } = dependencies
  const app = createServer({ name: 'registry', log, ready, metrics })
  serveOperations(app, {
    service: 'registry',
    verify,
    idempotency: { pool: database.pool, ring },
    // Which system is meant is settled before anything else is looked at, and then the site: 403 and 404 come before 400.
    async beforeValidation({ id, principal, headers, params }) {
      const named = namedSystem(catalogue, principal, headers[systemHeader])
      if (id === 'createSite') systemOfNewSite(catalogue, principal, named)
      // The one operation on a site that has a body to be faulty.
      if (id === 'changeSite' && changeParams.Check(params)) {
        await findSite(dependencies, { params, principal, headers })
      }
    },
    handlers: {
      ...siteRoutes(dependencies),
      ...siteListRoutes({ pool: database.pool, ring, catalogue }),
    },
    internalHandlers: siteAccessRoutes(database),
  })
  return app
}
