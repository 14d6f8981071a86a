import { describe, expect, test } from 'vitest'
import { isProviderError, ProviderOutcomeUnknown, type Provider } from '../src/index.ts'
import { json, openProviderServer, refund, refundPage, refusal, session, type Reply } from './provider-server.ts'

// Stripe saves a 500 under its idempotency key and repeats it for a day, with the header `Idempotent-Replayed: true`.

const checkout = { providerAccountId: 'acct_1', idempotencyKey: 'pay_1', params: { mode: 'payment' } }
const account = { idempotencyKey: 'acct_1', params: {} }
const refundOrder = {
  providerAccountId: 'acct_1',
  idempotencyKey: 'ref_1',
  params: { payment_intent: 'pi_1', amount: 500, metadata: { refundId: 'r-1' } },
}
const failure = { type: 'api_error' }

/** Starts a server that fails the first try of each of these keys, and repeats the failure for as long as it lives. */
async function openSavingServer(failingKeys: readonly string[], created: Reply, listed: Reply = refundPage([])) {
  const server = await openProviderServer()
  const saved = new Set<string>()
  server.answers(({ method, headers }) => {
    const key = String(headers['idempotency-key'])
    if (method === 'GET') return listed
    if (saved.has(key)) return refusal(500, failure, { 'idempotent-replayed': 'true' })
    if (!failingKeys.includes(key)) return created
    saved.add(key)
    return refusal(500, failure)
  })
  return server
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  const [result] = await Promise.allSettled([work])
  return result.status === 'rejected' ? result.reason : undefined
}

const sent = ({ requests }: { requests: { method: string; path: string; headers: object }[] }) =>
  requests.map(({ method, headers }) =>
    method === 'GET' ? 'list' : (headers as Record<string, string>)['idempotency-key'],
  )

describe('a failure that the provider has saved under the key', () => {
  test('is left behind: the same checkout is made under the next key', async () => {
    await using server = await openSavingServer(['pay_1'], session())
    await using provider = server.open()
    expect(await provider.createCheckout(checkout)).toMatchObject({ id: 'cs_1', status: 'open' })
    expect(sent(server)).toEqual(['pay_1', 'pay_1', 'pay_1_2'])
    expect(server.requests.map(({ params }) => params.toString())).toEqual(Array(3).fill('mode=payment'))
  })

  test('is left behind by another process too, which ends at the same key', async () => {
    await using server = await openSavingServer(['pay_1', 'pay_1_2'], session())
    await using provider = server.open()
    expect(await provider.createCheckout(checkout)).toMatchObject({ id: 'cs_1' })
    await using other = server.open()
    server.requests.length = 0
    expect(await other.createCheckout(checkout)).toMatchObject({ id: 'cs_1' })
    expect(sent(server)).toEqual(['pay_1', 'pay_1_2', 'pay_1_3'])
  })

  test('is left behind for an account', async () => {
    const made = { id: 'acct_9', charges_enabled: false, payouts_enabled: false, details_submitted: false }
    await using server = await openSavingServer(['acct_1'], json(200, made))
    await using provider = server.open()
    expect(await provider.createAccount(account)).toMatchObject({ externalAccountId: 'acct_9' })
    expect(sent(server)).toEqual(['acct_1', 'acct_1', 'acct_1_2'])
  })

  test('does not make a second refund: the one that was made is found in the list', async () => {
    const made = refund('re_1', 500, { metadata: { refundId: 'r-1' } })
    const another = refund('re_2', 500, { metadata: { refundId: 'r-2' } })
    await using server = await openSavingServer(['ref_1'], json(200, another), refundPage([another, made]))
    await using provider = server.open()
    expect(await provider.createRefund(refundOrder)).toMatchObject({ id: 're_1', refundId: 'r-1' })
    expect(sent(server)).toEqual(['ref_1', 'ref_1', 'list'])
    expect(server.requests.at(-1)?.params.get('payment_intent')).toBe('pi_1')
  })

  test('is left behind for a refund that was not made', async () => {
    const made = refund('re_1', 500, { metadata: { refundId: 'r-1' } })
    await using server = await openSavingServer(['ref_1'], json(200, made))
    await using provider = server.open()
    expect(await provider.createRefund(refundOrder)).toMatchObject({ id: 're_1' })
    expect(sent(server)).toEqual(['ref_1', 'ref_1', 'list', 'ref_1_2'])
  })

  test('does not make a second refund while the list cannot be read', async () => {
    await using server = await openSavingServer(['ref_1'], json(200, refund('re_2', 500)), refusal(500, failure))
    await using provider = server.open()
    expect(await errorOf(provider.createRefund(refundOrder))).toBeInstanceOf(ProviderOutcomeUnknown)
    expect(new Set(sent(server))).toEqual(new Set(['ref_1', 'list']))
  })

  test('is no failure of the provider: healthy calls are not held back', async () => {
    await using server = await openProviderServer()
    server.replies(refusal(500, failure, { 'idempotent-replayed': 'true' }))
    await using provider = server.open({ breaker: { failures: 2, openMs: 60_000 } })
    const keys = Array.from({ length: 4 }, (_, index) => `pay_${index}`)
    for (const idempotencyKey of keys) {
      const error = await errorOf(provider.createCheckout({ ...checkout, idempotencyKey }))
      expect(error).toBeInstanceOf(ProviderOutcomeUnknown)
    }
    server.replies(session())
    expect(await provider.createCheckout({ ...checkout, idempotencyKey: 'pay_9' })).toMatchObject({ id: 'cs_1' })
  })

  test('under very many keys ends the call, and the next one goes on from there', async () => {
    const failing = Array.from({ length: 14 }, (_, index) => (index === 0 ? 'pay_1' : `pay_1_${index + 1}`))
    await using server = await openProviderServer()
    server.answers(({ headers }) =>
      failing.includes(String(headers['idempotency-key']))
        ? refusal(500, failure, { 'idempotent-replayed': 'true' })
        : session(),
    )
    await using provider = server.open()
    const error = await errorOf(provider.createCheckout(checkout))
    expect(isProviderError(error) && error).toBeInstanceOf(ProviderOutcomeUnknown)
    expect(server.requests).toHaveLength(10)
    expect(await provider.createCheckout(checkout)).toMatchObject({ id: 'cs_1' })
    expect(sent(server).at(-1)).toBe('pay_1_15')
  })

  test('is met by calls at the same time, and both end at the same key', async () => {
    await using server = await openSavingServer(['pay_1'], session())
    await using provider = server.open()
    const create = (target: Provider) => target.createCheckout(checkout)
    await Promise.all([create(provider), create(provider), create(provider)])
    expect(new Set(sent(server))).toEqual(new Set(['pay_1', 'pay_1_2']))
  })
})
