import { operations, type Operation, type OperationId } from '@frontdesk/contracts'
import { ensure, isObject } from './check.ts'
import type { Answer, Question } from './exchange.ts'

interface Response {
  $ref?: string
  'x-problem-codes'?: string[]
}

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { responses: Record<string, Response> }
}

/** Problems of addresses that turned out not to be the operation: an empty or hostile parameter leads elsewhere. */
const ofOtherAddresses = ['route_not_found', 'method_not_allowed']

/** Returns a check that the gateway's document names the code of a refusal for the operation that was refused. */
export function createDocumentedProblems(ask: (question: Question) => Promise<Answer>) {
  let document: Promise<OpenApi> | undefined

  async function codesOf(id: OperationId, status: number): Promise<string[]> {
    document ??= ask({ method: 'GET', path: '/openapi.json' }).then(({ body }) => body as OpenApi)
    const { paths, components } = await document
    const { path, method }: Operation = operations[id]
    const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {}
    const response = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`]
    const named = response?.$ref === undefined ? response : components.responses[response.$ref.split('/').at(-1) ?? '']
    return named?.['x-problem-codes'] ?? []
  }

  return async function check(answer: Answer, id: OperationId): Promise<void> {
    if (answer.status < 400 || !isObject(answer.body)) return
    const { code } = answer.body
    // Whether a refusal has a code at all is the business of other checks.
    if (typeof code !== 'string' || ofOtherAddresses.includes(code)) return
    const codes = await codesOf(id, answer.status)
    ensure(codes.includes(code), answer, `the document does not name ${code} for ${id}: ${codes.join(', ')}`)
  }
}
