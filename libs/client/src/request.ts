/** How an operation is called. */
export interface Route {
  method: string
  /** With `{Parameter}` segments. */
  path: string
  /** How long the server may take, in milliseconds. */
  deadlineMs: number
  /** The accepted content types; `application/json` by default. A second one is for a body that is an array. */
  contentTypes?: readonly string[]
  /** Whether the reply is a page of a list. */
  pages?: boolean
}

/** The input of a call of any operation: path parameters by name, and the other members. */
export type Input = {
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string | undefined
  practiceManagementSoftware?: string | undefined
  signal?: AbortSignal | undefined
  [parameter: string]: unknown
}

export interface Request {
  /** Path and query. */
  path: string
  method: string
  headers: Record<string, string>
  body?: string
}

/** Returns the request of a call, which every try sends. Throws TypeError if a path parameter is missing. */
export function writeRequest(route: Route, input: Input): Request {
  const { method } = route
  const software = input.practiceManagementSoftware
  const headers: Record<string, string> = { accept: 'application/json' }
  if (method === 'POST') headers['idempotency-key'] = input.idempotencyKey ?? crypto.randomUUID()
  if (software !== undefined) headers['x-practice-management-software'] = software
  const request = { path: pathOf(route, input) + queryOf(input.query), method, headers }
  if (input.body === undefined) return request
  headers['content-type'] = contentTypeOf(route, input.body)
  return { ...request, body: JSON.stringify(input.body) }
}

/** If an operation has two content types, the second one is for arrays. */
function contentTypeOf({ contentTypes = [] }: Route, body: unknown): string {
  return (Array.isArray(body) ? contentTypes[1] : contentTypes[0]) ?? 'application/json'
}

function pathOf(route: Route, input: Input): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
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
