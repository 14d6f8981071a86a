import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskProblem, type FrontdeskClient } from '#client'
import { eventually } from '@frontdesk/testing/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPractice, paymentBody, type Practice } from './system/practice.ts'
import { startSystem, type StartedSystem } from './system/start-system.ts'

let system: StartedSystem
let practice: Practice
/** Tries each call once, so that a retry cannot hide a failure. */
let strict: FrontdeskClient

beforeAll(async () => {
  system = await startSystem()
  practice = await openPractice(system)
  strict = system.client('demo', { attempts: 1 })
})
afterAll(async () => {
  await practice?.[Symbol.asyncDispose]()
  await system?.[Symbol.asyncDispose]()
})

/** A create that was refused temporarily. */
interface Refusal {
  key: string
  code: string
  status: number
  retryAfter: number
  recordId: string | undefined
  tookMs: number
}

const creation = paymentBody()

async function refusedCreate(key: string): Promise<Refusal> {
  const began = performance.now()
  const answer: unknown = await strict.payments
    .create({ SiteSlug: practice.slug, idempotencyKey: key, body: creation })
    .catch((error: unknown) => error)
  const tookMs = performance.now() - began
  if (!(answer instanceof FrontdeskProblem)) throw new Error('the create was not refused', { cause: answer })
  const recordId = answer.problem?.['RecordId']
  const { code, status, retryAfter = 0 } = answer
  return { key, code, status, retryAfter, tookMs, recordId: typeof recordId === 'string' ? recordId : undefined }
}

/** Checks calls that do not need a new answer from the provider. */
async function everythingElseWorks(known: string): Promise<void> {
  const SiteSlug = practice.slug
  const began = performance.now()
  const record = await strict.payments.get({ SiteSlug, PaymentIdentifier: known })
  expect(record.History.at(-1)?.Status).toBe('Pending')
  const { Items } = await strict.payments.list({ SiteSlug })
  expect(Items.length).toBeGreaterThan(0)
  const account = await strict.accounts.get({ SiteSlug, AccountId: practice.account.accountId })
  expect(account.status).toBe('Active')
  await strict.webhooks.getSubscription({ SiteSlug })
  await strict.sites.list({})
  const { Identity } = await strict.sites.create({ body: { Name: 'Another Dental' } })
  await strict.sites.delete({ SiteIdentifier: Identity.SiteSlug })
  // A read asks a provider that hangs once, for 4 s, until the breaker is open; then it answers from the record.
  expect(performance.now() - began).toBeLessThan(10_000)
}

/** Creates payments for a while, one a second and with a key each, and looks at everything else beside it. */
async function during(name: string, seconds: number, known: string): Promise<Refusal[]> {
  const refusals: Promise<Refusal>[] = []
  for (let second = 0; second < seconds; second++) {
    refusals.push(refusedCreate(`${name} ${second}`))
    await Promise.all([everythingElseWorks(known), wait(1_000)])
  }
  return Promise.all(refusals)
}

/** Checks that a create works again within 20 s, and so does its payment. */
async function worksAgain(): Promise<void> {
  const payment = await eventually(() => strict.payments.create({ SiteSlug: practice.slug, body: creation }), {
    within: 20_000,
    every: 250,
  })
  await system.provider.atCheckout(payment.PaymentId ?? '', 'pay')
  expect(await practice.outcomeOf(payment.RecordId)).toBe('payment.succeeded')
}

/** Checks that each refused create, repeated, gets the same payment with one checkout, whose outcome is delivered once. */
async function retriesAreTheSame(refusals: readonly Refusal[]): Promise<void> {
  for (const { key, recordId } of refusals) {
    const again = await system.frontdesk.payments.create({
      SiteSlug: practice.slug,
      idempotencyKey: key,
      body: creation,
    })
    expect(again.RecordId).toBe(recordId)
    expect(await system.provider.ledgerOf(again.RecordId)).toHaveLength(1)
    await system.provider.atCheckout(again.PaymentId ?? '', 'pay')
    expect(await practice.outcomeOf(again.RecordId)).toBe('payment.succeeded')
    expect(practice.subscriber.deliveriesOf(again.RecordId)).toHaveLength(1)
  }
}

const inWords = (refusals: readonly Refusal[]) =>
  refusals
    .map(({ code, tookMs, retryAfter }) => `${code} in ${Math.round(tookMs)} ms, Retry-After ${retryAfter}`)
    .join('\n')

test('While the provider hangs, creates are 503 in under 10 s, soon at once; everything else works, and afterwards creates work again', async () => {
  const before = await practice.createPayment()
  system.devStack.kill('sandbox-provider', 'SIGSTOP')
  const refusals = await during('hangs', 20, before.recordId)
  system.devStack.kill('sandbox-provider', 'SIGCONT')
  await worksAgain()
  for (const { status, retryAfter, tookMs } of refusals) {
    expect(status, inWords(refusals)).toBe(503)
    expect(retryAfter, inWords(refusals)).toBeGreaterThan(0)
    expect(tookMs, inWords(refusals)).toBeLessThan(10_000)
  }
  const atOnce = refusals.filter(({ code }) => code === 'provider_unavailable')
  expect(atOnce.length, inWords(refusals)).toBeGreaterThan(3)
  for (const { tookMs } of atOnce) expect(tookMs, inWords(refusals)).toBeLessThan(3_000)
  await retriesAreTheSame(refusals)
})

test('While the provider is down, creates are 503 in under 3 s; everything else works, and afterwards creates work again', async () => {
  const before = await practice.createPayment()
  await system.devStack.stop('sandbox-provider')
  const refusals = await during('gone', 15, before.recordId)
  await system.devStack.start('sandbox-provider')
  await worksAgain()
  for (const { status, code, retryAfter, tookMs } of refusals) {
    expect([status, code], inWords(refusals)).toEqual([503, 'provider_unavailable'])
    expect(retryAfter, inWords(refusals)).toBeGreaterThan(0)
    expect(tookMs, inWords(refusals)).toBeLessThan(3_000)
  }
  await retriesAreTheSame(refusals)
})
