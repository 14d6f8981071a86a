import { events, publicEventTypes } from '@frontdesk/contracts'
import type { Components, JsonObject } from './components.ts'
import { eventSchema } from './event-schemas.ts'
import { tags } from './openapi-operation.ts'

/** The deliveries of the public events, as requests that a subscriber receives. */
export function describeWebhooks(components: Components): JsonObject {
  return Object.fromEntries(
    publicEventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on.${type}`,
          summary: events[type].description,
          description:
            'Signed by Standard Webhooks 1.0: check `webhook-signature` before anything else, and drop a `webhook-id` that was seen before.',
          tags: [tags['webhook-delivery']],
          security: [],
          parameters: signatureHeaders,
          requestBody: {
            required: true,
            content: { 'application/cloudevents+json': { schema: eventSchema(type, components) } },
          },
          responses,
        },
      },
    ]),
  )
}

const signatureHeaders = Object.entries({
  'webhook-id': 'The id of the event; the same for every attempt.',
  'webhook-timestamp': 'Seconds since 1970 of this attempt; refuse what is older than 5 minutes.',
  'webhook-signature': '`v1,` and the Base64 of HMAC-SHA256 over id, timestamp and body; several, by spaces.',
}).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

/** Design section 8: what a reply means. */
const responses = {
  '2XX': { description: 'Accepted: the delivery is complete.' },
  '410': { description: 'Not again, and nothing more to this address until its owner subscribes again.' },
  '413': { description: 'Cannot be processed: not again.' },
  '415': { description: 'Cannot be processed: not again.' },
  '422': { description: 'Cannot be processed: not again.' },
  '429': { description: 'Later, at `Retry-After`; so is everything else to this address.' },
  '503': { description: 'Later, at `Retry-After`.' },
  default: { description: 'Something went wrong: again, on the schedule.' },
}
