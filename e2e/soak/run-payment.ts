import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskProblem, type PaymentRecord } from '#client'
import { eventually } from '@frontdesk/testing/eventually'
import { paymentBody } from '../system/practice.ts'
import { ControlRefused } from '../system/provider.ts'
import { isTemporary, type Environment } from './environment.ts'
import type { Fate, PlannedPayment } from './plan.ts'
import type { Requested, RequestedRefund } from './records.ts'
import { idIn, post, type Answer } from './requests.ts'

/** A payment that was requested, and what its client knows of it. */
export interface RequestedPayment extends Requested {
  plan: PlannedPayment
  /** Absent if the client gave up before there was one. */
  paymentId?: string | undefined
  refunds: RequestedRefund[]
}

/** Takes one payment from its creation to its planned fate; does not wait for the outcome. */
export async function runPayment(environment: Environment, plan: PlannedPayment): Promise<RequestedPayment> {
  const created = await createPayment(environment, plan)
  const { recordId, paymentId } = created
  if (recordId === undefined || paymentId === undefined) return created
  const actions = actionsOn(environment, created, recordId, paymentId)
  await wait(plan.pause)
  for (const step of stepsOf[plan.fate]) {
    await step(actions)
    await wait(plan.pause)
  }
  return created
}

interface Actions {
  /** Does what a customer, a bank or the practice in its dashboard does at the provider. */
  atProvider(action: string): Promise<void>
  cancel(): Promise<void>
  /** Requests a refund, by default of what is left. */
  refund(amount?: number): Promise<void>
  /** Waits until our record says that the payment is paid. */
  recorded(): Promise<void>
  /** Waits until every refund in our record has failed. */
  failed(): Promise<void>
  /** Waits until our record says that the dispute is over. */
  undisputed(): Promise<void>
}
type Step = (actions: Actions) => Promise<unknown>

const doing =
  (action: string): Step =>
  ({ atProvider }) =>
    atProvider(action)
const pay = doing('pay')
const recorded: Step = (actions) => actions.recorded()
const refund =
  (amount?: number): Step =>
  (actions) =>
    actions.refund(amount)

const stepsOf: Record<Fate, readonly Step[]> = {
  paid: [pay],
  'declined, then paid': [doing('decline'), pay],
  'declined, then expired': [doing('decline'), doing('expire')],
  'delayed, then settled': [doing('delay'), doing('settle')],
  'delayed, then failed': [doing('delay'), doing('fail')],
  failed: [doing('fail')],
  'turned back, then paid': [doing('back'), pay],
  'turned back, then expired': [doing('back'), doing('expire')],
  expired: [doing('expire')],
  cancelled: [({ cancel }) => cancel()],
  'cancelled while paid': [({ cancel, atProvider }) => Promise.all([cancel(), atProvider('pay')])],
  'refunded in part': [pay, recorded, refund(50)],
  refunded: [pay, recorded, refund(50), refund()],
  'refunded by two at once': [pay, recorded, (actions) => Promise.all([actions.refund(), actions.refund()])],
  'refund failing later': [pay, recorded, refund(50), doing('fail-refund')],
  'refund failing, then again': [pay, recorded, refund(), doing('fail-refund'), ({ failed }) => failed(), refund()],
  'refunded in the dashboard': [pay, doing('refund?amount=50'), doing('refund?amount=30')],
  'refunded here and in the dashboard': [
    pay,
    recorded,
    (actions) => Promise.all([actions.refund(50), actions.atProvider('refund?amount=60')]),
  ],
  'disputed, won': [pay, doing('dispute'), doing('win-dispute')],
  'disputed, lost': [pay, doing('dispute'), doing('lose-dispute')],
  'refunded in part, then disputed and lost': [pay, recorded, refund(50), doing('dispute'), doing('lose-dispute')],
  'dispute won, then refunded': [
    pay,
    doing('dispute'),
    doing('win-dispute'),
    recorded,
    ({ undisputed }) => undisputed(),
    refund(),
  ],
  'dispute lost, then won': [
    pay,
    doing('dispute'),
    doing('lose-dispute'),
    doing('reopen-dispute'),
    doing('win-dispute'),
  ],
}

function actionsOn(environment: Environment, payment: RequestedPayment, recordId: string, paymentId: string): Actions {
  const { frontdesk, provider } = environment
  const { plan } = payment
  const recordSays = async (isSo: (record: PaymentRecord) => boolean) => {
    await eventually(
      async () => {
        const record = await frontdesk.payments.get({ SiteSlug: plan.site, PaymentIdentifier: recordId })
        if (!isSo(record)) throw new Error(`${plan.name} (${plan.fate}): the record stays ${JSON.stringify(record)}`)
      },
      { within: 180_000, every: 500 },
    )
  }
  let hasActed = true
  return {
    async atProvider(action) {
      hasActed = await act(provider, paymentId, action, payment)
    },
    cancel: () => cancelPayment(environment, plan.site, recordId),
    refund: async (amount) => void payment.refunds.push(await requestRefund(environment, payment, recordId, amount)),
    recorded: () => recordSays(({ PaidAmount }) => PaidAmount !== undefined),
    async failed() {
      // A refund that came into being after the bank was to fail it is a refund that succeeds.
      if (hasActed) await recordSays(({ Refunds }) => Refunds.every(({ Status }) => Status === 'Failed'))
    },
    undisputed: () => recordSays(({ Status }) => Status === 'Completed'),
  }
}

async function createPayment(environment: Environment, plan: PlannedPayment): Promise<RequestedPayment> {
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
  if ('code' in answer) throw new Error(`${key}: refused as ${answer.code}`)
  return { plan, recordId: idIn(answer, 'RecordId'), paymentId: paymentIdIn(answer), refunds: [] }
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
    throw new Error(`${plan.name} (${plan.fate}): ${String(error)}`, { cause: error })
  }
}

/** Cancels until there is an answer: cancelled, or too late (422). */
async function cancelPayment({ once }: Environment, site: string, recordId: string): Promise<void> {
  for (;;) {
    try {
      await once.payments.cancel({ SiteSlug: site, PaymentIdentifier: recordId })
      return
    } catch (error) {
      if (error instanceof FrontdeskProblem && error.code === 'payment_not_cancellable') return
      if (!isTemporary(error)) throw error
      await wait(200 + Math.random() * 300)
    }
  }
}
