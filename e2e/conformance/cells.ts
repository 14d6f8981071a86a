import { operations, type ErrorCategory, type Operation, type OperationId } from '@frontdesk/contracts'
import { endpoints } from './interface-document.ts'

export type Column = 'success' | ErrorCategory
/** An operation with success or an error category. */
export type Cell = `${OperationId} ${Column}`

export const columns: readonly Column[] = [
  'success',
  'Malformed Request',
  'Unauthorized',
  'Forbidden',
  'Not Found',
  'Unprocessable',
  'Too many requests',
  'User Error',
  'Server Error',
]

/** The operations in the order of the interface, then our own. */
export const operationIds = (Object.keys(operations) as OperationId[]).toSorted((a, b) => numberOf(a) - numberOf(b))

/** Returns an operation's number in the interface; our own come last. */
export function numberOf(id: OperationId): number {
  return id in endpoints ? endpoints[id as keyof typeof endpoints].number : Number.MAX_SAFE_INTEGER
}

/** Returns the columns of an operation; for an endpoint of the interface, those that the interface lists. */
export function columnsOf(id: OperationId): readonly Column[] {
  const operation: Operation = operations[id]
  const errors: readonly ErrorCategory[] =
    id in endpoints ? endpoints[id as keyof typeof endpoints].errors : operation.errors
  return ['success', ...errors]
}
