import type { Static, TSchema } from 'typebox'
import { accountOperations } from './account-operations.ts'
import { auditOperations } from './audit-operations.ts'
import type { ServiceName } from './enumerations.ts'
import type { Operation } from './operation.ts'
import { paymentOperations } from './payment-operations.ts'
import { siteOperations } from './site-operations.ts'
import { webhookOperations } from './webhook-operations.ts'

/** Every public operation. Routing, authorisation, validation, OpenAPI and the client derive from this table. */
export const operations = {
  ...siteOperations,
  ...paymentOperations,
  ...accountOperations,
  ...webhookOperations,
  ...auditOperations,
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationId = keyof Operations
export type OperationsOf<S extends ServiceName> = {
  [Id in OperationId]: Operations[Id]['service'] extends S ? Id : never
}[OperationId]

export type Params<Id extends OperationId> = Static<Operations[Id]['params']>
export type Query<Id extends OperationId> = Operations[Id] extends { query: infer Q extends TSchema }
  ? Static<Q>
  : undefined
export type Body<Id extends OperationId> = Operations[Id] extends { body: infer B extends TSchema }
  ? Static<B>
  : undefined
/** A success of an operation in another media type than JSON: text, with its `content-type`. */
export type TextReply<Id extends OperationId> = Operations[Id] extends { mediaTypes: readonly string[] }
  ? { status: 200; body: string; headers: Record<string, string> }
  : never
/** A success of an operation: a status, with the body of that status. */
export type Reply<Id extends OperationId> = {
  [S in keyof Operations[Id]['responses']]: {
    status: S
    body: Operations[Id]['responses'][S] extends TSchema ? Static<Operations[Id]['responses'][S]> : never
    headers?: Record<string, string>
  }
}[keyof Operations[Id]['responses']]
