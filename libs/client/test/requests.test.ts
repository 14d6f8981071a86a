import { FrontdeskProblem, NotFoundProblem } from '../src/index.ts'
import * as problems from '../src/index.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json, openGatewayDouble, problem, type GatewayDouble } from './gateway-double.ts'

let gateway: GatewayDouble
beforeAll(async () => void (gateway = await openGatewayDouble()))
afterAll(() => gateway[Symbol.asyncDispose]())
const last = () => gateway.calls().at(-1)

describe('a request', () => {
  test('has its parameters encoded in the path, and repeats the names of lists in the query', async () => {
    gateway.answers(json(200, {}))
    await gateway
      .client({ baseUrl: `${gateway.url}/` })
      .sites.getIdentity({ SiteIdentifier: 'a/b?c', practiceManagementSoftware: 'Dentally' })
    expect(last()).toMatchObject({
      method: 'GET',
      path: '/api/v1/management/sites/a%2Fb%3Fc/identity',
      headers: { 'x-practice-management-software': 'Dentally', accept: 'application/json' },
    })
    await gateway.client().sites.list({ query: { pageSize: 2, Sites: ['sAbc123', 'sDef456'], isActive: true } })
    expect(last()?.path).toBe('/api/v1/sites?pageSize=2&Sites=sAbc123&Sites=sDef456&isActive=true')
  })

  test('with an empty path parameter is not sent, because its path would mean something else', async () => {
    const before = gateway.calls().length
    await expect(gateway.client().sites.delete({ SiteIdentifier: '' })).rejects.toThrow('SiteIdentifier is required')
    expect(gateway.calls()).toHaveLength(before)
  })

  test('has the content type of its operation', async () => {
    gateway.answers(json(202, { Accepted: 1 }))
    const event = { specversion: '1.0' as const, id: '1', source: 'https://pms.example/', type: 'com.example.x' }
    const client = gateway.client()
    await client.events.publish({ SiteSlug: 'sAbc123', body: event })
    expect(last()?.headers['content-type']).toBe('application/cloudevents+json')
    await client.events.publish({ SiteSlug: 'sAbc123', body: [event] })
    expect(last()?.headers['content-type']).toBe('application/cloudevents-batch+json')
    await client.sites.change({ SiteIdentifier: 'sAbc123', body: { Name: 'New' } })
    expect(last()).toMatchObject({ method: 'PATCH', headers: { 'content-type': 'application/json' } })
    await client.payments.cancel({ SiteSlug: 'sAbc123', PaymentIdentifier: crypto.randomUUID() })
    expect(last()?.headers).not.toHaveProperty('content-type')
    expect(last()?.body).toBe('')
  })
})

describe('a list', () => {
  const page = (names: string[], NextPageToken?: string) =>
    json(200, { Items: names.map((Name) => ({ Name })), NextPageToken })

  test('walks all pages with the same filters', async () => {
    gateway.answers(page(['a', 'b'], 't1'), page([], 't2'), page(['c']))
    const before = gateway.calls().length
    const names: string[] = []
    const client = gateway.client()
    for await (const site of client.sites.list({ query: { isActive: true } })) names.push(site.Name)
    expect(names).toEqual(['a', 'b', 'c'])
    expect(
      gateway
        .calls()
        .slice(before)
        .map(({ path }) => path),
    ).toEqual([
      '/api/v1/sites?isActive=true',
      '/api/v1/sites?isActive=true&nextPageToken=t1',
      '/api/v1/sites?isActive=true&nextPageToken=t2',
    ])
  })

  test('is its first page if you await it', async () => {
    gateway.answers(page(['a', 'b'], 't1'))
    const before = gateway.calls().length
    const { Items, NextPageToken } = await gateway.client().sites.list()
    expect([Items.map(({ Name }) => Name), NextPageToken]).toEqual([['a', 'b'], 't1'])
    expect(gateway.calls()).toHaveLength(before + 1)
  })

  test('throws the refusal of a later page to whoever iterates', async () => {
    gateway.answers(page(['a'], 't1'), problem(403, 'forbidden'))
    const names: string[] = []
    const walk = async () => {
      for await (const site of gateway.client().sites.list()) names.push(site.Name)
    }
    await expect(walk()).rejects.toMatchObject({ status: 403 })
    expect(names).toEqual(['a'])
  })

  test('requests no further page after a break', async () => {
    gateway.answers(page(['a', 'b'], 't1'))
    const before = gateway.calls().length
    const client = gateway.client()
    for await (const site of client.sites.list()) {
      expect(site.Name).toBe('a')
      break
    }
    expect(gateway.calls()).toHaveLength(before + 1)
  })
})

describe('a refusal', () => {
  test.for([
    [400, 'MalformedRequestProblem'],
    [401, 'UnauthorizedProblem'],
    [403, 'ForbiddenProblem'],
    [404, 'NotFoundProblem'],
    [422, 'UnprocessableProblem'],
    [429, 'TooManyRequestsProblem'],
    [409, 'UserErrorProblem'],
    [500, 'ServerErrorProblem'],
  ] as const)('of %i is a %s', async ([status, name]) => {
    gateway.answers(problem(status, 'some_code'))
    const refusal = await gateway
      .client({ attempts: 1 })
      .sites.list()
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(problems[name])
    expect(refusal).toBeInstanceOf(FrontdeskProblem)
  })

  test('names the faulty members in its message', async () => {
    const errors = [{ pointer: '/LineItems/0/Price', detail: 'must be >= 0' }]
    gateway.answers(
      json(400, { type: 'x', title: 'The request is malformed', status: 400, code: 'malformed_request', errors }),
    )
    const body = { PaymentProvider: 'Sandbox' as const, Currency: 'GBP', LineItems: [] }
    await expect(gateway.client().payments.create({ SiteSlug: 'sAbc123', body })).rejects.toMatchObject({
      message: '400 malformed_request: The request is malformed (/LineItems/0/Price must be >= 0)',
      problem: { errors },
    })
  })

  test('by a server other than Frontdesk has a status and no problem', async () => {
    gateway.answers({ status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>No such host</h1>' })
    const refusal = await gateway
      .client()
      .sites.list()
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(NotFoundProblem)
    expect(refusal).toMatchObject({ code: 'unknown', problem: undefined, message: 'HTTP 404' })
  })
})
