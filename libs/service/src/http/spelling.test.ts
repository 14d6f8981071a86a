import { operations, type Operation, type OperationId } from '@frontdesk/contracts'
import { describe, expect, test } from 'vitest'
import { respelling } from './spelling.ts'
import { validationFaults, validatorCompiler } from './validation.ts'

/** Returns the parts of a request as its handler would get them, or the faults of the body or the query. */
function received(id: OperationId, { body, query = {} }: { body?: unknown; query?: object }) {
  const operation: Operation = operations[id]
  const request: { body: unknown; query: unknown } = { body: structuredClone(body), query: { ...query } }
  respelling(operation)(request)
  const parts = [
    ...(operation.body === undefined || body === undefined ? [] : [['body', operation.body, request.body] as const]),
    ...(operation.query === undefined ? [] : [['querystring', operation.query, request.query] as const]),
  ]
  const faults = parts.flatMap(([httpPart, schema, value]) => {
    const check = validatorCompiler({ schema, httpPart, method: operation.method, url: '/' }) as {
      (data: unknown): boolean
      errors?: Parameters<typeof validationFaults>[0]
    }
    return check(value) ? [] : validationFaults(check.errors ?? [], httpPart)
  })
  return faults.length > 0 ? { faults } : { body: request.body, query: request.query as Record<string, unknown> }
}

describe('null for an optional member', () => {
  test('is absent when something is created, in nested objects and lists too', () => {
    const address = { Locality: 'Hull', Region: null, Country: null }
    expect(received('createSite', { body: { Name: 'A', Address: address, PhoneNumber: null } }).body).toEqual({
      Name: 'A',
      Address: { Locality: 'Hull' },
    })
    const line = { Price: 1, ProductName: 'x', Quantity: null, TaxBehaviour: null }
    const payment = {
      PaymentProvider: 'Sandbox',
      Currency: 'GBP',
      LineItems: [line],
      SuccessUrl: null,
      FeeAmount: null,
    }
    expect(received('createPayment', { body: payment }).body).toEqual({
      PaymentProvider: 'Sandbox',
      Currency: 'GBP',
      LineItems: [{ Price: 1, ProductName: 'x' }],
    })
    const event = { specversion: '1.0', id: '1', source: 'urn:x', type: 'a.b', subject: null, data: null, extra: null }
    expect(received('publishEvents', { body: [event] }).body).toEqual([{ ...event, subject: undefined }])
  })

  test('still removes in a merge patch, and is refused where it cannot', () => {
    expect(received('changeSite', { body: { PhoneNumber: null, Address: { Region: null } } }).body).toEqual({
      PhoneNumber: null,
      Address: { Region: null },
    })
    expect(received('changeSite', { body: { Name: null } }).faults).toMatchObject([{ pointer: '/Name' }])
  })

  test('is refused for a required member', () => {
    expect(received('createSite', { body: { Name: null } }).faults).toMatchObject([{ pointer: '/Name' }])
    expect(received('subscribe', { body: { EventTypes: [null] } }).faults).toMatchObject([{ pointer: '/EventTypes/0' }])
  })
})

describe('codes and booleans', () => {
  test.each(['gb', 'GBR', 'gbr', '826', 'GB'])('the country %s is GB, in a body and in a query', (Country) => {
    expect(received('createSite', { body: { Name: 'A', Address: { Country } } }).body).toMatchObject({
      Address: { Country: 'GB' },
    })
    expect(received('changeSite', { body: { Address: { Country } } }).body).toEqual({ Address: { Country: 'GB' } })
    for (const Countries of [Country, [Country, 'fr']])
      expect(received('listSites', { query: { Countries } }).query?.['Countries']).toContain('GB')
  })

  test('the currency gbp is GBP', () => {
    const body = { PaymentProvider: 'Sandbox', Currency: 'gbp' }
    expect(received('createPayment', { body }).body).toMatchObject({ Currency: 'GBP' })
  })

  test('a code that is none is refused with an example', () => {
    expect(
      received('createSite', { body: { Name: 'A', Address: { Country: 'UK' }, Currency: 'pounds' } }).faults,
    ).toEqual([
      { pointer: '/Address/Country', detail: 'is not a country code of ISO 3166-1, such as DE, GB or US' },
      { pointer: '/Currency', detail: 'is not a currency code of ISO 4217, such as EUR, GBP or USD' },
    ])
  })

  test.each([
    ['True', true],
    ['TRUE', true],
    ['1', true],
    ['False', false],
    ['0', false],
  ])('isActive=%s is %s', (spelt, isActive) => {
    expect(received('listSites', { query: { isActive: spelt } }).query).toMatchObject({ isActive })
  })

  test('no other text is a boolean, and a fault of the query has a JSON pointer', () => {
    expect(received('listSites', { query: { isActive: 'yes' } }).faults).toMatchObject([{ pointer: '/query/isActive' }])
  })
})

test('source, dataschema and dataref of an event are URIs, as CloudEvents has them', () => {
  const event = { specversion: '1.0', id: '1', source: '/appointments', type: 'a.b' }
  const more = { dataschema: 'https://pms.example/schemas/1', dataref: '/files/1' }
  expect(received('publishEvents', { body: { ...event, ...more } }).body).toEqual({ ...event, ...more })
  for (const [name, value] of [
    ['source', 'no uri'],
    ['dataschema', '/relative'],
    ['dataref', 'no uri'],
  ] as const)
    expect(received('publishEvents', { body: { ...event, ...more, [name]: value } }).faults).toContainEqual({
      pointer: `/${name}`,
      detail: expect.stringContaining('uri'),
    })
})

test.each(['jörg@exämple.de', 'a.b+c@d.example', '用户@例子.广告'])('%s is an e-mail address', (EmailAddress) => {
  expect(received('createSite', { body: { Name: 'A', EmailAddress } }).body).toMatchObject({ EmailAddress })
})

test.each(['jörg', 'jörg@', '@exämple.de', 'j g@exämple.de', 'a@exämple', 'a@-ä.de', 'a..b@ä.de'])(
  '%s is no e-mail address',
  (EmailAddress) => {
    expect(received('createSite', { body: { Name: 'A', EmailAddress } }).faults).toMatchObject([
      { pointer: '/EmailAddress' },
    ])
  },
)
