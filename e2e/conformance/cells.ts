import { operations, type ErrorCategory, type Operation, type OperationId } from '@frontdesk/contracts'
import { endpoints } from './interface-document.ts'

export type Column = 'success' | ErrorCategory
/** An operation and what it may answer. */
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

/** The operations in the order of the interface, then those that are ours. */
export const operationIds = (Object.keys(operations) as OperationId[]).toSorted((a, b) => numberOf(a) - numberOf(b))

/** Its number in the interface; ours come after all of them. */
export function numberOf(id: OperationId): number {
  return id in endpoints ? endpoints[id as keyof typeof endpoints].number : Number.MAX_SAFE_INTEGER
}

/** The columns that an operation lists: for the interface's endpoints, by the interface. */
export function columnsOf(id: OperationId): readonly Column[] {
  const operation: Operation = operations[id]
  const errors: readonly ErrorCategory[] =
    id in endpoints ? endpoints[id as keyof typeof endpoints].errors : operation.errors
  return ['success', ...errors]
}
