import { operations, scopes, type Operation, type OperationId } from '@frontdesk/contracts'
import { collectComponents, type JsonObject } from './components.ts'
import { sharedErrorResponses } from './openapi-errors.ts'
import { describeOperation, sharedHeaders, tags } from './openapi-operation.ts'
import { describeWebhooks } from './openapi-webhooks.ts'

const description = `
Practice sites, the payments they take, and signed webhooks for every outcome.

**Access.** Use OAuth 2.0 client credentials. Operations on one site also accept an API key of that site.

**Idempotency.** Send an \`Idempotency-Key\` with a POST to repeat it safely for 24 hours; a key belongs to your client, the operation and the path.
The same request gets the stored answer with \`Idempotency-Replayed: true\`. Another body gets 422. While the first request is running, you get 409 with \`Retry-After\`.

**Paging.** A list has a \`NextPageToken\` while there are more items. Send it as \`nextPageToken\`. It carries the filters: alone it is enough, and a filter beside it must be the same. \`pageSize\` may change.

**Errors.** Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`, a \`traceId\`, and \`errors\` that point to the faulty members.

**Limits.** \`RateLimit\` and \`RateLimit-Policy\` show the rest of your quota. 429 and 503 have a \`Retry-After\`.
The events that you publish have a share of a stream: so many bytes a day (UTC), then 429 with the \`violated-policies\` \`external-events-per-day\` until the next day.

**Money.** Amounts are integers in ISO 4217 minor units.

**Spellings.** Beside what the schemas say, requests may have null for an optional member, which counts as absent (in a PATCH it removes), country codes of
ISO 3166-1 in any form (\`gb\`, \`GBR\`, \`826\`), currency codes in lower case, and booleans of a query in any case.

**Open enumerations.** Answers and events may have values that this document does not list: take any text. Where a schema has \`x-extensible-enum\`, these are the values of today.`.trim()

/** Returns the OpenAPI 3.1 document of the operations table. `publicUrl` is the gateway's address for clients. */
export function openApiDocument(publicUrl: string): JsonObject {
  const components = collectComponents()
  const paths: Record<string, JsonObject> = {}
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describeOperation(id, operation, components)
  }
  const webhooks = describeWebhooks(components)
  const responses = sharedErrorResponses(components)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Frontdesk',
      version: '1.0.0',
      summary: 'Practice site registry and payments',
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Frontdesk' },
      contact: { name: 'Frontdesk', url: `${publicUrl}/docs/` },
    },
    externalDocs: { description: 'Guides, events and errors', url: `${publicUrl}/docs/` },
    servers: [{ url: publicUrl }],
    tags: Object.values(tags).map((name) => ({ name, description: `Operations on ${name.toLowerCase()}.` })),
    paths,
    webhooks,
    components: {
      schemas: components.all(),
      headers: sharedHeaders,
      responses,
      securitySchemes: securitySchemes(publicUrl),
    },
  }
}

function securitySchemes(publicUrl: string): JsonObject {
  return {
    accessToken: {
      type: 'oauth2',
      description: 'OAuth 2.0 client credentials; the access token is a JWT (RFC 9068).',
      flows: {
        clientCredentials: {
          tokenUrl: `${publicUrl}/oauth2/token`,
          scopes: Object.fromEntries(scopes.map((scope) => [scope, `Allows ${scope.replace(':', ' ')}.`])),
        },
      },
    },
    siteKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Site-Api-Key',
      description: 'The primary or secondary API key of the site, for that site only.',
    },
  }
}
