import { dataSchemaUrl, events, operations, type EventType, type Operation } from '@frontdesk/contracts'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { asyncApiDocument } from './asyncapi.ts'
import { examples } from './examples.ts'
import { openApiDocument } from './openapi.ts'

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
