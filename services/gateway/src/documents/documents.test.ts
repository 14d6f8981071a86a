import { operations, type Operation } from '@frontdesk/contracts'
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

test('the OpenAPI document has every operation, and resolves every reference in itself', () => {
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

test('the AsyncAPI document names no Private event', () => {
  const text = JSON.stringify(asyncApiDocument('https://api.example'))
  expect(text).toContain('payment.succeeded')
  expect(text).toContain('provider.event.received')
  expect(text).not.toContain('provider.call.finished')
})
