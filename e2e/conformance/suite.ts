import type { Case, CaseGroup } from './case.ts'
import { accessTokens } from './cases/access-tokens.ts'
import { accountSuccesses } from './cases/account-successes.ts'
import { attacks } from './cases/attacks/index.ts'
import { documentedRequests } from './cases/documented-requests.ts'
import { paymentEvents } from './cases/events.ts'
import { auditTrail } from './cases/audit-trail.ts'
import { externalEvents } from './cases/external-events.ts'
import { generated } from './cases/generated.ts'
import { hostileBodies } from './cases/hostile-bodies.ts'
import { hostileRequests } from './cases/hostile-requests.ts'
import { idempotency } from './cases/idempotency.ts'
import { limits } from './cases/limits.ts'
import { listing } from './cases/listing.ts'
import { order } from './cases/order.ts'
import { paymentLists } from './cases/payment-lists.ts'
import { paymentSuccesses } from './cases/payment-successes.ts'
import { races } from './cases/races.ts'
import { rateLimits } from './cases/rate-limits.ts'
import { refunds } from './cases/refunds.ts'
import { refusals } from './cases/refusals.ts'
import { rotations } from './cases/rotations.ts'
import { rules } from './cases/rules.ts'
import { serverErrors } from './cases/server-errors.ts'
import { siteKeys } from './cases/site-keys.ts'
import { siteSuccesses } from './cases/site-successes.ts'
import { subscriptionSuccesses } from './cases/subscription-successes.ts'
import { systems } from './cases/systems.ts'
import { tokenEndpoint } from './cases/token-endpoint.ts'
import type { TestedSystem } from './tested-system.ts'

/** Every case; simple ones come first. */
export const suite: readonly CaseGroup[] = [
  tokenEndpoint,
  documentedRequests,
  siteSuccesses,
  accountSuccesses,
  paymentSuccesses,
  refunds,
  subscriptionSuccesses,
  paymentEvents,
  externalEvents,
  auditTrail,
  ...refusals,
  order,
  limits,
  rules,
  listing,
  paymentLists,
  systems,
  siteKeys,
  accessTokens,
  rotations,
  idempotency,
  races,
  hostileBodies,
  hostileRequests,
  ...attacks,
  serverErrors,
  rateLimits,
  generated,
]

/** Returns a need of a case that the system does not meet. */
export function lackOf(system: TestedSystem, { needs = [] }: Case) {
  return needs.find((need) => !system.has(need))
}

export const caseTimeoutMs = 30_000
