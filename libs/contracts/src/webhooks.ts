import { Type, type Static } from 'typebox'
import { Envelope } from './envelope.ts'
import { pageOf, paging } from './paging.ts'
import { count, described, enumeration, told, url } from './members.ts'
import { closed, DateTime, HttpUrl, Uuid } from './values.ts'

// Field name and value of RFC 9110. webhook-delivery refuses reserved names.
export const WebhookHeader = Type.Object(
  {
    Name: Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      description: 'The name of the header.',
    }),
    Value: Type.String({
      maxLength: 4096,
      pattern: '^[\\x20-\\x7e\\t]*$',
      description: 'The value of the header. It is a secret, and only the answers to creation and deletion have it.',
    }),
  },
  { ...closed, description: 'A header that is sent with each delivery.' },
)
export type WebhookHeader = Static<typeof WebhookHeader>

const EventTypes = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' }), {
  minItems: 1,
  maxItems: 100,
  description:
    'The types of the events that you want: types of ours, `payment.*`, `refund.*` and `dispute.*` for all of a kind, or exact types of external systems.',
})
const eventTypes = Type.Array(Type.String(), { description: 'The types of the events that are delivered.' })
const headerNames = Type.Array(Type.String(), {
  description: 'The names of the headers that are sent with each delivery.',
})
const labels = Type.Array(Type.String(), {
  description: 'What it is for (`payments`), its state (`active` or `paused`) and, when paused, why.',
})
const address = url('Where events are delivered.')

/** How deliveries are signed: with a secret that both sides have, or with a key of which you have the public half alone. */
export const Signing = enumeration('How deliveries are signed.', {
  Symmetric: 'With a secret that both sides have (HMAC-SHA256). The default.',
  Asymmetric: 'With a key of which you have the public half alone (Ed25519).',
})
export type Signing = Static<typeof Signing>

export const SubscriptionCreation = Type.Object(
  {
    Headers: Type.Optional(
      Type.Array(WebhookHeader, {
        maxItems: 32,
        description: 'Headers to send with each delivery, such as a key of yours.',
      }),
    ),
    EventTypes,
    Url: Type.Optional(
      described(HttpUrl, 'Where events are delivered. Absent: the address that is registered for your client.'),
    ),
    Signing: Type.Optional(
      described(
        Signing,
        'How deliveries are signed. Absent: `Symmetric` for a new subscription, and as before for one that is replaced.',
      ),
    ),
  },
  { ...closed, description: 'A subscription to events of a site.' },
)
export type SubscriptionCreation = Static<typeof SubscriptionCreation>

/** The key with which a receiver verifies: the secret (`whsec_`), or the public key (`whpk_`). */
const SigningKey = {
  SigningSecret: Type.Optional(
    told(
      'The secret with which you verify deliveries (`whsec_…`). Keep it: it is not told again. Absent if the answer is to a change, or signing is asymmetric.',
    ),
  ),
  PublicKey: Type.Optional(
    told('The public key with which you verify deliveries (`whpk_…`), if signing is asymmetric.'),
  ),
}

export const CreatedSubscription = Type.Object(
  {
    Headers: Type.Array(WebhookHeader, { description: 'The headers that are sent with each delivery.' }),
    EventTypes: eventTypes,
    Url: address,
    ...SigningKey,
  },
  { description: 'Your subscription, with the values of its headers.' },
)
export type CreatedSubscription = Static<typeof CreatedSubscription>

export const Subscription = Type.Object(
  { Headers: headerNames, EventTypes: eventTypes, Labels: labels, Url: address, PublicKey: SigningKey.PublicKey },
  { description: 'Your subscription, without its secrets.' },
)
export type Subscription = Static<typeof Subscription>

export const SubscriptionSummary = Type.Object(
  {
    SubscriptionId: described(Uuid, 'The id of the subscription.'),
    MadeBy: told("Who made it: `client:` with the client's id, or `site:` with the slug for a site API key."),
    Receiver: url('Scheme, host and port of the address: the rest may hold secrets of whoever made the subscription.'),
    Headers: headerNames,
    EventTypes: eventTypes,
    Labels: labels,
    CreatedAt: described(DateTime, 'When it was made.'),
    ChangedAt: described(DateTime, 'When it was last changed.'),
  },
  { description: 'A subscription as everybody sees it who has access to the site.' },
)
export type SubscriptionSummary = Static<typeof SubscriptionSummary>

export const SubscriptionListQuery = Type.Object(paging, closed)
export const SubscriptionList = pageOf(SubscriptionSummary, 'A page of subscriptions.')

export const RotatedSecret = Type.Object(
  {
    ...SigningKey,
    PreviousSecretExpiresAt: described(DateTime, 'Until when the secret before signs beside the new one.'),
  },
  { description: 'The new key of your subscription.' },
)

export const DeliveryState = enumeration('The state of a delivery.', {
  pending: 'It is being attempted, or waits for its next attempt.',
  delivered: 'Your receiver has accepted it.',
  rejected: 'Your receiver has answered that it cannot process it.',
  exhausted: 'Every attempt of the schedule has failed.',
  expired: 'The event expired before it could be delivered.',
  cancelled: 'The subscription ended before it could be delivered.',
})
export type DeliveryState = Static<typeof DeliveryState>

