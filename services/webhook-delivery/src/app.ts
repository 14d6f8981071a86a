import { auditPart } from '@frontdesk/service/audit'
import type { KeyRing } from '@frontdesk/service/encryption'
import { createServer, serveOperations } from '@frontdesk/service/http'
import type { InternalTls } from '@frontdesk/service/tls'
import type { TokenVerifier } from '@frontdesk/service/tokens'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { deliveryRoutes, type DeliveryRoutesDeps } from './deliveries/routes.ts'
import { externalEventRoutes, type ExternalEventRoutesDeps } from './external-events/routes.ts'
import { endSiteKeyNow, followRights } from './subscriptions/credentials.ts'
import { ownerRoutes } from './subscriptions/owner-routes.ts'
import { subscriptionRoutes, type SubscriptionRoutesDeps } from './subscriptions/routes.ts'

const service = 'webhook-delivery'

export interface AppDeps extends SubscriptionRoutesDeps, DeliveryRoutesDeps, ExternalEventRoutesDeps {
  log: Logger
  metrics: Registry
  verify: TokenVerifier
  ring: KeyRing
  /** Throws while the service cannot do its work. */
  ready: () => Promise<Record<string, unknown>>
  stopping: AbortSignal
  /** The certificates for calls between services, if it has any. */
  tls: InternalTls | undefined
}

/** The HTTP server of the service; it does not listen yet. */
export function createApp(deps: AppDeps): FastifyInstance {
  const { log, metrics, verify, ring, db, ready, stopping, tls, origin, relay, onChange } = deps
  const ending = { pool: db.pool, origin, onChange, wake: () => relay.wake() }
  const app = createServer({ name: service, log, metrics, ready, stopping, tls })
  serveOperations(app, {
    service,
    verify,
    idempotency: { pool: db.pool, ring },
    handlers: {
      ...subscriptionRoutes(deps),
      ...ownerRoutes(deps),
      ...deliveryRoutes(deps),
      ...externalEventRoutes(deps),
    },
    internalHandlers: {
      listWebhookDeliveryAudit: auditPart(db.pool, service),
      async endSiteKey({ params }) {
        const paused = await endSiteKeyNow(ending, { siteSlug: params.SiteSlug, siteKeyId: params.SiteKeyId })
        return { pausedSubscriptions: paused.length }
      },
      tellClientRights: ({ body }) => followRights(ending, body),
    },
  })
  return app
}
