import { Type, type Static, type TSchema } from 'typebox'
import {
  AccountStatus,
  PaymentProvider,
  PaymentStatus,
  PracticeManagementSoftware,
  SiteStatus,
} from './enumerations.ts'
import { Visibility } from './envelope.ts'
import { DateTime, Slug, slugPattern, Uuid } from './values.ts'

const outcome = { reference: Type.Optional(Type.String()), recordId: Uuid, paymentProvider: PaymentProvider }
const version = { version: Type.Integer({ minimum: 1 }) }

const SiteState = Type.Object({
  ...version,
  siteSlug: Slug,
  name: Type.String(),
  practiceManagementSoftware: PracticeManagementSoftware,
  pmsSpecificSiteId: Type.String(),
  owningOrganisationSlug: Slug,
  billingOrganisationSlug: Slug,
  siteStatus: SiteStatus,
  currency: Type.Optional(Type.String()),
  deletedAt: Type.Optional(DateTime),
})

const AccountState = Type.Object({
  ...version,
  accountId: Uuid,
  siteSlug: Slug,
  paymentProvider: PaymentProvider,
  status: AccountStatus,
  externalAccountId: Type.Optional(Type.String()),
  statementDescriptorPrefix: Type.Optional(Type.String()),
  createdAt: DateTime,
  deletedAt: Type.Optional(DateTime),
})
export type AccountState = Static<typeof AccountState>

const SubscriptionState = Type.Object({
  ...version,
  subscriptionId: Uuid,
  siteSlug: Slug,
  client: Type.String(),
  state: Type.Enum(['active', 'paused']),
  reason: Type.Optional(Type.String()),
})

interface EventShape {
  visibility: Visibility
  /** The services that publish the event. */
  owners: readonly string[]
  /** With `action` and `version` the middle of the subject: `<entity>.<action>.v<version>`. */
  entity: string
  action: string
  version: number
  description: string
  data: TSchema
}

