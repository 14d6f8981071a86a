import { problemDetails } from '@frontdesk/problems'
import { describe, expect, test } from 'vitest'
import {
  isProviderError,
  ProviderMisconfigured,
  providerProblem,
  ProviderRefused,
  ProviderUnavailable,
  type Provider,
} from '../src/index.ts'
import { ProviderOutcomeUnknown } from '../src/errors.ts'
import { drip, hang, openProviderServer, page, refusal, reset, session, type Reply } from './provider-server.ts'

const request = { providerAccountId: 'acct_1', idempotencyKey: 'pay_1', params: { mode: 'payment' } }
const key = { id: 'cs_1', providerAccountId: 'acct_1' }

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const [result] = await Promise.allSettled([work])
  if (result.status === 'fulfilled') throw new Error('it did not fail')
  return result.reason as unknown
}

async function failed(work: Promise<unknown>) {
  const started = performance.now()
  const error = await failureOf(work)
  if (!isProviderError(error)) throw error
  return { error, problem: providerProblem(error), tookMs: performance.now() - started }
}

async function against(replies: Reply[], run: (provider: Provider) => Promise<unknown>) {
  await using server = await openProviderServer()
  server.replies(...replies)
  await using provider = server.open()
  const outcome = await failed(run(provider))
  return { ...outcome, requests: server.requests }
}

const create = (provider: Provider) => provider.createCheckout(request)

