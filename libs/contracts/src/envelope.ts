import { Type, type Static } from 'typebox'
import { PracticeManagementSoftware } from './enumerations.ts'
import { DateTime, Slug } from './values.ts'

/** Who may see an event (interface, "Visibility values"). */
export const Visibility = { Internal: 0, Public: 1, WorkQueue: 2, Private: 3 } as const
export type Visibility = (typeof Visibility)[keyof typeof Visibility]

export const eventContentType = 'application/cloudevents+json; charset=utf-8'

/** The event envelope (interface, "Envelope fields"; CloudEvents 1.0.2). Unknown attributes are allowed. */
export const Envelope = Type.Object(
  {
    data: Type.Optional(Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])),
    type: Type.String({ minLength: 1 }),
    specversion: Type.Literal('1.0'),
    id: Type.String({ minLength: 1 }),
    source: Type.String({ minLength: 1, format: 'uri-reference' }),
    subject: Type.Optional(Type.String()),
    time: Type.Optional(Type.Union([DateTime, Type.Null()])),
    datacontenttype: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    dataschema: Type.Optional(Type.Union([Type.String({ format: 'uri' }), Type.Null()])),
    siteslug: Type.Optional(Slug),
    expirytime: Type.Optional(Type.Union([DateTime, Type.Null()])),
    intendeddeliverytime: Type.Optional(Type.Union([DateTime, Type.Null()])),
    traceparent: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    tracestate: Type.Optional(Type.String()),
    priority: Type.Optional(Type.Union([Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }), Type.Null()])),
    organisationslug: Type.Optional(Slug),
    billingorganisationslug: Type.Optional(Slug),
    product: Type.Optional(PracticeManagementSoftware),
    dataref: Type.Optional(Type.Union([Type.String({ format: 'uri-reference' }), Type.Null()])),
    visibility: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 3 }), Type.Null()])),
    billingsku: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    billingpax: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }), Type.Null()])),
    pmsspecificid: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)
export type Envelope = Static<typeof Envelope>

/**
 * The envelope as a reader takes it. Addresses that are none pass: the publisher has checked them, and an event that a release
 * before took must still arrive.
 */
export const ReceivedEnvelope = Type.Object(
  {
    ...Envelope.properties,
    source: Type.String({ minLength: 1 }),
    dataschema: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    dataref: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { additionalProperties: true },
)
