import { dataSchemaUrl, events, operations, type EventType, type Operation } from '@frontdesk/contracts'
import { catalogue, type ProblemCode } from '@frontdesk/problems'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { asyncApiDocument } from './asyncapi.ts'
import { faultsOf } from './document-rules.ts'
import { examples } from './examples.ts'
import { openApiDocument } from './openapi.ts'
import { problemsOf } from './problems-of-operation.ts'

test.for(Object.entries(operations) as [keyof typeof examples, Operation][])(
  'the examples of %s match its schemas',
  ([id, operation]) => {
    const { body, response } = examples[id]
    const [schema] = Object.values(operation.responses)
    expect(body === undefined).toBe(operation.body === undefined)
    if (operation.body !== undefined) expect(Compile(operation.body).Errors(body)).toEqual([])
    expect(Compile(schema!).Errors(JSON.parse(JSON.stringify(response)))).toEqual([])
  },
)

test('the OpenAPI document has every operation, and all its references resolve', () => {
  const document = openApiDocument('https://api.example')
  const text = JSON.stringify(document)
  for (const id of Object.keys(operations)) expect(text).toContain(`"operationId":"${id}"`)
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = pointer
      .split('/')
      .reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], document)
    expect(found, pointer).toBeDefined()
  }
})

test('each operation, parameter and member is described, and each integer and enumeration has its form', () => {
  expect(faultsOf(openApiDocument('https://api.example'))).toEqual([])
  expect(faultsOf(asyncApiDocument('https://api.example'))).toEqual([])
})

test.each([
  [{ type: 'object', properties: { a: { type: 'string' } } }, 'properties/a has no description'],
  [{ type: 'integer' }, 'is an integer without a format'],
  [{ enum: ['a'] }, 'has values without a type'],
  [{ type: 'integer', format: 'int64', maximum: 2 ** 63 }, 'has a bound that is not exact'],
  [{ operationId: 'a', summary: 'b' }, 'is an operation without a description'],
  [{ in: 'query', name: 'a', schema: {} }, 'is a parameter without a description'],
])('a document with %j is refused', (part, fault) => {
  expect(faultsOf({ part })).toEqual([expect.stringContaining(fault)])
})

test('an enumeration is closed where we take it and open where we tell it', () => {
  const { schemas } = (openApiDocument('https://api.example') as { components: { schemas: Record<string, object> } })
    .components
  expect(schemas['PaymentProvider']).toMatchObject({ type: 'string', enum: ['Stripe', 'Sandbox'] })
  expect(schemas['AnyPaymentProvider']).toMatchObject({ 'x-extensible-enum': ['Stripe', 'Sandbox'] })
  expect(schemas['AnyPaymentProvider']).not.toHaveProperty('enum')
  expect(schemas['PaymentRecord']).toMatchObject({
    properties: { Status: { $ref: '#/components/schemas/AnyPaymentStatus' } },
  })
})

test('a list of countries or currencies stands in one component', () => {
  const text = JSON.stringify(openApiDocument('https://api.example'))
  expect(text.match(/"AD","AE"/g)).toHaveLength(1)
  expect(text.match(/"AED","AFN"/g)).toHaveLength(1)
})

test('an operation lists the problems that it can answer, and no others', () => {
  const codes = problemsOf(operations.listSites)
  expect(codes).toContain('page_token_invalid')
  expect(codes).not.toContain('payment_not_found')
  expect(codes).not.toContain('idempotency_key_reused')
  expect(problemsOf(operations.createPayment)).toEqual(
    expect.arrayContaining(['line_items_required', 'idempotency_key_reused', 'malformed_json', 'site_not_found']),
  )
})

test('the operations table names codes of the catalogue only', () => {
  for (const { refusals } of Object.values<Operation>(operations))
    expect(Object.keys(catalogue)).toEqual(expect.arrayContaining([...refusals]))
})

test('every code is the answer of an operation, or is known not to be', () => {
  const answered = new Set(Object.values<Operation>(operations).flatMap(problemsOf))
  const others = (Object.keys(catalogue) as ProblemCode[]).filter((code) => !answered.has(code))
  expect(others).toEqual([
    // Of webhooks of providers, calls between services, addresses that are no operation, and visits of onboarding links.
    'provider_signature_invalid',
    'forbidden',
    'route_not_found',
    'onboarding_link_invalid',
    'method_not_allowed',
  ])
})

test('every address has the version right after /api, and every event its own', () => {
  for (const { path } of Object.values<Operation>(operations)) expect(path).toMatch(/^\/api\/v1\//)
  for (const type of Object.keys(events) as EventType[]) {
    expect(dataSchemaUrl('https://api.example', type)).toBe(
      `https://api.example/schemas/${type}/v${events[type].version}.json`,
    )
  }
  const { channels } = asyncApiDocument('https://api.example') as { channels: Record<string, { address: string }> }
  const subjects = Object.values(channels).flatMap(({ address }) => (address === '/' ? [] : [address]))
  for (const subject of subjects) expect(subject).toMatch(/\.v1\.\{siteSlug\}$/)
})

test('the AsyncAPI document does not name Private events', () => {
  const text = JSON.stringify(asyncApiDocument('https://api.example'))
  expect(text).toContain('payment.succeeded')
  expect(text).toContain('provider.event.received')
  expect(text).not.toContain('provider.call.finished')
})