/** Every event. Subjects, validation and the AsyncAPI document derive from this table. */
export const events = {
  'payment.succeeded': {
    visibility: Visibility.Public,
    owners: ['payments'],
    entity: 'payment',
    action: 'succeeded',
    version: 1,
    description: 'A payment succeeded: its money is confirmed.',
    data: Type.Object({ currency: Type.String(), amount: Type.Integer(), ...outcome }),
  },
  'payment.failed': {
    visibility: Visibility.Public,
    owners: ['payments'],
    entity: 'payment',
    action: 'failed',
    version: 1,
    description: 'A payment failed for good.',
    data: Type.Object({ failureReason: Type.String(), ...outcome }),
  },
  'payment.cancelled': {
    visibility: Visibility.Public,
    owners: ['payments'],
    entity: 'payment',
    action: 'cancelled',
    version: 1,
    description: 'A payment was cancelled, or its checkout expired.',
    data: Type.Object({ cancellationReason: Type.String(), ...outcome }),
  },
  'payment.created': {
    visibility: Visibility.Internal,
    owners: ['payments'],
    entity: 'payment',
    action: 'created',
    version: 1,
    description: 'The provider has accepted a new payment.',
    data: Type.Object({
      ...version,
      ...outcome,
      status: PaymentStatus,
      amount: Type.Integer(),
      currency: Type.String(),
    }),
  },
  'site.created': {
    visibility: Visibility.Internal,
    owners: ['registry'],
    entity: 'site',
    action: 'created',
    version: 1,
    description: 'A practice site was created.',
    data: SiteState,
  },
  'site.updated': {
    visibility: Visibility.Internal,
    owners: ['registry'],
    entity: 'site',
    action: 'updated',
    version: 1,
    description: 'A practice site, its status or its keys changed.',
    data: SiteState,
  },
  'site.deleted': {
    visibility: Visibility.Internal,
    owners: ['registry'],
    entity: 'site',
    action: 'deleted',
    version: 1,
    description: 'A practice site was deleted; every service stops working for it.',
    data: SiteState,
  },
  'organisation.deleted': {
    visibility: Visibility.Internal,
    owners: ['registry'],
    entity: 'organisation',
    action: 'deleted',
    version: 1,
    description: 'An organisation was deleted along with the last site it owned.',
    data: Type.Object({
      ...version,
      organisationSlug: Slug,
      name: Type.String(),
      practiceManagementSoftware: PracticeManagementSoftware,
      pmsSpecificOrganisationId: Type.String(),
      deletedAt: DateTime,
    }),
  },
  'account.created': {
    visibility: Visibility.Internal,
    owners: ['accounts'],
    entity: 'account',
    action: 'created',
    version: 1,
    description: 'A site has a new payment provider account.',
    data: AccountState,
  },
  'account.updated': {
    visibility: Visibility.Internal,
    owners: ['accounts'],
    entity: 'account',
    action: 'updated',
    version: 1,
    description: 'The status of a payment provider account changed.',
    data: AccountState,
  },
  'account.deleted': {
    visibility: Visibility.Internal,
    owners: ['accounts'],
    entity: 'account',
    action: 'deleted',
    version: 1,
    description: 'A payment provider account was deleted.',
    data: AccountState,
  },
  'subscription.paused': {
    visibility: Visibility.Internal,
    owners: ['webhook-delivery'],
    entity: 'subscription',
    action: 'paused',
    version: 1,
    description: 'Deliveries to a subscription are paused.',
    data: SubscriptionState,
  },
  'subscription.resumed': {
    visibility: Visibility.Internal,
    owners: ['webhook-delivery'],
    entity: 'subscription',
    action: 'resumed',
    version: 1,
    description: 'Deliveries to a subscription are resumed.',
    data: SubscriptionState,
  },
  'delivery.exhausted': {
    visibility: Visibility.Internal,
    owners: ['webhook-delivery'],
    entity: 'delivery',
    action: 'exhausted',
    version: 1,
    description: 'A delivery failed at every attempt of its schedule.',
    data: Type.Object({
      ...version,
      deliveryId: Uuid,
      eventId: Uuid,
      eventType: Type.String(),
      subscriptionId: Uuid,
      siteSlug: Slug,
      attempts: Type.Integer(),
    }),
  },
  'provider.event.received': {
    visibility: Visibility.WorkQueue,
    owners: ['payments', 'accounts'],
    entity: 'provider',
    action: 'event-received',
    version: 1,
    description: 'A payment provider sent a webhook; it is stored and waits to be applied.',
    data: Type.Object({
      provider: PaymentProvider,
      providerEventId: Type.String(),
      providerEventType: Type.String(),
      objectId: Type.String(),
      externalAccountId: Type.Optional(Type.String()),
    }),
  },
  'provider.call.finished': {
    visibility: Visibility.Private,
    owners: ['payments', 'accounts'],
    entity: 'provider',
    action: 'call-finished',
    version: 1,
    description: 'A call to a payment provider finished. Written to the log of the process, never to a broker.',
    data: Type.Object({
      provider: PaymentProvider,
      operation: Type.String(),
      outcome: Type.Enum(['ok', 'refused', 'unavailable', 'unknown', 'misconfigured']),
      durationMs: Type.Number(),
    }),
  },
} as const satisfies Record<string, EventShape>

export type EventType = keyof typeof events
export type EventData<T extends EventType> = Static<(typeof events)[T]['data']>
type TypesOf<V extends Visibility> = {
  [T in EventType]: (typeof events)[T]['visibility'] extends V ? T : never
}[EventType]
/** The types that may enter an outbox: all but Private ones. */
export type PublishedEventType = TypesOf<0 | 1 | 2>

/** Our event types that a subscription may name in `EventTypes`. It may also name `payment.*` and external types. */
export const publicEventTypes = ['payment.succeeded', 'payment.failed', 'payment.cancelled'] as const

/** The prefixes of our own types, which external publishers may not use. */
export const reservedTypePrefixes = [
  'payment.',
  'site.',
  'organisation.',
  'account.',
  'subscription.',
  'delivery.',
  'provider.',
]

/** Returns the JetStream subject of one of our events. Throws RangeError if `siteSlug` is not a slug. */
export function eventSubject(type: PublishedEventType, service: string, siteSlug: string | undefined): string {
  const event = events[type]
  if (siteSlug !== undefined && !slugPattern.test(siteSlug)) throw new RangeError('not a slug')
  const tail = `${service}.${event.entity}.${event.action}.v${event.version}.${siteSlug ?? '-'}`
  if (event.visibility === Visibility.WorkQueue) return `work.${tail}`
  return `evt.${event.visibility === Visibility.Public ? 'pub' : 'int'}.${tail}`
}

/** Returns the address of the schema of an event's data: `{publicUrl}/schemas/{type}/v1.json`. */
export function dataSchemaUrl(publicUrl: string, type: EventType): string {
  return `${publicUrl}/schemas/${type}/v${events[type].version}.json`
}