const summary = {
  DeliveryId: described(Uuid, 'The id of the delivery.'),
  EventId: described(Uuid, 'The id of the event, which is the `webhook-id` of each attempt.'),
  EventType: told('The type of the event.'),
  State: DeliveryState,
  Attempts: count('How often it was attempted.'),
  CreatedAt: described(DateTime, 'When we received the event.'),
  NextAttemptAt: Type.Optional(described(DateTime, 'When it is attempted next, while it waits.')),
  CompletedAt: Type.Optional(described(DateTime, 'When it ended.')),
}
export const DeliverySummary = Type.Object(summary, { description: 'An event for your subscription.' })
export type DeliverySummary = Static<typeof DeliverySummary>

export const DeliveryAttempt = Type.Object(
  {
    Number: count('Counts the attempts, from 1.'),
    StartedAt: described(DateTime, 'When the request was sent.'),
    DurationMs: count('How long it took, in milliseconds.'),
    Outcome: told('What the reply meant, or why there was none, such as `timeout`, `dns`, `tls` or `connection`.'),
    StatusCode: Type.Optional(count('The status of the reply.')),
    Error: Type.Optional(told('Why there was no reply.')),
    ResponseBody: Type.Optional(told('The first 16 KiB of the reply; after a success 256 bytes.')),
    ResponseBodyEncoding: Type.Optional(
      enumeration('How `ResponseBody` is written.', {
        utf8: 'As it is.',
        base64: 'In Base64, because it is not UTF-8.',
      }),
    ),
  },
  { description: 'One request that tried to make a delivery.' },
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const Delivery = Type.Object(
  { ...summary, AttemptList: Type.Array(DeliveryAttempt, { description: 'All attempts, oldest first.' }) },
  { description: 'A delivery with its attempts.' },
)

export const DeliveryListQuery = Type.Object(
  {
    ...paging,
    State: Type.Optional(
      Type.Array(DeliveryState, { maxItems: 6, description: 'Only deliveries in one of these states.' }),
    ),
  },
  closed,
)
export type DeliveryListQuery = Static<typeof DeliveryListQuery>
export const DeliveryList = pageOf(DeliverySummary, 'A page of deliveries.')

export const RecoverRequest = Type.Object(
  { Since: described(DateTime, 'Events that we received since this time are delivered again.') },
  { ...closed, description: 'What is delivered again.' },
)
export const Recovery = Type.Object(
  {
    RecoveryId: described(Uuid, 'The id of the recovery.'),
    Since: described(DateTime, 'Since when; at most 14 days back.'),
    State: enumeration('Whether the recovery goes on.', {
      running: 'It goes on.',
      completed: 'All deliveries were made due.',
    }),
    Deliveries: count('The deliveries that were made due so far.'),
    CreatedAt: described(DateTime, 'When it was requested.'),
    CompletedAt: Type.Optional(described(DateTime, 'When it was completed.')),
  },
  { description: 'How far a recovery has come.' },
)
export type Recovery = Static<typeof Recovery>
export const AcceptedDelivery = Type.Object(
  { DeliveryId: described(Uuid, 'The id of the delivery.') },
  { description: 'A delivery that will be made soon.' },
)

/** An attribute of the envelope, with a limit for its text. */
const limited = (
  attribute: 'datacontenttype' | 'dataschema' | 'dataref' | 'traceparent' | 'billingsku',
  maxLength: number,
) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description: textOf(attribute) }))
const textOf = (attribute: keyof typeof Envelope.properties): string =>
  (Envelope.properties[attribute] as { description?: string }).description ?? ''

/**
 * An event that an external system publishes. Its strings have limits, unlike those of an event that is read: source and id
 * are the key of an index, of which Postgres takes 2,704 bytes.
 */
export const PublishedEvent = Type.Object(
  {
    ...Envelope.properties,
    id: Type.String({ minLength: 1, maxLength: 200, description: textOf('id') }),
    source: Type.String({ minLength: 1, maxLength: 400, description: textOf('source') }),
    subject: Type.Optional(Type.String({ maxLength: 400, description: textOf('subject') })),
    datacontenttype: limited('datacontenttype', 200),
    dataschema: limited('dataschema', 2048),
    dataref: limited('dataref', 2048),
    traceparent: limited('traceparent', 200),
    tracestate: Type.Optional(Type.String({ maxLength: 1024, description: textOf('tracestate') })),
    billingsku: limited('billingsku', 200),
  },
  {
    additionalProperties: true,
    description: 'A CloudEvent (1.0) that an external system publishes. Attributes that are not listed are allowed.',
  },
)

/** One CloudEvent or a batch. Either all events of a batch are published or none. */
export const PublishedEventBatch = Type.Array(PublishedEvent, {
  minItems: 1,
  maxItems: 100,
  description: 'A batch of CloudEvents: all are published, or none.',
})
export const PublishedEvents = Type.Union([PublishedEvent, PublishedEventBatch])
export const AcceptedEvents = Type.Object(
  { Accepted: count('How many events were accepted, those included that had been published before.') },
  { description: 'How many events were accepted.' },
)
