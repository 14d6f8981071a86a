import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventTypes } from '../src/stripe/event-types.ts'
import {
  json,
  openProviderServer,
  refusal,
  type ProviderServer,
  type Reply,
  type SeenRequest,
} from './provider-server.ts'

let server: ProviderServer
beforeAll(async () => void (server = await openProviderServer()))
afterAll(() => server?.[Symbol.asyncDispose]())

const list = (...data: object[]) => json(200, { object: 'list', has_more: false, data })
const platform = { id: 'acct_p', object: 'account', country: 'GB', charges_enabled: true, details_submitted: true }
const publicUrl = 'https://pay.example'
const endpoints = (['payments', 'accounts'] as const).map((receiver) => ({
  id: `we_${receiver}`,
  object: 'webhook_endpoint',
  url: `${publicUrl}/providers/sandbox/webhooks/${receiver}`,
  status: 'enabled',
  api_version: '2026-10-28.endive',
  enabled_events: eventTypes[receiver],
}))
/** As Stripe answers about a permission that a restricted key lacks. */
const lacking = refusal(403, {
  type: 'invalid_request_error',
  message: `The provided key 'rk_test_*1' does not have the required permissions for this endpoint on account 'acct_p'.`,
})
const unknownParameter = refusal(400, { type: 'invalid_request_error', code: 'parameter_unknown', message: 'Unknown.' })

/** Answers by the request: `GET /v1/account`. What is not named is a list, or refused as having an unknown parameter. */
const answers =
  (named: Record<string, Reply>) =>
  ({ method, path }: SeenRequest): Reply => {
    const usual: Record<string, Reply> = {
      'GET /v1/account': json(200, platform),
      'GET /v1/webhook_endpoints': list(...endpoints),
    }
    const request = `${method} ${path}`
    return named[request] ?? usual[request] ?? (method === 'GET' ? list() : unknownParameter)
  }

async function check(named: Record<string, Reply> = {}, accounts = ['acct_1']) {
  await using provider = server.open({ secretKey: 'rk_test_1', webhookSecrets: ['whsec_1'] })
  server.requests.length = 0
  server.answers(answers(named))
  const findings = await provider.checkSetup({ publicUrl, accounts })
  return findings.map(({ level, about, text }) => `${level} ${about}: ${text}`)
}

test('a complete setup has no faults and no warnings', async () => {
  const lines = await check()
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
  expect(lines.at(-1)).toBe('ok permissions: the key has all 9 that are needed')
})

test('the check only reads, and sends no write that Stripe could accept', async () => {
  await check()
  const writes = server.requests.filter(({ method }) => method !== 'GET')
  expect(writes.length).toBeGreaterThan(0)
  for (const { params } of writes) expect([...params.keys()]).toEqual(['only_asks_about_permissions'])
})

test('a permission that the key lacks is a fault with its name and purpose', async () => {
  const lines = await check({ 'POST /v1/refunds': lacking })
  expect(lines.filter((line) => line.startsWith('fault'))).toEqual([
    expect.stringMatching(/^fault permissions: the key lacks "Charges and Refunds" \(Write, for connected accounts\)/),
  ])
})

test('permissions for connected accounts are asked about on one of them, and not without one', async () => {
  await check()
  const about = (path: string) => server.requests.find((request) => request.path === path)?.headers['stripe-account']
  expect(about('/v1/refunds')).toBe('acct_1')
  expect(about('/v1/account_links')).toBeUndefined()
  const lines = await check({}, [])
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
    expect.stringMatching(/^warning permissions: no account/),
  ])
  expect(about('/v1/refunds')).toBeUndefined()
})

test('an account that has disconnected is no lack of a permission', async () => {
  const gone = refusal(403, { type: 'invalid_request_error', code: 'account_invalid', message: 'No access to acct_1.' })
  const lines = await check({ 'POST /v1/refunds': gone })
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
    expect.stringMatching(/^warning permissions: acct_1 cannot be reached/),
  ])
})

test('a key that Stripe refuses is a fault, and nothing else is asked', async () => {
  const lines = await check({
    'GET /v1/account': refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key.' }),
  })
  expect(lines.at(-1)).toBe('fault account: cannot be checked: Invalid API Key.')
  expect(server.requests).toHaveLength(1)
})

test('a restricted key that may not read the platform or the endpoints is a warning, and the rest is checked', async () => {
  const lines = await check({ 'GET /v1/account': lacking, 'GET /v1/webhook_endpoints': lacking })
  expect(lines.filter((line) => line.startsWith('warning'))).toHaveLength(3)
  expect(lines.filter((line) => line.startsWith('fault'))).toEqual([])
})
