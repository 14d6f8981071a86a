import type { KeyRing } from '@frontdesk/service/encryption'
import { createServer, serveOperations } from '@frontdesk/service/http'
import type { TokenVerifier } from '@frontdesk/service/tokens'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { deliveryRoutes, type DeliveryRoutes } from './deliveries/routes.ts'
import { externalEventRoutes } from './external-events/routes.ts'
import { subscriptionRoutes, type SubscriptionRoutes } from './subscriptions/routes.ts'

const service = 'webhook-delivery'

export interface AppOptions extends SubscriptionRoutes, DeliveryRoutes {
  log: Logger
  metrics: Registry
  verify: TokenVerifier
  ring: KeyRing
  /** Throws while the service cannot do its work. */
  ready: () => Promise<Record<string, unknown>>
}

/** The service's HTTP side; it does not listen yet. */
export function createApp(options: AppOptions): FastifyInstance {
  const { log, metrics, verify, ring, db, ready } = options
  const app = createServer({ name: service, log, metrics, ready })
  serveOperations(app, {
    service,
    verify,
    idempotency: { pool: db.pool, ring },
    handlers: { ...subscriptionRoutes(options), ...deliveryRoutes(options), ...externalEventRoutes(options) },
    internalHandlers: {},
  })
  return app
}
