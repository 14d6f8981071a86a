import { formatTime } from './formats.ts'
import { html, type Html } from './html.ts'
import type { Voice } from './language.ts'
import type { Message } from './message.ts'
import { texts } from './texts/index.ts'

/** The outcome of a payment, as far as the person who pays needs to know it. */
export type Outcome =
  | 'open'
  | 'paid'
  | 'processing'
  | 'failed'
  | 'cancelled'
  | 'refunded'
  | 'partlyRefunded'
  | 'disputed'
  | 'chargedBack'

export interface PayersPayment {
  outcome: Outcome
  /** The practice's name; undefined if it is not known. */
  practice: string | undefined
  /** Amounts as they are shown. */
  amount: string
  refunded?: string | undefined
  reference?: string | undefined
  paidAt?: Date | undefined
}

const tones: Record<Outcome, Message['tone']> = {
  open: 'waiting',
  paid: 'good',
  processing: 'waiting',
  failed: 'bad',
  cancelled: 'neutral',
  refunded: 'neutral',
  partlyRefunded: 'neutral',
  disputed: 'waiting',
  chargedBack: 'neutral',
}

/** Returns the message for a payer: the outcome, the next step, and practice, amount, reference and time. */
export function outcomeMessage(payment: PayersPayment, voice: Voice): Message {
  const own = texts[voice.language]
  const name = payment.practice ?? own.yourPractice
  const { heading, next } = own.outcome[payment.outcome]
  return {
    tone: tones[payment.outcome],
    heading,
    text: [sentence(payment, name, voice), typeof next === 'function' ? next(name) : next],
    facts: [
      [own.facts.practice, payment.practice],
      [own.facts.amount, payment.amount],
      [own.facts.refunded, payment.refunded],
      [own.facts.reference, payment.reference],
      [own.facts.paidAt, payment.paidAt && formatTime(payment.paidAt, voice)],
    ],
  }
}

function sentence({ outcome, amount, refunded = '' }: PayersPayment, name: string, { language }: Voice): Html {
  const own = texts[language].outcome
  const [money, practice] = [strong(amount), strong(name)]
  return outcome === 'partlyRefunded'
    ? own.partlyRefunded.text(strong(refunded), money, practice)
    : own[outcome].text(money, practice)
}

const strong = (text: string): Html => html`<strong>${text}</strong>`
