import type { AuditEntry } from '@frontdesk/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openGateway, site, type Gateway } from './gateway-fixture.ts'

let gateway: Gateway
let token: string
let lines: Record<string, unknown>[] = []
beforeAll(async () => {
  gateway = await openGateway({
    env: { TRUSTED_PROXIES: '127.0.0.1' },
    onLine: (line) => void lines.push(line),
  })
  gateway.upstreams.registry.sites.set(site.slug, site)
  token = await gateway.token('demo')
})
afterAll(() => gateway[Symbol.asyncDispose]())
beforeEach(() => void (lines = []))

const headers = { 'x-forwarded-for': '192.0.2.7', 'x-request-id': 'mine-1', 'x-client-address': '10.0.0.1' }
const address = '192.0.2.7'
const payments = `/api/v1/sites/${site.slug}/payments`
const auditLines = () => lines.filter(({ audit }) => audit === true)

test('services learn the address of the client from the gateway, whatever the client says', async () => {
  await gateway.call(payments, { token, headers })
  await gateway.call('/onboarding/some-token', { headers })
  await gateway.call('/providers/sandbox/webhooks/payments', { method: 'POST', body: '{}', headers })
  const { payments: forPayments, accounts } = gateway.upstreams
  const arrived = [...forPayments.requests, ...accounts.requests]
  expect(arrived.map((request) => request.headers['x-client-address'])).toEqual([address, address, address])
})

test('the log line of a request names client, site, operation and address', async () => {
  await gateway.call(payments, { token, headers })
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'request',
      client: 'client:demo',
      site: site.slug,
      operation: 'listPayments',
      address,
    }),
  )
})

test('each credential, scope and site that is refused here leaves an audit line, and so does each login', async () => {
  await gateway.call(payments, { headers, token: 'a.b.c' })
  await gateway.call(payments, { headers, siteKey: 'x'.repeat(43) })
  await gateway.call(payments, { headers, token: await gateway.token('demo', 'sites:read') })
  await gateway.call(payments, { headers, token: await gateway.token('optical') })
  const form = 'grant_type=client_credentials&client_id=demo&client_secret=wrong'
  const ofForm = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  await gateway.call('/oauth2/token', { method: 'POST', headers: ofForm, body: form })
  const refused = auditLines().filter(({ outcome }) => outcome === 'Refused')
  const facts = {
    operation: 'listPayments',
    site: site.slug,
    address,
    requestId: 'mine-1',
    traceId: expect.any(String),
  }
  expect(refused).toMatchObject([
    { ...facts, code: 'unauthorized' },
    { ...facts, code: 'unauthorized' },
    { ...facts, code: 'scope_missing', client: 'client:demo' },
    { ...facts, code: 'site_not_found', client: 'client:optical' },
    { operation: 'issueToken', client: 'client:demo', address, requestId: 'mine-1' },
  ])
  const issued = auditLines().filter(({ outcome }) => outcome === 'Succeeded')
  expect(issued.map(({ client }) => client)).toEqual(['client:demo', 'client:optical'])
  expect(JSON.stringify(lines)).not.toMatch(/wrong|a\.b\.c|x{43}/)
})

/** Has every service answer with this part of the audit trail, of which it knows `count` entries. */
function serveParts(count: number): void {
  for (const [service, upstream] of Object.entries(gateway.upstreams)) {
    upstream.answer(({ url }) => {
      const query = new URL(url, gateway.url).searchParams
      const before = [query.get('BeforeTime') ?? '~', query.get('BeforeId') ?? '~'].join(' ')
      return Array.from({ length: count }, (_, index) => entryOf(service, count - index))
        .filter(({ RecordedAt, EntryId }) => `${RecordedAt} ${EntryId}` < before)
        .slice(0, Number(query.get('limit')))
    })
  }
}

const order = ['registry', 'accounts', 'payments', 'webhook-delivery']
const entryOf = (service: string, second: number): AuditEntry => ({
  EntryId: `00000000-0000-7000-8000-0000000000${order.indexOf(service)}${second}`,
  RecordedAt: `2026-11-22T12:00:0${second}.000Z`,
  Service: service,
  Operation: 'createPayment',
  Outcome: 'Succeeded',
  Principal: 'client:demo',
  Targets: [],
})

test('the parts of the services become one list, newest first, and no page loses or repeats an entry', async () => {
  serveParts(3)
  const path = `/api/v1/sites/${site.slug}/audit`
  const whole: AuditEntry[] = (await gateway.call(path, { token })).json.Items
  expect(whole.map(({ RecordedAt }) => RecordedAt.at(18)).join('')).toBe('333322221111')
  for (const pageSize of [1, 2, 5, 12]) {
    const walked: AuditEntry[] = []
    let next = ''
    do {
      const { json } = await gateway.call(`${path}?pageSize=${pageSize}${next}`, { token })
      walked.push(...json.Items)
      next = json.NextPageToken === undefined ? '' : `&nextPageToken=${json.NextPageToken}`
    } while (next !== '')
    expect(walked).toEqual(whole)
  }
})

test('if one service does not answer, the answer is 503 and no list with a hole', async () => {
  serveParts(1)
  await gateway.upstreams.payments.stop()
  const { status } = await gateway.call(`/api/v1/sites/${site.slug}/audit`, { token })
  expect(status).toBe(503)
  await gateway.upstreams.payments.start()
})
