import { Type, type Static, type TSchema } from 'typebox'
import { PaymentProvider } from './enumerations.ts'
import { Visibility } from './envelope.ts'
import {
  AccountState,
  AccountStatusChange,
  DeliveryExhausted,
  DisputeClosed,
  DisputeOpened,
  OrganisationDeleted,
  PaymentCancelled,
  PaymentCreated,
  PaymentFailed,
  PaymentSettled,
  PaymentSucceeded,
  ProviderEventReceived,
  RefundFailed,
  RefundSucceeded,
  SiteState,
  SubscriptionState,
} from './event-data.ts'

export interface EventShape {
  visibility: Visibility
  /** The services that publish the event. */
  owners: readonly string[]
  /** With `action` and `version` the middle of the subject: `<entity>.<action>.v<version>`. */
  entity: string
  action: string
  version: number
  description: string
  data: TSchema
  /** The data of further versions, published beside `version` until nobody reads one of them (docs/events.md). */
  otherVersions?: Readonly<Record<number, TSchema>>
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
    data: PaymentSucceeded,
  },
  'payment.failed': {
    visibility: Visibility.Public,
    owners: ['payments'],
    entity: 'payment',
    action: 'failed',
    version: 1,
    description: 'A payment failed for good.',
    data: PaymentFailed,
  },
  'payment.cancelled': {
    visibility: Visibility.Public,
    owners: ['payments'],
    entity: 'payment',
    action: 'cancelled',
    version: 1,
    description: 'A payment was cancelled, or its checkout expired.',
    data: PaymentCancelled,
  },
  'refund.succeeded': {
    visibility: Visibility.Public,
    owners: ['payments'],
    entity: 'refund',
    action: 'succeeded',
    version: 1,
    description: 'A refund succeeded: its money is on the way back to the customer.',
    data: RefundSucceeded,
  },
  'refund.failed': {
    visibility: Visibility.Public,
    owners: ['payments'],
    entity: 'refund',
    action: 'failed',
    version: 1,
    description: 'A refund failed, possibly after it had succeeded: its money is back with the practice.',
    data: RefundFailed,
  },
  'dispute.opened': {
    visibility: Visibility.Public,
    owners: ['payments'],
    entity: 'dispute',
    action: 'opened',
    version: 1,
    description: 'A customer disputes a payment at the bank.',
    data: DisputeOpened,
  },
  'dispute.closed': {
    visibility: Visibility.Public,
    owners: ['payments'],
    entity: 'dispute',
    action: 'closed',
    version: 1,
    description: 'A dispute ended: it was won, or lost and the bank took the money back.',
    data: DisputeClosed,
  },
  'account.status_changed': {
    visibility: Visibility.Public,
    owners: ['accounts'],
    entity: 'account',
    action: 'status-changed',
    version: 1,
    description:
      'The status of a payment provider account changed, for example to Active, with which it can take payments.',
    data: AccountStatusChange,
  },
  'payment.settled': {
    visibility: Visibility.Internal,
    owners: ['payments'],
    entity: 'payment',
    action: 'settled',
    version: 1,
    description: 'The money of a payment, as the provider took it: for accounting.',
    data: PaymentSettled,
  },
  'payment.created': {
    visibility: Visibility.Internal,
    owners: ['payments'],
    entity: 'payment',
    action: 'created',
    version: 1,
    description: 'The provider has accepted a new payment.',
    data: PaymentCreated,
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
    data: OrganisationDeleted,
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
    description: 'The status or the statement descriptor prefix of a payment provider account changed.',
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
    data: DeliveryExhausted,
  },
  'provider.event.received': {
    visibility: Visibility.WorkQueue,
    owners: ['payments', 'accounts'],
    entity: 'provider',
    action: 'event-received',
    version: 1,
    description: 'A payment provider sent a webhook; it is stored and waits to be applied.',
    data: ProviderEventReceived,
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
      outcome: Type.Enum(['ok', 'refused', 'unavailable', 'unknown', 'unreadable', 'misconfigured']),
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
