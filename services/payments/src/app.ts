import { createServer, serveOperations, type ServerOptions } from '@frontdesk/service/http'
import type { TokenVerifier } from '@frontdesk/service/tokens'
import type { FastifyInstance } from 'fastify'
import type { CreateDeps } from './payments/create.ts'
import { openPaymentsRoute, paymentBeginnings, paymentRoutes } from './payments/routes.ts'
import { providerWebhookRoute } from './provider-events/routes.ts'

/** The HTTP side of the service. */
export function createApp(server: ServerOptions, deps: CreateDeps, verify: TokenVerifier): FastifyInstance {
  const app = createServer(server)
  serveOperations(app, {
    service: 'payments',
    verify,
    idempotency: { pool: deps.pool, ring: deps.ring },
    handlers: paymentRoutes(deps),
    beginnings: paymentBeginnings(deps),
    internalHandlers: { ...openPaymentsRoute(deps), ...providerWebhookRoute(deps) },
  })
  return app
}
