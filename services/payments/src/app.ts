import { auditPart } from '@frontdesk/service/audit'
import { createServer, serveOperations, type ServerOptions } from '@frontdesk/service/http'
import type { TokenVerifier } from '@frontdesk/service/tokens'
import type { FastifyInstance } from 'fastify'
import { landingRoute } from './landing/routes.ts'
import type { PaymentDeps } from './payment/deps.ts'
import { providerWebhookRoute } from './provider-events/routes.ts'
import { openPaymentsRoute, paymentRoutes } from './routes.ts'

/** Returns the HTTP server of the service. */
export function createApp(server: ServerOptions, deps: PaymentDeps, verify: TokenVerifier): FastifyInstance {
  const app = createServer(server)
  serveOperations(app, {
    service: 'payments',
    verify,
    idempotency: { pool: deps.pool, ring: deps.ring },
    handlers: paymentRoutes(deps),
    internalHandlers: {
      ...openPaymentsRoute(deps),
      ...landingRoute(deps),
      ...providerWebhookRoute(deps),
      listPaymentsAudit: auditPart(deps.pool, 'payments'),
    },
  })
  return app
}
