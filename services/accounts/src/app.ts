import { auditPart } from '@frontdesk/service/audit'
import { createServer, serveOperations, type ServerOptions } from '@frontdesk/service/http'
import type { TokenVerifier } from '@frontdesk/service/tokens'
import type { FastifyInstance } from 'fastify'
import { accountRoutes, internalAccountRoutes, type RouteDeps } from './accounts/routes.ts'
import { providerWebhookRoute } from './provider-events/routes.ts'

/** Makes the HTTP server of accounts; it does not listen yet. */
export function createApp(server: ServerOptions, deps: RouteDeps, verify: TokenVerifier): FastifyInstance {
  const app = createServer(server)
  serveOperations(app, {
    service: 'accounts',
    verify,
    idempotency: { pool: deps.pool, ring: deps.ring },
    handlers: accountRoutes(deps),
    internalHandlers: {
      ...internalAccountRoutes(deps),
      ...providerWebhookRoute(deps),
      listAccountsAudit: auditPart(deps.pool, 'accounts'),
    },
    isReplayable: (id, body, now) => id !== 'createAccount' || isOnboardingFresh(body, now),
  })
  return app
}

/** A stored reply is no use once its onboarding session or link has expired; the request then runs again. */
function isOnboardingFresh(body: unknown, now: Date): boolean {
  const { onboardingSession, onboardingLink } = body as Record<string, { expiresAt?: string } | undefined>
  return [onboardingSession, onboardingLink].every((value) => new Date(value?.expiresAt ?? 0) > now)
}
