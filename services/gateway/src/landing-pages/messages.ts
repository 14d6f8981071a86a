import { currencyExponent, type AccountStatus, type InternalReply, type PaymentStatus } from '@frontdesk/contracts'
import { formatMoney, majorUnits } from '@frontdesk/pages/formats'
import type { Voice } from '@frontdesk/pages/language'
import type { Message } from '@frontdesk/pages/message'
import { outcomeMessage, type Outcome } from '@frontdesk/pages/outcome'
import { texts, type Texts } from '@frontdesk/pages/texts'

const outcomes: Record<PaymentStatus, Outcome> = {
  Created: 'open',
  Pending: 'open',
  Declined: 'open',
  Processing: 'processing',
  Completed: 'paid',
  Failed: 'failed',
  Cancelled: 'cancelled',
  PartiallyRefunded: 'partlyRefunded',
  Refunded: 'refunded',
  Disputed: 'disputed',
  ChargedBack: 'chargedBack',
}

/** Returns what the page after a checkout tells a payer. A newer release of payments may have a status that this one lacks. */
export function checkoutMessage(
  payment: InternalReply<'getCheckoutOutcome'>,
  practice: string | undefined,
  voice: Voice,
): Message {
  const outcome = (outcomes as Partial<Record<string, Outcome>>)[payment.status]
  if (outcome === undefined) return unknownCheckout(voice)
  const { amount, currency, refundedAmount, reference, paidAt } = payment
  const money = (value: number) => formatMoney(majorUnits(value, currencyExponent(currency)), currency, voice)
  const message = outcomeMessage(
    {
      outcome,
      practice,
      amount: money(amount),
      refunded: refundedAmount === 0 ? undefined : money(refundedAmount),
      reference,
      paidAt: paidAt === undefined ? undefined : new Date(paidAt),
    },
    voice,
  )
  return outcome === 'paid' ? closable(message, voice) : message
}

/** Returns the message after a checkout whose payment cannot be shown: payments or registry does not answer. */
export function unknownCheckout(voice: Voice): Message {
  const { unknown } = texts[voice.language].outcome
  return closable({ tone: 'good', heading: unknown.heading, text: [unknown.text] }, voice)
}

/** Returns the message for an address after checkout that we did not sign, or that no longer shows its payment. */
export function missingCheckout({ language }: Voice): Message {
  const { missing } = texts[language].outcome
  return { tone: 'neutral', heading: missing.heading, text: [missing.text] }
}

type Ending = Exclude<keyof Texts['onboarded'], 'unknown'>

const endings: Record<AccountStatus, { ending: Ending; tone: Message['tone']; goesOn?: true }> = {
  None: { ending: 'unfinished', tone: 'neutral', goesOn: true },
  ActionRequired: { ending: 'unfinished', tone: 'neutral', goesOn: true },
  Pending: { ending: 'checking', tone: 'waiting' },
  Active: { ending: 'done', tone: 'good' },
  Restricted: { ending: 'restricted', tone: 'waiting', goesOn: true },
  Disabled: { ending: 'disabled', tone: 'bad' },
  Rejected: { ending: 'rejected', tone: 'bad' },
}

/** Returns what the page after onboarding tells a practice. `again` leads back into onboarding. */
export function onboardingMessage(
  { status, returnUrl }: InternalReply<'getOnboarding'>,
  practice: string | undefined,
  again: string,
  voice: Voice,
): Message {
  const own = texts[voice.language]
  const found = (endings as Partial<Record<string, (typeof endings)[AccountStatus]>>)[status]
  const { heading, text, next } = { next: undefined, ...own.onboarded[found?.ending ?? 'unknown'] }
  return {
    tone: found?.tone ?? 'waiting',
    heading,
    text: [text],
    facts: [[own.facts.practice, practice]],
    next: [
      found?.goesOn === true && next !== undefined ? { label: next, href: again, isMain: true } : undefined,
      returnUrl === undefined ? undefined : { label: own.backToSoftware, href: returnUrl },
    ],
  }
}

/** Returns the message after an onboarding whose account cannot be shown. */
export function unknownOnboarding(voice: Voice): Message {
  const { unknown } = texts[voice.language].onboarded
  return closable({ tone: 'good', heading: unknown.heading, text: [unknown.text] }, voice)
}

/** Returns the message of an onboarding link that leads nowhere. */
export function linkMessage(reason: keyof Texts['link'], { language }: Voice): Message {
  const { heading, text, next } = texts[language].link[reason]
  return { tone: reason === 'invalid' ? 'neutral' : 'waiting', heading, text: [text, next] }
}

function closable(message: Message, { language }: Voice): Message {
  return { ...message, text: [...message.text, texts[language].close] }
}
