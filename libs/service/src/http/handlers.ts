import type {
  Body,
  InternalBody,
  InternalOperationId,
  InternalParams,
  InternalQuery,
  InternalReply,
  OperationId,
  Operations,
  Params,
  Query,
  Reply,
  SiteAccess,
  TextReply,
} from '@frontdesk/contracts'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Act } from '../audit/act.ts'
import type { Principal } from '../tokens/internal-tokens.ts'

/** A request as a handler of a public operation gets it: everything validated, nothing of HTTP left but headers. */
export interface OperationRequest<Id extends OperationId, Found = unknown> {
  params: Params<Id>
  query: Query<Id>
  body: Body<Id>
  principal: Principal
  /** The site of a site-level operation. The gateway has verified that the caller may use it. */
  site: Operations[Id]['level'] extends 'site' ? SiteAccess : undefined
  headers: FastifyRequest['headers']
  /** The result of `beforeValidation`. */
  found: Found
  traceparent: string
  log: FastifyBaseLogger
  /** The act of the request, for the audit trail. A handler stores it with its effect (`auditInsert`, `recordAct`). */
  act: Act
  /** The id for what this request makes; a resumed request gets the id of its first try again (Idempotency-Key). */
  resourceId: string
}

export type OperationHandlers<Ids extends OperationId, Found = unknown> = {
  [Id in Ids]: (request: OperationRequest<Id, Found>) => Promise<Reply<Id> | TextReply<Id>>
}

export interface InternalRequest<Id extends InternalOperationId> {
  params: InternalParams<Id>
  query: InternalQuery<Id>
  body: InternalBody<Id>
  headers: FastifyRequest['headers']
  traceparent: string
  traceId: string
  log: FastifyBaseLogger
}

export type InternalHandlers<Ids extends InternalOperationId> = {
  [Id in Ids]: (request: InternalRequest<Id>) => Promise<InternalReply<Id>>
}

/** An authorised request whose query and body are not validated yet. */
export interface UnvalidatedRequest {
  id: OperationId
  principal: Principal
  headers: FastifyRequest['headers']
  /** The parameters in the path, decoded. */
  params: Record<string, string>
}
