import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskProblem, type PaymentRecord } from '#client'
import { paymentBody } from '../system/practice.ts'
import { ControlRefused } from '../system/provider.ts'
import { isTemporary, type Environment } from './environment.ts'
import { asError, startWaiting, untilRecord } from './patience.ts'
import type { PlannedPayment } from './plan.ts'
import type { Requested, RequestedRefund } from './records.ts'
import { idIn, post, type Answer } from './requests.ts'
import { describeSides, readSides } from './sides.ts'
import { stepsOf, type Actions } from './steps.ts'

/** A payment that was requested, and what its client knows of it. */
export interface RequestedPayment extends Requested {
  plan: PlannedPayment
  /** Absent if the client gave up before there was one. */
  paymentId?: string | undefined
  refunds: RequestedRefund[]
  /** The step that could not be done, and why. */
  fault?: string
}

/**
 * Takes one payment from its creation to its planned fate; does not wait for the outcome. Never throws: a step that could
 * not be done is the payment's `fault`.
 */
export async function runPayment(environment: Environment, plan: PlannedPayment): Promise<RequestedPayment> {
  const payment: RequestedPayment = { plan, refunds: [] }
  let step = 'create'
  try {
    Object.assign(payment, await createPayment(environment, plan))
    const { recordId, paymentId } = payment
    if (recordId === undefined || paymentId === undefined) return payment
    const actions = actionsOn(environment, payment, recordId, paymentId)
    await wait(plan.pause)
    for (const { name, take } of stepsOf[plan.fate]) {
      step = name
      await take(actions)
      await wait(plan.pause)
    }
  } catch (error) {
    payment.fault = await describeFault(environment, payment, step, error)
  }
  return payment
}

/** Its first line says what is wrong, for which payment and in which step; the others what each side has. */
async function describeFault(
  environment: Environment,
  { plan, recordId }: RequestedPayment,
  step: string,
  error: unknown,
): Promise<string> {
  const wrong = `${plan.name} (${plan.fate}), ${step}: ${asError(error).message}`
  if (recordId === undefined) return wrong
  const sides = await readSides(environment, recordId).then(describeSides, String)
  return `${wrong}\n${sides}`
}

function actionsOn(environment: Environment, payment: RequestedPayment, recordId: string, paymentId: string): Actions {
  const { provider } = environment
  const { site } = payment.plan
  const recordSays = (isSo: (record: PaymentRecord) => boolean) => untilRecord(environment, { site, recordId }, isSo)
  let hasActed = true
  return {
    async atProvider(action) {
      hasActed = await act(provider, paymentId, action, payment)
      if (hasActed && (action === 'pay' || action === 'settle')) payment.paidAt = Date.now()
    },
    cancel: () => cancelPayment(environment, site, recordId),
    refund: async (amount) => void payment.refunds.push(await requestRefund(environment, payment, recordId, amount)),
    recorded: () => recordSays(({ PaidAmount }) => PaidAmount !== undefined),
    async failed() {
      // A refund that came into being after the bank was to fail it is a refund that succeeds.
      if (hasActed) await recordSays(({ Refunds }) => Refunds.every(({ Status }) => Status === 'Failed'))
    },
    undisputed: () => recordSays(({ Status }) => Status === 'Completed'),
  }
}

async function createPayment(
  environment: Environment,
  plan: PlannedPayment,
): Promise<Pick<RequestedPayment, 'recordId' | 'paymentId'>> {
  const { name: key, site, price, quantity, uiMode, manner } = plan
  const body = paymentBody({
    Reference: key,
    UiMode: uiMode,
    FeeAmount: 25,
    LineItems: [{ ProductName: 'Check-up', Price: price, Quantity: quantity }],
  })
  const answer = await post(environment, manner, {
    path: '/payments',
    site,
    body,
    key,
    send: (client) => client.payments.create({ SiteSlug: site, body, idempotencyKey: key }),
  })
  if ('code' in answer) throw new Error(`refused as ${answer.code}`)
  return { recordId: idIn(answer, 'RecordId'), paymentId: paymentIdIn(answer) }
}

function paymentIdIn(answer: Answer): string | undefined {
  const id = 'body' in answer ? answer.body['PaymentId'] : undefined
  return typeof id === 'string' ? id : undefined
}

/** Refusals of a refund that are right if two are made at once, or if the bank was faster. */
const expectedRefusals = new Set(['refund_too_large', 'payment_not_refundable', 'provider_rejected'])

async function requestRefund(
  environment: Environment,
  { plan, refunds }: RequestedPayment,
  recordId: string,
  amount: number | undefined,
): Promise<RequestedRefund> {
  const { site, refundManner } = plan
  const name = `${plan.name}-R${refunds.length + 1}-${Math.random().toString(36).slice(2, 8)}`
  const body = { Reference: name, ...(amount === undefined ? {} : { Amount: amount }) }
  const answer = await post(environment, refundManner, {
    path: `/payments/${recordId}/refunds`,
    site,
    body,
    key: name,
    send: (client) =>
      client.refunds.create({ SiteSlug: site, PaymentIdentifier: recordId, body, idempotencyKey: name }),
  })
  const refused = 'code' in answer ? answer.code : undefined
  if (refused !== undefined && !expectedRefusals.has(refused)) throw new Error(`${name}: refused as ${refused}`)
  return { name, manner: refundManner, refused, refundId: idIn(answer, 'RefundId') }
}

/** Does something at the provider; returns whether it could be done. */
async function act(
  provider: Environment['provider'],
  paymentId: string,
  action: string,
  { plan, refunds }: RequestedPayment,
): Promise<boolean> {
  try {
    await provider.atCheckout(paymentId, action)
    return true
  } catch (error) {
    if (error instanceof ControlRefused && error.status === 409) {
      // The cancellation was faster than the customer.
      if (plan.fate === 'cancelled while paid') return false
      // The client gave up before there was a refund.
      if (action === 'fail-refund' && plan.refundManner !== 'patient' && refunds.length > 0) return false
    }
    throw error
  }
}

/** Cancels until there is an answer: cancelled, or too late (422). */
async function cancelPayment({ once, patienceMs }: Environment, site: string, recordId: string): Promise<void> {
  const waitOn = startWaiting('no answer', patienceMs)
  for (;;) {
    try {
      await once.payments.cancel({ SiteSlug: site, PaymentIdentifier: recordId })
      return
    } catch (error) {
      if (error instanceof FrontdeskProblem && error.code === 'payment_not_cancellable') return
      if (!isTemporary(error)) throw error
      waitOn(asError(error))
      await wait(200 + Math.random() * 300)
    }
  }
}
