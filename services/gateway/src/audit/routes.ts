import { operations, routePath, type AuditQuery, type OperationId } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import type { InternalClient } from '@frontdesk/service/calls'
import type { InternalClaims } from '@frontdesk/service/tokens'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkMediaTypes } from '../forwarding/media-types.ts'
import { bodyOf } from '../forwarding/routes.ts'
import { auditPageToken, mergeParts, openAuditPage } from './page.ts'

export interface AuditRoutesDeps {
  admit: (request: FastifyRequest, reply: FastifyReply, id: OperationId) => Promise<InternalClaims>
  internal: InternalClient
}

/** The services that keep a part of the audit trail. */
const parts = ['listRegistryAudit', 'listAccountsAudit', 'listPaymentsAudit', 'listWebhookDeliveryAudit'] as const

const operation = operations.listAuditEntries

/**
 * Registers the audit trail of a site. Each service keeps its own part; a page is put together from a page of each. If one does not
 * answer the answer is 503: a list with a hole would not tell of the hole.
 */
export function auditRoutes(app: FastifyInstance, { admit, internal }: AuditRoutesDeps): void {
  app.route<{ Params: { SiteSlug: string }; Querystring: AuditQuery }>({
    method: operation.method,
    url: routePath(operation.path),
    schema: { params: operation.params, querystring: operation.query, response: operation.responses },
    onRequest: async (request, reply) => {
      request.claims = await admit(request, reply, 'listAuditEntries')
    },
    preValidation: async (request) => {
      const body = bodyOf(request)
      checkMediaTypes(request.headers, body !== undefined)
      if (body !== undefined) throw problem('malformed_request', 'This operation takes no body.')
    },
    handler: async ({ params, query: { pageSize, nextPageToken, ...span }, traceparent }) => {
      const { before, filters } = openAuditPage(nextPageToken, { ...params, ...span })
      const { RecordedFrom, RecordedTo } = filters
      const query = {
        ...(RecordedFrom === undefined ? {} : { RecordedFrom }),
        ...(RecordedTo === undefined ? {} : { RecordedTo }),
        limit: pageSize + 1,
        ...(before === undefined ? {} : { BeforeTime: before.RecordedAt, BeforeId: before.EntryId }),
      }
      const found = mergeParts(
        await Promise.all(parts.map((part) => internal.call(part, params, { query, traceparent }))),
      )
      const page = found.slice(0, pageSize)
      const last = found.length > pageSize ? page.at(-1) : undefined
      return { Items: page, ...(last === undefined ? {} : { NextPageToken: auditPageToken(last, filters) }) }
    },
  })
}
