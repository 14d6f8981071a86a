import { events, streams, Visibility, type EventType } from '@frontdesk/contracts'
import { collectComponents, type JsonObject } from './components.ts'
import { eventSchema } from './event-schemas.ts'

/** Returns the AsyncAPI 3.1 document of the events table: events on NATS for services, and deliveries to webhooks. */
export function asyncApiDocument(publicUrl: string): JsonObject {
  const components = collectComponents({ describesReferences: false })
  const published = (Object.keys(events) as EventType[]).filter(
    (type) => events[type].visibility !== Visibility.Private,
  )
  const channels: JsonObject = {}
  const operations: JsonObject = {}
  const messages: JsonObject = {}

  for (const type of published) {
    const event = events[type]
    const name = pascal(type)
    messages[name] = {
      name: type,
      title: type,
      summary: event.description,
      contentType: 'application/cloudevents+json',
      payload: eventSchema(type, components),
    }
    for (const owner of event.owners) {
      const prefix =
        event.visibility === Visibility.WorkQueue
          ? 'work'
          : `evt.${event.visibility === Visibility.Public ? 'pub' : 'int'}`
      const channel = `${camel(owner)}${name}`
      const stream = streams.find(
        (one) =>
          one.owner === owner && one.subjects.some((subject) => subject.startsWith(prefix === 'work' ? 'work' : 'evt')),
      )
      channels[channel] = {
        address: `${prefix}.${owner}.${event.entity}.${event.action}.v${event.version}.{siteSlug}`,
        servers: [{ $ref: '#/servers/nats' }],
        messages: { [name]: { $ref: `#/components/messages/${name}` } },
        parameters: { siteSlug: { description: 'The slug of the site; - if the event has none.' } },
        ...(stream === undefined ? {} : { 'x-jetstream': { stream: stream.name, retention: stream.retention } }),
      }
      operations[`send${pascal(channel)}`] = {
        action: 'send',
        description: `${owner} publishes it. ${audience[event.visibility]}`,
        channel: { $ref: `#/channels/${channel}` },
        messages: [{ $ref: `#/channels/${channel}/messages/${name}` }],
        security: [{ $ref: '#/components/securitySchemes/natsUser' }],
      }
    }
    if (event.visibility === Visibility.Public) webhookOf(type, name, channels, operations)
  }
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Frontdesk events',
      version: '1.0.0',
      description:
        'CloudEvents 1.0 in structured mode. NATS and webhooks carry the same bytes. Where a schema has `x-extensible-enum`, more values may be added: take any text.',
      license: { name: 'Proprietary' },
      contact: { name: 'Frontdesk', url: publicUrl },
      tags: [{ name: 'events', description: 'Events of payments, sites, accounts and deliveries.' }],
    },
    defaultContentType: 'application/cloudevents+json',
    servers: {
      nats: { host: 'nats:4222', protocol: 'nats', description: 'JetStream, for services.' },
      webhook: {
        host: '{subscriber}',
        protocol: 'https',
        description: 'The address of your subscription.',
        variables: { subscriber: { description: 'Your host.', default: 'subscriber.example' } },
      },
    },
    channels,
    operations,
    components: { messages, schemas: components.all(), securitySchemes },
    'x-source': `${publicUrl}/asyncapi.json`,
  }
}

/** Who gets the events of a visibility. */
const audience: Record<Visibility, string> = {
  [Visibility.Internal]: 'Internal: other services of the system may subscribe to it; there is no webhook.',
  [Visibility.Public]: 'Public: other services may subscribe to it, and it is delivered to webhooks.',
  [Visibility.WorkQueue]: 'WorkQueue: only the service that published it takes it from its queue.',
  [Visibility.Private]: 'Private: it is not published.',
}

const securitySchemes = {
  natsUser: {
    type: 'asymmetricEncryption',
    description: 'A user of NATS with a key of its own (nkey), and rights to certain subjects.',
  },
  signature: {
    type: 'symmetricEncryption',
    description:
      'Standard Webhooks 1.0: `webhook-signature` has an HMAC-SHA256 (`v1`) or, by choice of the subscription, an Ed25519 signature (`v1a`) of id, timestamp and body.',
  },
}

function webhookOf(type: EventType, name: string, channels: JsonObject, operations: JsonObject): void {
  const channel = `webhook${name}`
  channels[channel] = {
    address: '/',
    summary: `Delivery of ${type}, signed by Standard Webhooks 1.0.`,
    servers: [{ $ref: '#/servers/webhook' }],
    messages: { [name]: { $ref: `#/components/messages/${name}` } },
  }
  operations[`deliver${name}`] = {
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    messages: [{ $ref: `#/channels/${channel}/messages/${name}` }],
    security: [{ $ref: '#/components/securitySchemes/signature' }],
    bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
    description:
      'Your reply decides. 2xx: accepted. 429 and 503: sent again later, see Retry-After. 410, 413, 415 and 422: not sent again. Anything else: sent again on the schedule.',
  }
}

const pascal = (text: string): string =>
  text.replaceAll(/(^|[.\-_])(\w)/g, (_, __, letter: string) => letter.toUpperCase())
const camel = (text: string): string => text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
