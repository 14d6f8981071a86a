import type { Fate } from './plan.ts'

/** What is done with a payment, by its customer, the bank, the practice or its client. */
export interface Actions {
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

/** A step on the way to a fate, with the words for the report. */
export interface Step {
  name: string
  take(actions: Actions): Promise<unknown>
}

const doing = (action: string): Step => ({ name: action, take: ({ atProvider }) => atProvider(action) })
const pay = doing('pay')
const cancel: Step = { name: 'cancel', take: (actions) => actions.cancel() }
const refund = (amount?: number): Step => ({
  name: amount === undefined ? 'refund the rest' : 'refund a part',
  take: (actions) => actions.refund(amount),
})
const recorded: Step = { name: 'recorded as paid', take: (actions) => actions.recorded() }
const failed: Step = { name: 'refunds recorded as failed', take: (actions) => actions.failed() }
const undisputed: Step = { name: 'dispute recorded as over', take: (actions) => actions.undisputed() }
const atOnce = (...steps: Step[]): Step => ({
  name: steps.map(({ name }) => name).join(' while '),
  take: (actions) => Promise.all(steps.map((step) => step.take(actions))),
})

/** The steps to each fate. */
export const stepsOf: Record<Fate, readonly Step[]> = {
  paid: [pay],
  'declined, then paid': [doing('decline'), pay],
  'declined, then expired': [doing('decline'), doing('expire')],
  'delayed, then settled': [doing('delay'), doing('settle')],
  'delayed, then failed': [doing('delay'), doing('fail')],
  failed: [doing('fail')],
  'turned back, then paid': [doing('back'), pay],
  'turned back, then expired': [doing('back'), doing('expire')],
  expired: [doing('expire')],
  cancelled: [cancel],
  'cancelled while paid': [atOnce(cancel, pay)],
  'refunded in part': [pay, recorded, refund(50)],
  refunded: [pay, recorded, refund(50), refund()],
  'refunded by two at once': [pay, recorded, atOnce(refund(), refund())],
  'refund failing later': [pay, recorded, refund(50), doing('fail-refund')],
  'refund failing, then again': [pay, recorded, refund(), doing('fail-refund'), failed, refund()],
  'refunded in the dashboard': [pay, doing('refund?amount=50'), doing('refund?amount=30')],
  'refunded here and in the dashboard': [pay, recorded, atOnce(refund(50), doing('refund?amount=60'))],
  'disputed, won': [pay, doing('dispute'), doing('win-dispute')],
  'disputed, lost': [pay, doing('dispute'), doing('lose-dispute')],
  'refunded in part, then disputed and lost': [pay, recorded, refund(50), doing('dispute'), doing('lose-dispute')],
  'dispute won, then refunded': [pay, doing('dispute'), doing('win-dispute'), recorded, undisputed, refund()],
  'dispute lost, then won': [
    pay,
    doing('dispute'),
    doing('lose-dispute'),
    doing('reopen-dispute'),
    doing('win-dispute'),
  ],
}
