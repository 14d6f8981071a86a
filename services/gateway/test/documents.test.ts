import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Parser } from '@asyncapi/parser'
import { dataSchemaUrl, events, Visibility, type EventType } from '@frontdesk/contracts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientFolder, contractsFolder, printedClientSources, printedContracts } from '../print-contracts.ts'
import { openGateway, type Gateway } from './gateway-fixture.ts'

let gateway: Gateway
beforeAll(async () => void (gateway = await openGateway()))
afterAll(() => gateway[Symbol.asyncDispose]())

const typesOf = (isPrivate: boolean) =>
  (Object.keys(events) as EventType[]).filter((type) => (events[type].visibility === Visibility.Private) === isPrivate)

describe('the contracts', () => {
  test.for(['openapi.json', 'asyncapi.json', 'openapi.ts'])(
    'docs/contracts/%s is what `npm run print-contracts` prints',
    async (file) => {
      const committed = await readFile(join(contractsFolder, file), 'utf8')
      expect((await printedContracts())[file]).toBe(committed)
    },
  )

  test.for(['schemas.ts', 'methods.ts', 'routes.ts', 'events.ts', 'problem-codes.ts'])(
    'libs/client/src/generated/%s is what `npm run print-contracts` prints',
    async (file) => {
      const committed = await readFile(join(clientFolder, file), 'utf8')
      expect((await printedClientSources())[file]).toBe(committed)
    },
  )

  test('are served as they are printed, but with the gateway’s own address', async () => {
    for (const file of ['openapi.json', 'asyncapi.json']) {
      const committed = await readFile(join(contractsFolder, file), 'utf8')
      const served = await gateway.call(`/${file}`)
      expect(served.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(served.json).toEqual(JSON.parse(committed.replaceAll('https://frontdesk.example', gateway.publicUrl)))
    }
  })

  test('the AsyncAPI parser reports nothing for /asyncapi.json', async () => {
    const diagnostics = await new Parser().validate((await gateway.call('/asyncapi.json')).text)
    expect(diagnostics.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`)).toEqual([])
  })
})

describe('the schemas of events', () => {
  test.for(typesOf(false))('%s has a valid JSON Schema of 2020-12 at its address', async (type) => {
    const url = dataSchemaUrl(gateway.publicUrl, type)
    const { status, headers, json } = await gateway.call(url.replace(gateway.publicUrl, ''))
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/schema+json; charset=utf-8')
    expect(json).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: url, title: type })
    const ajv = addFormats.default(new Ajv2020({ strict: true, allErrors: true }))
    expect(ajv.validateSchema(json), ajv.errorsText()).toBe(true)
    const check = ajv.compile(json)
    expect(check({})).toBe(false)
  })

  test('Private events and other versions have no schema', async () => {
    for (const type of typesOf(true)) expect((await gateway.call(`/schemas/${type}/v1.json`)).status).toBe(404)
    for (const path of ['payment.succeeded/v2.json', 'payment.succeeded/v1', 'toString/v1.json']) {
      expect(await gateway.call(`/schemas/${path}`)).toMatchObject({ status: 404, json: { code: 'route_not_found' } })
    }
  })
})
