import { ServerErrorProblem, UnauthorizedProblem } from '../src/index.ts'
import { expect, test } from 'vitest'
import { json, openGatewayDouble, problem } from './gateway-double.ts'

const site = { body: { Name: 'Harbour Street Dental' } }
const list = json(200, { Items: [] })

test('one login serves many calls, also simultaneous ones', async () => {
  await using gateway = await openGatewayDouble()
  gateway.answers(list)
  const client = gateway.client({ credentials: { clientId: 'a b', clientSecret: 's:€', scopes: ['sites:read'] } })
  await Promise.all(Array.from({ length: 10 }, () => client.sites.list()))
  await client.sites.list()
  const [login, ...more] = gateway.logins()
  expect(more).toEqual([])
  // RFC 6749 section 2.3.1: both parts are form-encoded before they are joined.
  expect(login?.headers.authorization).toBe(`Basic ${btoa('a%20b:s%3A%E2%82%AC')}`)
  expect(Object.fromEntries(new URLSearchParams(login?.body))).toEqual({
    grant_type: 'client_credentials',
    scope: 'sites:read',
  })
  expect(new Set(gateway.calls().map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer token-1']))
})

test('a token is replaced 30 seconds before it expires', async () => {
  await using gateway = await openGatewayDouble()
  gateway.answersLogins(
    json(200, { access_token: 'short', expires_in: 30 }),
    json(200, { access_token: 'long', expires_in: 900 }),
  )
  gateway.answers(list)
  const client = gateway.client()
  for (let count = 0; count < 3; count += 1) await client.sites.list()
  const used = gateway.calls().map(({ headers }) => headers.authorization)
  expect(used).toEqual(['Bearer short', 'Bearer long', 'Bearer long'])
})

test('a refused token is replaced by one login for all calls, which repeat under the same Idempotency-Key', async () => {
  await using gateway = await openGatewayDouble()
  gateway.answers(({ headers }) =>
    headers.authorization === 'Bearer token-1' ? problem(401, 'unauthorized') : json(201, {}),
  )
  const client = gateway.client({ attempts: 1 })
  await Promise.all(Array.from({ length: 5 }, () => client.sites.create(site)))
  expect(gateway.logins()).toHaveLength(2)
  const keys = gateway.calls().map(({ headers }) => headers['idempotency-key'])
  expect(keys).toHaveLength(10)
  expect(new Set(keys).size).toBe(5)
})

test('a call that is refused with a new token too throws UnauthorizedProblem', async () => {
  await using gateway = await openGatewayDouble()
  gateway.answers(problem(401, 'unauthorized'))
  await expect(gateway.client().sites.list()).rejects.toThrow(UnauthorizedProblem)
  expect(gateway.calls()).toHaveLength(2)
  expect(gateway.logins()).toHaveLength(2)
})

test('wrong credentials throw the error of the token endpoint, without a retry', async () => {
  await using gateway = await openGatewayDouble()
  gateway.answersLogins(json(401, { error: 'invalid_client', error_description: 'They are not valid.' }))
  const refusal = await gateway
    .client()
    .sites.list()
    .catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UnauthorizedProblem)
  expect(refusal).toMatchObject({ code: 'invalid_client', message: '401 invalid_client: They are not valid.' })
  expect(gateway.logins()).toHaveLength(1)
  expect(gateway.calls()).toEqual([])
})

test('an overloaded token endpoint is retried', async () => {
  await using gateway = await openGatewayDouble()
  gateway.answersLogins(
    problem(503, 'overloaded', { 'retry-after': '0' }),
    'drop',
    json(200, { access_token: 'late', expires_in: 900 }),
  )
  gateway.answers(list)
  await gateway.client().sites.list()
  expect(gateway.calls()[0]?.headers.authorization).toBe('Bearer late')
  gateway.answersLogins(problem(503, 'overloaded', { 'retry-after': '0' }))
  await expect(gateway.client().sites.list()).rejects.toThrow(ServerErrorProblem)
})

test('a site key is sent with each call instead of a token', async () => {
  await using gateway = await openGatewayDouble()
  gateway.answers(problem(401, 'unauthorized'))
  const client = gateway.client({ credentials: { siteKey: 'fsk_1' } })
  await expect(client.payments.list({ SiteSlug: 'sAbc123' })).rejects.toThrow(UnauthorizedProblem)
  expect(gateway.logins()).toEqual([])
  const [call, ...more] = gateway.calls()
  expect(more).toEqual([])
  expect(call?.headers).toMatchObject({ 'x-site-api-key': 'fsk_1' })
  expect(call?.headers).not.toHaveProperty('authorization')
})
