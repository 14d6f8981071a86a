import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskProblem } from '@frontdesk/client'
import { eventually } from '@frontdesk/testing/eventually'
import { paymentBody, type NewPayment } from '../system/practice.ts'
import { ControlRefused } from '../system/provider.ts'
import { isTemporary, type Environment } from './environment.ts'
import type { Fate, PlannedPayment } from './plan.ts'

/** A payment that was requested, and what its client knows of it. */
export interface RequestedPayment {
  plan: PlannedPayment
  /** Absent if the client never had an answer. */
  recordId?: string | undefined
  /** Absent if the client gave up before there was one. */
  paymentId?: string | undefined
}

/** Takes one payment from its creation to its planned fate; does not wait for the outcome. */
export async function runPayment(environment: Environment, plan: PlannedPayment): Promise<RequestedPayment> {
  const created = await createPayment(environment, plan)
  const { recordId, paymentId } = created
  if (recordId === undefined || paymentId === undefined) return created
  const customer = (action: string) => act(environment, paymentId, action, plan)
  const cancel = () => cancelPayment(environment, plan.site, recordId)
  await wait(plan.pause)
  for (const step of stepsOf[plan.fate]) {
    await step({ customer, cancel })
    await wait(plan.pause)
  }
  return created
}

interface Actions {
  customer(action: string): Promise<void>
  cancel(): Promise<void>
}
type Step = (actions: Actions) => Promise<unknown>

const doing =
  (action: string): Step =>
  ({ customer }) =>
    customer(action)

const stepsOf: Record<Fate, readonly Step[]> = {
  paid: [doing('pay')],
  'declined, then paid': [doing('decline'), doing('pay')],
  'declined, then expired': [doing('decline'), doing('expire')],
  'delayed, then settled': [doing('delay'), doing('settle')],
  'delayed, then failed': [doing('delay'), doing('fail')],
  failed: [doing('fail')],
  'turned back, then paid': [doing('back'), doing('pay')],
  'turned back, then expired': [doing('back'), doing('expire')],
  expired: [doing('expire')],
  cancelled: [({ cancel }) => cancel()],
  'cancelled while paid': [({ customer, cancel }) => Promise.all([cancel(), customer('pay')])],
  'refunded in part': [doing('pay'), doing('refund?amount=50')],
  refunded: [doing('pay'), doing('refund?amount=50'), doing('refund')],
  'disputed, won': [doing('pay'), doing('dispute'), doing('win-dispute')],
  'disputed, lost': [doing('pay'), doing('dispute'), doing('lose-dispute')],
}

async function createPayment(environment: Environment, plan: PlannedPayment): Promise<RequestedPayment> {
  const { name, site, price, quantity, uiMode, manner } = plan
  const body = paymentBody({
    Reference: name,
    UiMode: uiMode,
    FeeAmount: 25,
    LineItems: [{ ProductName: 'Check-up', Price: price, Quantity: quantity }],
  })
  if (manner === 'careless') return createWithoutKey(environment, plan, body)
  for (;;) {
    try {
      const input = { SiteSlug: site, body, idempotencyKey: name }
      const { RecordId, PaymentId } = await environment.once.createPayment(input)
      return { plan, recordId: RecordId, paymentId: PaymentId }
    } catch (error) {
      if (!isTemporary(error)) throw error
      if (manner === 'gives up') return { plan, recordId: recordIdIn(error) }
      const seconds = error instanceof FrontdeskProblem ? (error.retryAfter ?? 0) : 0
      await wait(Math.max(100, seconds * 1_000) + Math.random() * 200)
    }
  }
}

/** Creates a payment without libs/client, which always sends an Idempotency-Key. */
async function createWithoutKey(
  { baseUrl, newToken }: Environment,
  plan: PlannedPayment,
  body: NewPayment,
): Promise<RequestedPayment> {
  const token = await eventually(() => newToken('bench'), { within: 60_000, every: 200 })
  try {
    const answer = await fetch(`${baseUrl}/api/v1/sites/${plan.site}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { RecordId, PaymentId } = (await answer.json()) as { RecordId?: string; PaymentId?: string }
    if (answer.status !== 201 && answer.status < 500) throw new Error(`${plan.name}: ${answer.status}`)
    return { plan, recordId: RecordId, paymentId: PaymentId }
  } catch (error) {
    // The connection was lost without an answer, and this client does not ask again.
    if (error instanceof TypeError || error instanceof SyntaxError) return { plan }
    throw error
  }
}

function recordIdIn(error: unknown): string | undefined {
  const recordId = error instanceof FrontdeskProblem ? error.problem?.['RecordId'] : undefined
  return typeof recordId === 'string' ? recordId : undefined
}

async function act(
  { provider }: Environment,
  paymentId: string,
  action: string,
  { name, fate }: PlannedPayment,
): Promise<void> {
  try {
    await provider.atCheckout(paymentId, action)
  } catch (error) {
    // 409: the cancellation was faster than the customer.
    if (error instanceof ControlRefused && error.status === 409 && fate === 'cancelled while paid') return
    throw new Error(`${name} (${fate}): ${String(error)}`, { cause: error })
  }
}

/** Cancels until there is an answer: cancelled, or too late (422). */
async function cancelPayment({ once }: Environment, site: string, recordId: string): Promise<void> {
  for (;;) {
    try {
      await once.cancelPayment({ SiteSlug: site, PaymentIdentifier: recordId })
      return
    } catch (error) {
      if (error instanceof FrontdeskProblem && error.code === 'payment_not_cancellable') return
      if (!isTemporary(error)) throw error
      await wait(200 + Math.random() * 300)
    }
  }
}
