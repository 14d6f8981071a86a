import type { Pool } from '@frontdesk/database'
import { problem } from '@frontdesk/problems'
import type { FastifyInstance } from 'fastify'
import type { Accounts } from './accounts/commands.ts'
import { accountRoutes } from './accounts/routes.ts'
import { openGate } from './api/gate.ts'
import type { Calls } from './calls/calls.ts'
import { callRoutes } from './calls/routes.ts'
import type { WebhookDestination } from './db.ts'
import type { Checkouts } from './checkout/commands.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { controlRoutes } from './control/routes.ts'
import type { Credentials } from './credentials/credentials.ts'
import { credentialRoutes } from './credentials/routes.ts'
import type { Faults } from './faults/faults.ts'
import { faultRoutes } from './faults/routes.ts'
import type { Inboxes } from './inbox/inboxes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { checkoutPages } from './pages/checkout-routes.ts'
import { assetRoutes } from './pages/layout.ts'
import { onboardingPages } from './pages/onboarding-routes.ts'
import { refuseOtherSites } from './pages/same-site.ts'
import { refundRoutes } from './refunds/routes.ts'
import { platformRoutes } from './platform/routes.ts'
import type { Webhooks } from './webhooks/store.ts'

export interface AppDeps {
  pool: Pool
  credentials: Credentials
  /** addresses of the webhook destinations */
  addresses: Partial<Record<WebhookDestination, string>>
  enabledEvents: string[]
  webhooks: Webhooks
  checkouts: Checkouts
  accounts: Accounts
  faults: Faults
  calls: Calls
  inboxes: Inboxes
  /** base URL of the pages; known once the server listens */
  baseUrl: () => string
  now: () => Date
}

/** Registers all routes of the sandbox: Stripe's API below `/v1`, the control API, the pages for people, and the inboxes. */
export function registerApp(app: FastifyInstance, options: AppDeps): void {
  const {
    pool,
    credentials,
    addresses,
    enabledEvents,
    webhooks,
    checkouts,
    accounts,
    faults,
    calls,
    inboxes,
    baseUrl,
    now,
  } = options

  app.register(
    async (scope) => {
      const api = openGate(scope, { pool, secretKeys: () => credentials.current().secretKeys, faults, calls, now })
      checkoutRoutes(api, { pool, checkouts, baseUrl })
      refundRoutes(api, { pool, checkouts })
      accountRoutes(api, {
        pool,
        webhooks,
        baseUrl,
        deletionNeedsZeroBalance: () => faults.rules().deletionNeedsZeroBalance ?? false,
      })
      platformRoutes(api, { pool, addresses, enabledEvents })
    },
    { prefix: '/v1' },
  )

  app.register(async (scope) => {
    // The forms of the pages send this type, and curl by default.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    scope.addHook('onRequest', async (request) => {
      refuseOtherSites(request, baseUrl())
      // Some HTTP libraries send an empty one without a body; Fastify would answer 415.
      if (request.headers['content-type'] === '') delete request.headers['content-type']
      if (/%00/.test(request.url)) throw problem('malformed_request', 'The address contains a NUL character.')
    })
    controlRoutes(scope, { pool, checkouts, accounts })
    faultRoutes(scope, { faults })
    callRoutes(scope, { calls })
    credentialRoutes(scope, { credentials })
    assetRoutes(scope)
    checkoutPages(scope, { checkouts, accounts, now })
    onboardingPages(scope, { accounts })
  })

  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => refuseOtherSites(request, baseUrl()))
    inboxRoutes(scope, { pool, inboxes, baseUrl, now })
  })
}
