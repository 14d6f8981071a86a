import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { operations, scopes, type Operation, type OperationId } from '@frontdesk/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyJson, queryText } from './arbitraries.ts'
import { operationIds } from './cells.ts'
import { whyNotThroughPrism } from './prism-carries.ts'
import { openPrismExchanges, type PrismExchanges } from './prism.ts'
import { isClosed, specimenOf } from './specimens.ts'
import { openTestedSystem, type Call } from './tested-system.ts'

const site = 's7Kd92LmQx4A'

test.for(operationIds)('Prism accepts the example of %s', async (id) => {
  const { violations, operations: seen } = await reportOf(id, {}, exampleOf)
  expect(violations).toEqual([])
  expect(seen).toBe(1)
})

// Prism silently ignores a schema that it cannot compile, so each schema must be seen to refuse something.
test.for(operationIds)(
  'Prism reports an answer of %s that violates its schema, has another type or is not documented',
  async (id) => {
    const wrong = await reportOf(id, {}, () => ({ status: statusOf(id), body: { Unexpected: [1] } }))
    expect(wrong.violations.map(({ at }) => at)).toContain('response.body')
    const untyped = await reportOf(id, {}, () => ({ ...exampleOf(id), type: 'text/html' }))
    expect(untyped.violations).not.toEqual([])
    const unknown = await reportOf(id, {}, () => ({ ...exampleOf(id), status: 299 }))
    expect(unknown.violations).not.toEqual([])
    const bare = await reportOf(id, {}, () => ({
      status: 404,
      body: { error: 'no' },
      type: 'application/problem+json',
    }))
    expect(bare.violations).not.toEqual([])
  },
)

test.for(operationIds.filter(isClosed))('Prism reports an unknown member that %s lets through', async (id) => {
  const call = { body: { ...(specimenOf(id, site).body as object), Unexpected: 1 } }
  const through = await reportOf(id, call, exampleOf)
  expect(through.violations.map(({ message }) => message)).toEqual([expect.stringContaining('Unexpected')])
  const refused = await reportOf(id, call, () => refusal)
  expect(refused).toMatchObject({ violations: [], refused: 1 })
})

test('Prism reports a request without a credential and malformed parameters that are let through', async () => {
  const stranger = await reportOf('listSites', { as: 'nobody' }, exampleOf)
  expect(stranger.violations.map(({ message }) => message)).toEqual(['Invalid security scheme used'])
  const odd = await reportOf('listSites', { query: { pageSize: 251 } }, exampleOf)
  expect(odd.violations.map(({ at }) => at)).toEqual(['request.query.pagesize'])
  const header = await reportOf('listSites', { headers: { 'x-practice-management-software': 'a b' } }, exampleOf)
  expect(header.violations.map(({ at }) => at)).toEqual(['request.header.x-practice-management-software'])
})

test('Requests arrive through prism as they were sent', { timeout: 60_000 }, async () => {
  const arrived: { request: IncomingMessage; body: string }[] = []
  await using gateway = await openFakeGateway((request, body) => {
    arrived.push({ request, body })
    return refusal
  })
  await using prism = await openPrismExchanges(gateway.url)
  const texts = fc.string({ unit: 'binary' })
  const queries = fc.dictionary(texts, texts, { maxKeys: 3 }).map(queryText)
  const types = fc.constantFrom('application/json', 'Application/JSON; charset=utf-8', 'text/plain', 'x', '')
  const value = fc.stringMatching(/^[\x21-\x7e][\x20-\x7e\x80-\xff]{0,40}[\x21-\x7e]$/)
  let carried = 0
  await fc.assert(
    fc.asyncProperty(queries, anyJson, types, value, async (query, body, type, key) => {
      const headers = { 'content-type': type, authorization: 'Bearer x', 'idempotency-key': key }
      const question = { method: 'POST', path: `/api/v1/management/sites?${query}`, headers, body }
      if (whyNotThroughPrism(question) !== undefined) return
      carried++
      await prism.ask(question)
      const last = arrived.at(-1)
      expect([last?.request.method, last?.request.url, last?.body]).toEqual(['POST', question.path, body])
      expect(last?.request.headers).toMatchObject({ ...headers, 'idempotency-key': key })
    }),
    { numRuns: 1_000 },
  )
  expect(carried).toBeGreaterThan(20)
})

interface Reply {
  status: number
  body: unknown
  type?: string
}

/** Sends a request of an operation through prism to a fake gateway with a fixed reply. Returns prism's report. */
async function reportOf(id: OperationId, call: Call, reply: (id: OperationId) => Reply) {
  await using gateway = await openFakeGateway(() => reply(id))
  const exchanges: PrismExchanges = await openPrismExchanges(gateway.url)
  await using system = openTestedSystem({ baseUrl: gateway.url, credentials: { clients: [client] }, exchanges })
  await system.call(id, { ...specimenOf(id, site), as: { token: 'x' }, ...call })
  return exchanges.report()
}

const client = { id: 'demo', secret: 'none', scopes, practiceManagementSoftware: ['Dentally'] }

const refusal: Reply = {
  status: 400,
  type: 'application/problem+json',
  body: { type: '/docs/errors#malformed_request', title: 'x', status: 400, code: 'malformed_request' },
}

interface Document {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: Record<string, { example: unknown }> }> }>
  >
}
const printed = join(import.meta.dirname, '../../docs/contracts/openapi.json')
const document = JSON.parse(await readFile(printed, 'utf8')) as Document

const statusOf = (id: OperationId) => Number(Object.keys((operations[id] as Operation).responses)[0])

/** Returns the document's example of an operation as a reply. */
function exampleOf(id: OperationId): Reply {
  const { path, method } = operations[id]
  const status = statusOf(id)
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
  return { status, body: response?.content['application/json']?.example }
}

/** Opens a fake gateway that serves the document and answers everything else with `answer`. */
async function openFakeGateway(answer: (request: IncomingMessage, body: string) => Reply) {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const {
        status,
        body: value,
        type = 'application/json',
      } = request.url === '/openapi.json' ? { status: 200, body: document } : answer(request, body)
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(value))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