describe('a refusal of the provider is final', () => {
  test.each<[string, Reply, object, string]>([
    [
      'a declined card',
      refusal(402, { type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' }),
      { reason: 'declined' },
      'declined',
    ],
    [
      'an unknown parameter',
      refusal(400, { type: 'invalid_request_error', code: 'parameter_unknown', param: 'tip' }),
      { reason: 'provider_rejected' },
      'provider_rejected',
    ],
    [
      'an amount that is too small',
      refusal(400, { type: 'invalid_request_error', code: 'amount_too_small' }),
      { reason: 'amount_too_small' },
      'amount_too_small',
    ],
    [
      'an amount that is too large',
      refusal(400, { type: 'invalid_request_error', code: 'amount_too_large' }),
      { reason: 'amount_too_large' },
      'amount_too_large',
    ],
    [
      'an unsupported currency',
      refusal(400, { type: 'invalid_request_error', param: 'line_items[0][price_data][currency]' }),
      { reason: 'currency_unsupported' },
      'currency_unsupported',
    ],
    [
      'a refused statement descriptor',
      refusal(400, { type: 'invalid_request_error', param: 'payment_intent_data[statement_descriptor_suffix]' }),
      { reason: 'statement_descriptor_refused' },
      'statement_descriptor_refused',
    ],
    [
      'an account of somebody else',
      refusal(403, { type: 'invalid_request_error', code: 'account_invalid' }),
      { reason: 'account_invalid' },
      'provider_account_not_ready',
    ],
    [
      'a missing customer',
      refusal(400, { type: 'invalid_request_error', code: 'resource_missing', param: 'customer' }),
      { reason: 'provider_rejected' },
      'provider_rejected',
    ],
  ])('%s', async (_, reply, refused, code) => {
    const { error, problem, requests } = await against([reply], create)
    expect(error).toBeInstanceOf(ProviderRefused)
    expect(error).toMatchObject(refused)
    expect(problem.code).toBe(code)
    expect(requests).toHaveLength(1)
  })

  test('the problem shows the code and the parameter, never the message', async () => {
    const reply = refusal(400, {
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      param: 'tip',
      message: 'secret words',
    })
    const { problem } = await against([reply], create)
    expect(problem.options.extensions).toEqual({ providerCode: 'parameter_unknown', providerParam: 'tip' })
    expect(JSON.stringify(problemDetails(problem, {}))).not.toContain('secret words')
  })

  test.each([401, 403])('refused credentials (%d) need an operator', async (status) => {
    const { error, problem, requests } = await against([refusal(status, { type: 'invalid_request_error' })], create)
    expect(error).toBeInstanceOf(ProviderMisconfigured)
    expect(problem).toMatchObject({ code: 'provider_credentials', status: 502 })
    expect(requests).toHaveLength(1)
  })

  test('a key reused with other parameters is our bug', async () => {
    const { error, problem } = await against([refusal(400, { type: 'idempotency_error' })], create)
    expect(error).toMatchObject({ name: 'ProviderMisconfigured', kind: 'idempotency' })
    expect(problem.status).toBe(500)
  })
})

describe('an outcome that may have taken effect is unknown', () => {
  test.each<[string, Reply]>([
    ['500', refusal(500, { type: 'api_error' })],
    ['a page of a proxy', page(502)],
    ['409, the key in use', refusal(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' })],
    ['a lost connection', reset],
  ])('%s, after retries under the same key', async (_, reply) => {
    const { error, problem, requests } = await against([reply], create)
    expect(error).toBeInstanceOf(ProviderOutcomeUnknown)
    expect(problem).toMatchObject({ code: 'provider_outcome_unknown', status: 503 })
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['pay_1', 'pay_1', 'pay_1'])
  })

  test.each<[string, Reply]>([
    ['hangs', hang],
    ['drips', drip],
  ])('a provider that %s takes one deadline in all', async (_, reply) => {
    const { error, tookMs, requests } = await against([reply], create)
    expect(error).toBeInstanceOf(ProviderOutcomeUnknown)
    expect(tookMs).toBeLessThan(2_200)
    expect(requests.length).toBe(2)
  })

  test('a 500 with stripe-should-retry: false is not retried', async () => {
    const { requests } = await against(
      [refusal(500, { type: 'api_error' }, { 'stripe-should-retry': 'false' })],
      create,
    )
    expect(requests).toHaveLength(1)
  })

  test('a refused connection after a 500 is unknown too', async () => {
    await using server = await openProviderServer()
    await using provider = server.open()
    server.replies((response) => {
      refusal(500, { type: 'api_error' }, { connection: 'close' })(response)
      void server[Symbol.asyncDispose]()
    })
    const { error } = await failed(create(provider))
    expect(error).toBeInstanceOf(ProviderOutcomeUnknown)
  })

  test.each<[string, Reply[]]>([
    ['500', [refusal(500, { type: 'api_error' }), session()]],
    ['a lost connection', [reset, session()]],
    ['a hang', [hang, session()]],
    ['409', [refusal(409, { type: 'invalid_request_error' }), session()]],
  ])('%s once is retried within the call', async (_, replies) => {
    await using server = await openProviderServer()
    server.replies(...replies)
    await using provider = server.open()
    expect(await create(provider)).toMatchObject({ id: 'cs_1', status: 'open' })
    expect(server.requests).toHaveLength(2)
  })
})

describe('a failure that cannot have had an effect is unavailable', () => {
  test('a refused connection, reported quickly', async () => {
    const server = await openProviderServer()
    await using provider = server.open()
    await server[Symbol.asyncDispose]()
    const { error, problem, tookMs } = await failed(create(provider))
    expect(error).toBeInstanceOf(ProviderUnavailable)
    expect(problem).toMatchObject({ code: 'provider_unavailable', status: 503, options: { retryAfter: 1 } })
    expect(tookMs).toBeLessThan(1_500)
  })

  test('a rate limit, with its Retry-After', async () => {
    const { error, problem, requests } = await against(
      [refusal(429, { type: 'invalid_request_error' }, { 'retry-after': '7' })],
      create,
    )
    expect(error).toBeInstanceOf(ProviderUnavailable)
    expect(problem.options.retryAfter).toBe(7)
    expect(requests).toHaveLength(1)
  })

  test('a rate limit of a proxy in front of the provider', async () => {
    const { error } = await against([page(429)], create)
    expect(error).toBeInstanceOf(ProviderUnavailable)
  })

  test('a read that failed in any way', async () => {
    const { error } = await against([refusal(500, { type: 'api_error' })], (provider) => provider.retrieveCheckout(key))
    expect(error).toBeInstanceOf(ProviderUnavailable)
  })
})

describe('the breaker', () => {
  const breaker = { failures: 2, openMs: 300 }
  const impatient = { timeoutMs: 600, breaker }

  test('fails calls at once after failures in a row, until a probe succeeds', async () => {
    await using server = await openProviderServer()
    server.replies(hang)
    await using provider = server.open(impatient)
    await Promise.allSettled([create(provider), create(provider)])
    const asked = server.requests.length

    const { error, tookMs } = await failed(create(provider))
    expect(error).toBeInstanceOf(ProviderUnavailable)
    expect(error).toHaveProperty(
      'retryAfterMs',
      expect.toSatisfy((wait: number) => wait > 0 && wait <= 300),
    )
    expect(tookMs).toBeLessThan(50)
    expect(server.requests).toHaveLength(asked)

    server.replies(session())
    await new Promise((resolve) => setTimeout(resolve, 320))
    expect(await create(provider)).toMatchObject({ id: 'cs_1' })
    expect(await create(provider)).toMatchObject({ id: 'cs_1' })
  })

  test('stays closed while the provider answers, even with refusals', async () => {
    await using server = await openProviderServer()
    server.replies(refusal(400, { type: 'invalid_request_error' }))
    await using provider = server.open(impatient)
    for (let count = 0; count < 4; count += 1) {
      const { error } = await failed(create(provider))
      expect(error).toBeInstanceOf(ProviderRefused)
    }
  })
})
