import { operations, type OperationId } from '@frontdesk/contracts'
import { catalogue, problemType, type ProblemCode } from '@frontdesk/problems'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { described, type Answer } from './exchange.ts'
import { endpoints, resources, type Kind } from './interface-document.ts'
import { leakIn } from './leaks.ts'

/** The expected refusal. */
export interface ExpectedProblem {
  status: number
  code?: ProblemCode
  /** One of `errors` must have this pointer. */
  pointer?: string
}

/** Throws an error with the whole exchange unless the condition holds. */
export function ensure(condition: boolean, answer: Answer, otherwise: string): asserts condition {
  if (!condition) throw new Error(`${otherwise}\n  ${described(answer)}`)
}

/** Throws an error with a sentence unless the condition holds. */
export function ensureText(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}

const problemMembers = ['type', 'title', 'status', 'detail', 'instance', 'code', 'traceId', 'errors']

/** Checks a refusal: its status, code and pointer, and the rules for every problem. */
export function isProblem(answer: Answer, expected: ExpectedProblem): void {
  ensure(answer.status === expected.status, answer, `expected ${expected.status} ${expected.code ?? ''}`)
  const problem = wellFormedProblem(answer)
  if (expected.code !== undefined)
    ensure(problem['code'] === expected.code, answer, `expected the code ${expected.code}`)
  if (expected.pointer !== undefined) {
    const pointers = ((problem['errors'] ?? []) as { pointer: string }[]).map(({ pointer }) => pointer)
    ensure(
      pointers.includes(expected.pointer),
      answer,
      `expected a pointer ${expected.pointer}, got ${pointers.join(' ')}`,
    )
  }
}

/** Checks the rules for every refusal: RFC 9457, our members, headers, no leak. Returns the problem. */
export function wellFormedProblem(answer: Answer): Record<string, unknown> {
  const { status, headers, body } = answer
  ensure(
    /^application\/problem\+json(; charset=utf-8)?$/.test(headers['content-type'] ?? ''),
    answer,
    `a refusal has the content type ${headers['content-type']}`,
  )
  ensure(isObject(body), answer, 'a refusal is not a JSON object')
  const code = String(body['code'])
  ensure(code in catalogue, answer, `the code ${code} is not in the catalogue`)
  const entry = catalogue[code as ProblemCode]
  ensure(
    body['status'] === status && entry.status === status,
    answer,
    'the statuses of response, body and catalogue differ',
  )
  ensure(body['title'] === entry.title, answer, 'the title does not belong to the code')
  ensure(body['type'] === problemType(code as ProblemCode), answer, 'the type does not belong to the code')
  for (const name of ['detail', 'instance', 'traceId'])
    ensure(body[name] === undefined || typeof body[name] === 'string', answer, `${name} is not a string`)
  const { traceId } = body
  if (typeof traceId === 'string') ensure(/^[0-9a-f]{32}$/.test(traceId), answer, 'the traceId is not a trace id')
  if (body['errors'] !== undefined) wellFormedFaults(answer, body['errors'])
  const others = Object.keys(body).filter((name) => !problemMembers.includes(name))
  ensure(
    others.every((name) => /^[A-Za-z][\w-]*$/.test(name)),
    answer,
    'an extension member has an invalid name',
  )
  headersOfProblem(answer)
  const leak = leakIn(answer.text)
  ensure(leak === undefined, answer, `a leak: ${leak}`)
  return body
}

function wellFormedFaults(answer: Answer, faults: unknown): void {
  ensure(Array.isArray(faults) && faults.length > 0, answer, 'errors is not a list of faults')
  for (const fault of faults as unknown[]) {
    ensure(isObject(fault), answer, 'a fault is not an object')
    const isFault =
      typeof fault['pointer'] === 'string' && typeof fault['detail'] === 'string' && fault['detail'] !== ''
    ensure(isFault && Object.keys(fault).length === 2, answer, 'a fault must be a pointer and a detail')
    const pointer = /^(?:\/(?:[^/~]|~[01])*)*$/
    ensure(pointer.test(String(fault['pointer'])), answer, `${String(fault['pointer'])} is not a pointer`)
  }
}

