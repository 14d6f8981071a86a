import { FrontdeskProblem, type FrontdeskClient } from '#client'
import { eventually } from '@frontdesk/testing/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPractice, paymentBody, type Practice } from './system/practice.ts'
import { startSystem, type StartedSystem } from './system/start-system.ts'

let system: StartedSystem
let practice: Practice
/** Tries each call once, so that the test sees what a client would retry. */
let strict: FrontdeskClient

beforeAll(async () => {
  // The sweep comes after 20 s instead of a minute; still long after a request has released its payment.
  system = await startSystem({ env: { payments: { PAYMENTS_CHECK_SCHEDULE: '20s,1m,5m' } } })
  practice = await openPractice(system)
  strict = system.client('demo', { attempts: 1 })
})
afterAll(async () => {
  await practice?.[Symbol.asyncDispose]()
  await system?.[Symbol.asyncDispose]()
})

const create = (key: string) =>
  strict.payments.create({
    SiteSlug: practice.slug,
    idempotencyKey: key,
    body: paymentBody({ Reference: key }),
  })

/** Returns payments from the list, which never asks the provider, unlike a read of one payment. */
async function listed(key: string) {
  const { Items } = await strict.payments.list({ SiteSlug: practice.slug, query: { Reference: key } })
  return Items.map(({ RecordId, PaymentId, History }) => ({ RecordId, PaymentId, Status: History.at(-1)?.Status }))
}

/** Creates a payment while the provider has a fault. Returns the refusal. */
async function createUnder(fault: object, key: string): Promise<FrontdeskProblem> {
  await system.provider.setFaults({ api: fault })
  const error: unknown = await create(key).catch((reason: unknown) => reason)
  await system.provider.setFaults({})
  if (!(error instanceof FrontdeskProblem)) throw new Error('the create was not refused', { cause: error })
  return error
}

const recordIdOf = ({ problem }: FrontdeskProblem) => String(problem?.['RecordId'])

test('When the provider makes the checkout and breaks off, the sweep finishes the payment, and a retry gets the same one', async () => {
  // As many faults as tries: three, or two if each try waits for 4 s.
  const faults = {
    'a 500': { errorAfter: { next: 3 } },
    'a cut': { reset: { next: 3 } },
    silence: { hang: { next: 2 } },
  }
  const unknown: { key: string; recordId: string; paymentId: string | undefined }[] = []
  for (const [key, fault] of Object.entries(faults)) {
    const error = await createUnder(fault, key)
    expect(error).toMatchObject({ status: 503, code: 'provider_outcome_unknown', retryAfter: expect.any(Number) })
    const recordId = recordIdOf(error)
    // The checkout exists, and Frontdesk does not know it.
    const [made, ...others] = await system.provider.ledgerOf(recordId)
    expect([key, made?.paymentStatus, others]).toEqual([key, 'unpaid', []])
    expect(await listed(key)).toEqual([{ RecordId: recordId, PaymentId: undefined, Status: 'Created' }])
    unknown.push({ key, recordId, paymentId: made?.paymentId })
  }

  for (const { key, recordId, paymentId } of unknown) {
    // Without a request, the sweep finds it.
    const finished = [{ RecordId: recordId, PaymentId: paymentId, Status: 'Pending' }]
    await eventually(async () => expect(await listed(key)).toEqual(finished), { within: 40_000, every: 250 })
    const retried = await create(key)
    expect(retried).toMatchObject({ RecordId: recordId, PaymentId: paymentId, CheckoutUrl: expect.any(String) })
    expect(await listed(key)).toEqual(finished)

    await system.provider.atCheckout(paymentId ?? '', 'pay')
    expect(await practice.outcomeOf(recordId)).toBe('payment.succeeded')
    expect(practice.subscriber.deliveriesOf(recordId)).toHaveLength(1)
    expect(await system.provider.ledgerOf(recordId)).toMatchObject([
      { paymentStatus: 'paid', charges: [{ status: 'succeeded' }] },
    ])
  }
})

test('A retry before the sweep gets the same payment too, with the one checkout', async () => {
  const error = await createUnder({ errorAfter: { next: 3 } }, 'at once')
  const retried = await create('at once')
  expect(retried.RecordId).toBe(recordIdOf(error))
  expect(await system.provider.ledgerOf(retried.RecordId)).toMatchObject([{ paymentId: retried.PaymentId }])
})
