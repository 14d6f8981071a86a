import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGateway, sha256, site, type Gateway, type Reply } from './gateway-fixture.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
  gateway.upstreams.registry.sites.set(site.slug, site)
})
afterAll(() => gateway[Symbol.asyncDispose]())

const payments = `/api/v1/sites/${site.slug}/payments`

test('a client has its own limit, and the headers show the rest and when to come back', async () => {
  const token = await gateway.token('limited')
  for (const left of [4, 3, 2, 1, 0]) {
    const { status, headers } = await gateway.call(payments, { token })
    expect(status).toBe(200)
    expect(headers['ratelimit-policy']).toBe('"default";q=5;w=60')
    expect(headers['ratelimit']).toBe(`"default";r=${left};t=${(5 - left) * 12}`)
  }
  const refused = await gateway.call(payments, { token: await gateway.token('limited') })
  expect(refused).toMatchObject({
    status: 429,
    json: {
      code: 'rate_limited',
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      'violated-policies': ['default'],
    },
    headers: { 'retry-after': '12', ratelimit: '"default";r=0;t=12', 'ratelimit-policy': '"default";q=5;w=60' },
  })
})

test('the limit is checked after authentication and before everything else', async () => {
  const token = await gateway.token('limited')
  expect((await gateway.call('/api/v1/nowhere', { token })).status).toBe(429)
  expect((await gateway.call(payments, { method: 'PUT', token })).status).toBe(429)
  expect((await gateway.call('/api/v1/nowhere', { token: 'nonsense' })).status).toBe(401)
})

/** Sends faster than any quota refills until a request is refused. Returns the replies before it, and the refusal. */
async function untilRefused(send: () => Promise<Reply>): Promise<{ allowed: Reply[]; refused: Reply | undefined }> {
  const allowed: Reply[] = []
  while (allowed.length < 5_000) {
    const replies = await Promise.all(Array.from({ length: 100 }, send))
    allowed.push(...replies.filter(({ status }) => status === 200))
    const refused = replies.find(({ status }) => status !== 200)
    if (refused !== undefined) return { allowed, refused }
  }
  return { allowed, refused: undefined }
}

test('the default limit of a client is 200 requests in two seconds', async () => {
  const token = await gateway.token('ordinary')
  const { allowed, refused } = await untilRefused(() => gateway.call('/api/v1/sites', { token }))
  expect(allowed.length).toBeGreaterThanOrEqual(200)
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'ratelimit-policy': '"default";q=200;w=2', 'retry-after': '1' },
  })
})

test('each site key has its own limit', async () => {
  const [one, other] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  for (const key of [one, other]) gateway.upstreams.registry.keys.set(sha256(key), site.slug)
  const { allowed, refused } = await untilRefused(() => gateway.call(payments, { siteKey: one }))
  expect(allowed.length).toBeGreaterThanOrEqual(40)
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'ratelimit-policy': '"site-key";q=40;w=2', 'retry-after': '1' },
  })
  expect((await gateway.call(payments, { siteKey: other })).status).toBe(200)
})

test('a client without a limit gets no rate limit headers', async () => {
  const token = await gateway.token('demo')
  const replies = await Promise.all(Array.from({ length: 300 }, () => gateway.call('/api/v1/sites', { token })))
  expect(replies.every(({ status }) => status === 200)).toBe(true)
  expect(replies[0]?.headers).not.toHaveProperty('ratelimit')
})