function headersOfProblem(answer: Answer): void {
  const { status, headers } = answer
  const retryAfter = Number(headers['retry-after'] ?? 'none')
  if (status === 401) ensure(/^Bearer\b/.test(headers['www-authenticate'] ?? ''), answer, '401 without a challenge')
  if (status === 405) ensure((headers['allow'] ?? '') !== '', answer, '405 without Allow')
  if (status === 429 || status === 503)
    ensure(Number.isInteger(retryAfter) && retryAfter >= 1, answer, `${status} without Retry-After`)
  if (status === 429) {
    ensure(
      /^"[\w-]+";q=\d+;w=\d+$/.test(headers['ratelimit-policy'] ?? ''),
      answer,
      'RateLimit-Policy does not follow the draft',
    )
    ensure(/^"[\w-]+";r=0;t=\d+$/.test(headers['ratelimit'] ?? ''), answer, 'RateLimit does not follow the draft')
  }
}

const validators = new Map<string, Validator>()

/** Checks a success: status, JSON, the schema of the operations table without additional members, and the interface's fields. */
export function isSuccess(answer: Answer, id: OperationId, status: number): Record<string, unknown> {
  ensure(answer.status === status, answer, `expected ${status}`)
  return wellFormedSuccess(answer, id)
}

/** Checks an answer with any success status of the operation. */
export function wellFormedSuccess(answer: Answer, id: OperationId): Record<string, unknown> {
  const operation = operations[id]
  const schema = (operation.responses as Record<number, TSchema>)[answer.status]
  ensure(schema !== undefined, answer, `${id} has no success ${answer.status}`)
  ensure(
    /^application\/json(; charset=utf-8)?$/.test(answer.headers['content-type'] ?? ''),
    answer,
    `a success has the content type ${answer.headers['content-type']}`,
  )
  const key = `${id} ${answer.status}`
  const validator = validators.get(key) ?? Compile(strict(schema))
  validators.set(key, validator)
  const faults = validator.Errors(answer.body).map(({ instancePath, message }) => `${instancePath} ${message}`)
  ensure(faults.length === 0, answer, `the body violates its schema: ${faults.join('; ')}`)
  if (id in endpoints) {
    const [fault] = faultsOf(endpoints[id as keyof typeof endpoints].reply, answer.body, '')
    ensure(fault === undefined, answer, `the body violates the interface: ${fault}`)
  }
  if ('secret' in operation)
    ensure(/no-store/.test(answer.headers['cache-control'] ?? ''), answer, 'Cache-Control lacks no-store')
  return answer.body as Record<string, unknown>
}

/** Returns the schema with every object closed: an undeclared member is a fault. */
function strict<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(strict) as Schema
  if (!isObject(schema)) return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]))
  if (closed['type'] === 'object' && closed['additionalProperties'] === undefined)
    closed['additionalProperties'] = false
  return closed as Schema
}

/** Returns where a value violates a kind of the interface document, in words. */
export function faultsOf(kind: Kind, value: unknown, at: string): string[] {
  if (typeof kind === 'string') return forms[kind](value) ? [] : [`${at || 'the body'} is not a ${kind}`]
  if ('resource' in kind) return resourceFaults(resources[kind.resource], value, at)
  if (!Array.isArray(value)) return [`${at || 'the body'} is not an array`]
  return value.flatMap((item, index) => faultsOf(kind[0], item, `${at}/${index}`))
}

function resourceFaults(
  { fields, ours = {} }: { fields: Readonly<Record<string, Kind>>; ours?: Readonly<Record<string, Kind>> },
  value: unknown,
  at: string,
): string[] {
  if (!isObject(value)) return [`${at || 'the body'} is not an object`]
  const known = Object.entries({ ...fields, ...ours })
  const names = new Set(known.map(([name]) => name.replace('?', '')))
  const unknown = Object.keys(value).filter((name) => !names.has(name))
  return [
    ...unknown.map((name) => `${at}/${name} is not a field of the interface`),
    ...known.flatMap(([name, kind]) => {
      const member = value[name.replace('?', '')]
      if (member === undefined) return name.endsWith('?') ? [] : [`${at}/${name} is missing`]
      return faultsOf(kind, member, `${at}/${name.replace('?', '')}`)
    }),
  ]
}

const isText = (value: unknown): value is string => typeof value === 'string'
const forms: Record<Extract<Kind, string>, (value: unknown) => boolean> = {
  string: isText,
  integer: Number.isSafeInteger,
  number: (value) => typeof value === 'number',
  slug: (value) => isText(value) && /^[osl][a-zA-Z0-9]{3,}$/.test(value),
  uuid: (value) => isText(value) && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value),
  'date-time': (value) =>
    isText(value) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  uri: (value) => isText(value) && URL.canParse(value),
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
