import { Type, type Static } from 'typebox'
import { PracticeManagementSoftware } from './enumerations.ts'
import { described, told } from './members.ts'
import { DateTime, Slug } from './values.ts'

/** Who may see an event (interface, "Visibility values"). */
export const Visibility = { Internal: 0, Public: 1, WorkQueue: 2, Private: 3 } as const
export type Visibility = (typeof Visibility)[keyof typeof Visibility]

export const eventContentType = 'application/cloudevents+json; charset=utf-8'

// The default stands here and not on the member, which client generators would then make required.
export const EventVisibility = Type.Integer({
  minimum: Visibility.Internal,
  maximum: Visibility.Private,
  format: 'int32',
  default: Visibility.Internal,
  description: [
    'Who may see an event. External systems may publish 0 and 1.',
    '',
    '- `0`, Internal: other services of the system may subscribe to it. It is not available as a webhook. The default.',
    '- `1`, Public: it is published as a webhook, and authorised external systems may subscribe to it.',
    '- `2`, WorkQueue: it waits in a queue for the service that published it.',
    '- `3`, Private: it is not published, and visible only within the service and its telemetry.',
  ].join('\n'),
})

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }))

/** The event envelope (interface, "Envelope fields"; CloudEvents 1.0.2). Unknown attributes are allowed. */
export const Envelope = Type.Object(
  {
    data: orNull(Type.Object({}, { additionalProperties: true }), 'What happened: the members depend on `type`.'),
    type: Type.String({ minLength: 1, description: 'The type of the event, such as `payment.succeeded`.' }),
    specversion: Type.Literal('1.0', { type: 'string', description: 'The version of CloudEvents.' }),
    id: Type.String({ minLength: 1, description: 'The id of the event. It is unique together with `source`.' }),
    source: Type.String({
      minLength: 1,
      format: 'uri-reference',
      description: 'Who publishes the event, as a URI reference.',
    }),
    subject: Type.Optional(told('What the event is about, such as the `RecordId` of a payment.')),
    time: orNull(DateTime, 'When it happened.'),
    datacontenttype: orNull(Type.String(), 'The media type of `data`. When absent, JSON.'),
    dataschema: orNull(Type.String({ format: 'uri' }), 'The address of the schema of `data`.'),
    siteslug: Type.Optional(described(Slug, 'The site that it happened at.')),
    expirytime: orNull(DateTime, 'The event is not delivered after this time.'),
    intendeddeliverytime: orNull(DateTime, 'The event is not delivered before this time.'),
    traceparent: orNull(Type.String(), 'The trace that it belongs to (W3C Trace Context).'),
    tracestate: Type.Optional(told('The state of the trace (W3C Trace Context).')),
    priority: orNull(
      Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, format: 'int32' }),
      'Waiting deliveries of a higher priority go first. When absent, 0.',
    ),
    organisationslug: Type.Optional(described(Slug, 'The organisation that owns the site.')),
    billingorganisationslug: Type.Optional(described(Slug, 'The organisation that is billed for the site.')),
    product: Type.Optional(described(PracticeManagementSoftware, 'The practice management system of the site.')),
    dataref: orNull(
      Type.String({ format: 'uri-reference' }),
      'Where the data can be found, if it is not in the event.',
    ),
    visibility: orNull(EventVisibility, 'Who may see the event. Absent or null is 0, Internal.'),
    billingsku: orNull(Type.String(), 'A billable item with its options: it decides the cost.'),
    billingpax: orNull(
      Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, format: 'int32' }),
      'How many of the SKU are billed. When absent, 1.',
    ),
    pmsspecificid: Type.Optional(told('The id of the practice in its practice management system.')),
  },
  {
    additionalProperties: true,
    description: 'A CloudEvent (1.0). Attributes that are not listed are allowed: ignore those that you do not know.',
  },
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
