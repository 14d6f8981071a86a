import type { Operation } from '@frontdesk/contracts'

/** What a call is given: path parameters by name, and the rest under names of its own. */
export type Input = {
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  practiceManagementSoftware?: string
  signal?: AbortSignal
  [parameter: string]: unknown
}

export interface Request {
  /** Path and query. */
  path: string
  method: string
  headers: Record<string, string>
  body?: string
}

/** Writes the request of an operation; every try sends the same one. Throws TypeError where a path parameter is missing. */
export function writeRequest(operation: Operation, input: Input): Request {
  const { method } = operation
  const system = input.practiceManagementSoftware
  const headers: Record<string, string> = { accept: 'application/json' }
  if (method === 'POST') headers['idempotency-key'] = input.idempotencyKey ?? crypto.randomUUID()
  if (system !== undefined) headers['x-practice-management-software'] = system
  const request = { path: pathOf(operation, input) + queryOf(input.query), method, headers }
  if (input.body === undefined) return request
  headers['content-type'] = contentTypeOf(operation, input.body)
  return { ...request, body: JSON.stringify(input.body) }
}

/** Of two content types the second is a batch's. */
function contentTypeOf({ contentTypes = [] }: Operation, body: unknown): string {
  return (Array.isArray(body) ? contentTypes[1] : contentTypes[0]) ?? 'application/json'
}

function pathOf(operation: Operation, input: Input): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is required`)
    return encodeURIComponent(value)
  })
}

function queryOf(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) search.append(name, String(item))
  }
  return search.size === 0 ? '' : `?${search}`
}
