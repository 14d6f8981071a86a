import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskProblem } from '@frontdesk/client'
import type { Fate, PlannedPayment } from './plan.ts'
import { isTemporary, type Stage } from './stage.ts'

/** What a client knows of the payment that it asked for. */
export interface PlayedPayment {
  plan: PlannedPayment
  /** Absent where the client never had an answer. */
  recordId?: string | undefined
  /** Absent where it gave up before there was one. */
  paymentId?: string | undefined
}

/** Plays one payment from its creation to whatever its fate is; does not wait for what comes of it. */
export async function playPayment(stage: Stage, plan: PlannedPayment): Promise<PlayedPayment> {
  const created = await askedFor(stage, plan)
  const { recordId, paymentId } = created
  if (recordId === undefined || paymentId === undefined) return created
  const customer = (action: string) => act(stage, paymentId, action, plan)
  const cancel = () => cancelled(stage, plan.site, recordId)
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

async function askedFor(stage: Stage, plan: PlannedPayment): Promise<PlayedPayment> {
  const { name, site, price, quantity, uiMode, manner } = plan
  const input = {
    SiteSlug: site,
    body: {
      PaymentProvider: 'Sandbox' as const,
      Currency: 'GBP',
      Reference: name,
      UiMode: uiMode,
      FeeAmount: 25,
      LineItems: [{ ProductName: 'Check-up', Price: price, Quantity: quantity }],
    },
  }
  if (manner === 'careless') return carelesslyAsked(stage, plan, input)
  for (;;) {
    try {
      const { RecordId, PaymentId } = await stage.once.createPayment({ ...input, idempotencyKey: name })
      return { plan, recordId: RecordId, paymentId: PaymentId }
    } catch (error) {
      if (!isTemporary(error)) throw error
      if (manner === 'gives up') return { plan, recordId: recordOf(error) }
      const seconds = error instanceof FrontdeskProblem ? (error.retryAfter ?? 0) : 0
      await wait(Math.max(100, seconds * 1_000) + Math.random() * 200)
    }
  }
}

type Asked = Parameters<Stage['once']['createPayment']>[0]

/** Without libs/client, which never leaves out the key. */
async function carelesslyAsked(stage: Stage, plan: PlannedPayment, { SiteSlug, body }: Asked): Promise<PlayedPayment> {
  try {
    const answer = await fetch(`${stage.constellation.dev.gateway}/api/v1/sites/${SiteSlug}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await stage.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { RecordId, PaymentId } = (await answer.json()) as { RecordId?: string; PaymentId?: string }
    if (answer.status !== 201 && answer.status < 500) throw new Error(`${plan.name}: ${answer.status}`)
    return { plan, recordId: RecordId, paymentId: PaymentId }
  } catch (error) {
    // The connection was lost: nobody answered, and this client does not ask again.
    if (error instanceof TypeError || error instanceof SyntaxError) return { plan }
    throw error
  }
}

function recordOf(error: unknown): string | undefined {
  const recordId = error instanceof FrontdeskProblem ? error.problem?.['RecordId'] : undefined
  return typeof recordId === 'string' ? recordId : undefined
}

/** 409: the customer came too late, which is right where somebody else was quicker. */
async function act(
  { control }: Stage,
  paymentId: string,
  action: string,
  { name, fate }: PlannedPayment,
): Promise<void> {
  const status = await control(`checkouts/${paymentId}/${action}`)
  if (status === 204 || (status === 409 && fate === 'cancelled while paid')) return
  throw new Error(`${name} (${fate}): the provider answered ${status} to ${action} of ${paymentId}`)
}

/** Cancels until there is an answer: cancelled, or too late (422). */
async function cancelled({ once }: Stage, site: string, recordId: string): Promise<void> {
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
