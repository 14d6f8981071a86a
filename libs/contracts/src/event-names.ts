/** Our event types that a subscription may name in `EventTypes`. It may also name external types. */
export const publicEventTypes = [
  'payment.succeeded',
  'payment.failed',
  'payment.cancelled',
  'refund.succeeded',
  'refund.failed',
  'dispute.opened',
  'dispute.closed',
  'account.status_changed',
] as const

/** Returns the wildcard that covers one of our public events: `payment.*` for `payment.succeeded`. */
export const wildcardOf = (type: (typeof publicEventTypes)[number]): string => `${type.split('.', 1)[0]}.*`

/** The names that stand for several of our public events. A subscription may name them too. */
export const publicWildcards: readonly string[] = [...new Set(publicEventTypes.map(wildcardOf))]

/** The prefixes of our own types, which external publishers may not use. */
export const reservedTypePrefixes = [
  'payment.',
  'refund.',
  'dispute.',
  'site.',
  'organisation.',
  'account.',
  'subscription.',
  'delivery.',
  'provider.',
]
