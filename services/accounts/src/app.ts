import { createServer, serveOperations, type ServerOptions } from '@frontdesk/service/http'
import type { TokenVerifier } from '@frontdesk/service/tokens'
import type { FastifyInstance } from 'fastify'
import { accountRoutes, accountStateRoute, type RouteDeps } from './accounts/routes.ts'
import { onboardingRoute } from './onboarding/routes.ts'
import { providerWebhookRoute } from './provider-events/routes.ts'

/** The HTTP side of the service. */
export function createApp(server: ServerOptions, deps: RouteDeps, verify: TokenVerifier): FastifyInstance {
  const app = createServer(server)
  serveOperations(app, {
    service: 'accounts',
    verify,
    idempotency: { pool: deps.pool, ring: deps.ring },
    handlers: accountRoutes(deps),
    internalHandlers: { ...accountStateRoute(deps), ...onboardingRoute(deps), ...providerWebhookRoute(deps) },
    isReplayable: (id, body, now) => id !== 'createAccount' || isOnboardingFresh(body, now),
  })
  return app
}

/** A stored reply whose onboarding values have run out would be of no use: it is made anew (design section 5). */
function isOnboardingFresh(body: unknown, now: Date): boolean {
  const { onboardingSession, onboardingLink } = body as Record<string, { expiresAt?: string } | undefined>
  return [onboardingSession, onboardingLink].every((value) => new Date(value?.expiresAt ?? 0) > now)
}
