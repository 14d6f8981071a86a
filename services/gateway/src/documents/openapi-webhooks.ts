import { events, publicEventTypes } from '@frontdesk/contracts'
import type { Components, JsonObject } from './components.ts'
import { eventSchema } from './event-schemas.ts'
import { tags } from './openapi-operation.ts'

/** Returns the deliveries of the public events as requests that a subscriber receives. */
export function describeWebhooks(components: Components): JsonObject {
  return Object.fromEntries(
    publicEventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on.${type}`,
          summary: events[type].description,
          description:
            'Signed by Standard Webhooks 1.0. Verify `webhook-signature` first, and ignore a `webhook-id` that you have seen before.',
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
  'webhook-id': 'The id of the event, the same in every attempt.',
  'webhook-timestamp':
    'The time of this attempt, in seconds since 1970. Refuse a request that is older than 5 minutes.',
  'webhook-signature':
    '`v1,` and the Base64 of the HMAC-SHA256 of id, timestamp and body. Spaces separate several signatures.',
}).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

/** What each reply of a subscriber causes. */
const responses = {
  '2XX': { description: 'Accepted: the delivery is complete.' },
  '410': { description: 'Not sent again. Nothing more is sent to this address until you subscribe again.' },
  '413': { description: 'You cannot process it: not sent again.' },
  '415': { description: 'You cannot process it: not sent again.' },
  '422': { description: 'You cannot process it: not sent again.' },
  '429': { description: 'Sent again after `Retry-After`, as is everything else to this address.' },
  '503': { description: 'Sent again after `Retry-After`.' },
  default: { description: 'Failed: sent again on the schedule.' },
}
