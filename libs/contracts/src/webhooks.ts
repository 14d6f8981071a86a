import { Type, type Static } from 'typebox'
import { Envelope } from './envelope.ts'
import { closed, DateTime, HttpUrl, PageToken, Uuid } from './values.ts'

// Field name and value of RFC 9110. webhook-delivery refuses reserved names.
export const WebhookHeader = Type.Object(
  {
    Name: Type.String({ minLength: 1, maxLength: 256, pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }),
    Value: Type.String({ maxLength: 4096, pattern: '^[\\x20-\\x7e\\t]*$' }),
  },
  closed,
)
export type WebhookHeader = Static<typeof WebhookHeader>

const EventTypes = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' }), {
  minItems: 1,
  maxItems: 100,
})

/** How deliveries are signed: with a secret that both sides have, or with a key of which you have the public half alone. */
export const Signing = Type.Enum(['Symmetric', 'Asymmetric'])
export type Signing = Static<typeof Signing>

export const SubscriptionCreation = Type.Object(
  {
    Headers: Type.Optional(Type.Array(WebhookHeader, { maxItems: 32 })),
    EventTypes,
    Url: Type.Optional(HttpUrl),
    /** Absent: Symmetric for a new subscription, and as before for one that is replaced. */
    Signing: Type.Optional(Signing),
  },
  closed,
)
export type SubscriptionCreation = Static<typeof SubscriptionCreation>

/** The key with which a receiver verifies: the secret (`whsec_`), or the public key (`whpk_`). */
const SigningKey = { SigningSecret: Type.Optional(Type.String()), PublicKey: Type.Optional(Type.String()) }

export const CreatedSubscription = Type.Object({
  Headers: Type.Array(WebhookHeader),
  EventTypes: Type.Array(Type.String()),
  Url: Type.String(),
  ...SigningKey,
})
export type CreatedSubscription = Static<typeof CreatedSubscription>

export const Subscription = Type.Object({
  Headers: Type.Array(Type.String()),
  EventTypes: Type.Array(Type.String()),
  Labels: Type.Array(Type.String()),
  Url: Type.String(),
  /** Of an asymmetric subscription. */
  PublicKey: Type.Optional(Type.String()),
})
export type Subscription = Static<typeof Subscription>

export const SubscriptionSummary = Type.Object({
  SubscriptionId: Uuid,
  /** Who made it: `client:` with the client's id, or `site:` with the slug for a site API key. */
  MadeBy: Type.String(),
  /** Scheme, host and port of the address: the rest may hold secrets of whoever made the subscription. */
  Receiver: Type.String(),
  Headers: Type.Array(Type.String()),
  EventTypes: Type.Array(Type.String()),
  Labels: Type.Array(Type.String()),
  CreatedAt: DateTime,
  ChangedAt: DateTime,
})
export type SubscriptionSummary = Static<typeof SubscriptionSummary>

export const SubscriptionListQuery = Type.Object(
  {
    pageSize: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
    nextPageToken: Type.Optional(PageToken),
  },
  closed,
)
export const SubscriptionList = Type.Object({
  Items: Type.Array(SubscriptionSummary),
  NextPageToken: Type.Optional(Type.String()),
})

export const RotatedSecret = Type.Object({ ...SigningKey, PreviousSecretExpiresAt: DateTime })

export const DeliveryState = Type.Enum(['pending', 'delivered', 'rejected', 'exhausted', 'expired', 'cancelled'])
export type DeliveryState = Static<typeof DeliveryState>

export const DeliverySummary = Type.Object({
  DeliveryId: Uuid,
  EventId: Uuid,
  EventType: Type.String(),
  State: DeliveryState,
  Attempts: Type.Integer(),
  CreatedAt: DateTime,
  NextAttemptAt: Type.Optional(DateTime),
  CompletedAt: Type.Optional(DateTime),
})
export type DeliverySummary = Static<typeof DeliverySummary>

export const DeliveryAttempt = Type.Object({
  Number: Type.Integer(),
  StartedAt: DateTime,
  DurationMs: Type.Integer(),
  Outcome: Type.String(),
  StatusCode: Type.Optional(Type.Integer()),
  Error: Type.Optional(Type.String()),
  ResponseBody: Type.Optional(Type.String()),
  ResponseBodyEncoding: Type.Optional(Type.Enum(['utf8', 'base64'])),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const Delivery = Type.Object({ ...DeliverySummary.properties, AttemptList: Type.Array(DeliveryAttempt) })

export const DeliveryListQuery = Type.Object(
  {
    pageSize: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
    nextPageToken: Type.Optional(PageToken),
    State: Type.Optional(Type.Array(DeliveryState, { maxItems: 6 })),
  },
  closed,
)
export type DeliveryListQuery = Static<typeof DeliveryListQuery>
export const DeliveryList = Type.Object({
  Items: Type.Array(DeliverySummary),
  NextPageToken: Type.Optional(Type.String()),
})

export const RecoverRequest = Type.Object({ Since: DateTime }, closed)
export const Recovery = Type.Object({
  RecoveryId: Uuid,
  Since: DateTime,
  State: Type.Enum(['running', 'completed']),
  /** Deliveries that were made due so far. */
  Deliveries: Type.Integer(),
  CreatedAt: DateTime,
  CompletedAt: Type.Optional(DateTime),
})
export type Recovery = Static<typeof Recovery>
export const AcceptedDelivery = Type.Object({ DeliveryId: Uuid })

const nullableText = (maxLength: number, format?: 'uri' | 'uri-reference') =>
  Type.Optional(Type.Union([Type.String({ maxLength, ...(format === undefined ? {} : { format }) }), Type.Null()]))

/**
 * An event that an external system publishes. Its strings have limits, unlike those of an event that is read: source and id
 * are the key of an index, of which Postgres takes 2,704 bytes.
 */
export const PublishedEvent = Type.Object(
  {
    ...Envelope.properties,
    id: Type.String({ minLength: 1, maxLength: 200 }),
    source: Type.String({ minLength: 1, maxLength: 400, format: 'uri-reference' }),
    subject: Type.Optional(Type.String({ maxLength: 400 })),
    datacontenttype: nullableText(200),
    dataschema: nullableText(2048, 'uri'),
    dataref: nullableText(2048, 'uri-reference'),
    traceparent: nullableText(200),
    tracestate: Type.Optional(Type.String({ maxLength: 1024 })),
    billingsku: nullableText(200),
  },
  { additionalProperties: true },
)

/** One CloudEvent or a batch. Either all events of a batch are published or none. */
export const PublishedEvents = Type.Union([PublishedEvent, Type.Array(PublishedEvent, { minItems: 1, maxItems: 100 })])
export const AcceptedEvents = Type.Object({ Accepted: Type.Integer() })
