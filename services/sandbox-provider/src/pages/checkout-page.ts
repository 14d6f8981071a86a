import { formatTime } from '@frontdesk/pages/formats'
import { html, type Html } from '@frontdesk/pages/html'
import type { Voice } from '@frontdesk/pages/language'
import { outcomeMessage, type Outcome } from '@frontdesk/pages/outcome'
import { texts } from '@frontdesk/pages/texts'
import { formatAmount } from '../checkout/amounts.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { isPending } from '../checkout/domain.ts'
import type { Account, LineItem, PaymentError } from '../db.ts'
import { messagePage, type Page, shell } from './layout.ts'

export interface CheckoutPageInput {
  checkout: Checkout
  /** the practice's account; undefined for a session of the platform itself */
  account: Account | undefined
  /** the page's own path, `/c/{id}` or `/e/{client secret}`; its forms post below it */
  path: string
  voice: Voice
  now: Date
}

/** Returns the page of a checkout in its current state. */
export function checkoutPage(input: CheckoutPageInput): Page {
  const { session } = input.checkout
  if (session.status === 'complete') return { ...completePage(input), complete: true }
  if (session.status === 'expired' || session.expiresAt <= input.now) return expiredPage(input)
  return payPage(input)
}

/** Returns the page for an unknown checkout; `framed` if it may be embedded in a practice's page. */
export function unknownCheckoutPage(voice: Voice, { framed = false } = {}): Page {
  const { heading, text } = texts[voice.language].checkout.missing
  return messagePage({ tone: 'neutral', heading, text: [text] }, voice, { status: 404, framed })
}

function payPage({ checkout, account, path, voice }: CheckoutPageInput): Page {
  const { session, intent } = checkout
  const { checkout: own, facts, labelled } = texts[voice.language]
  const practice = practiceName(account, voice)
  const total = formatAmount(session.amountTotal, session.currency, voice)
  const code = session.currency.toUpperCase()
  const embedded = session.uiMode === 'embedded_page'
  // With `always`, a finished payment leaves the frame for the session's return address.
  const target = embedded && session.redirectOnCompletion === 'always' ? '_top' : '_self'
  const error = intent?.lastPaymentError
  const body = html`
    <div class="checkout">
      <section class="summary" aria-labelledby="practice">
        ${
          session.cancelUrl !== null &&
          html`<p class="back">
            <a href="${path}/back">${backArrow} ${own.back}<span class="unseen">${own.backDetail(practice)}</span></a>
          </p>`
        }
        <div class="payee">
          <span class="monogram" aria-hidden="true">${monogram(practice)}</span>
          <div>
            <p>${own.paymentTo}</p>
            <h1 id="practice">${practice}</h1>
          </div>
        </div>
        <p class="total">
          <span class="unseen">${own.totalToPay} </span
          >${total}${!total.includes(code) && html` <span class="currency">${code}</span>`}
        </p>
        ${itemList(session.lineItems, session.currency, total, voice)}
        ${
          session.paymentDescription !== null &&
          html`<p class="hint">${labelled(facts.reference, session.paymentDescription)}</p>`
        }
        <p class="hint">${own.openUntil(formatTime(session.expiresAt, voice))}</p>
      </section>

      <section class="card pay" aria-labelledby="pay-heading">
        <h2 id="pay-heading">${own.payByCard}</h2>
        ${error && declinedAlert(error, session, voice)}
        <div class="test-card" role="group" aria-label="${own.testCardLabel}">
          <p class="test-card-kind" aria-hidden="true">${own.testCard}</p>
          <p class="test-card-number" aria-hidden="true">4242 4242 4242 4242</p>
          <p class="test-card-row" aria-hidden="true"><span>${own.validTo}</span><span>Visa</span></p>
        </div>
        <p class="hint" id="pay-hint">${own.hint}</p>
        <form method="post" action="${path}/pay" target="${target}">
          <button class="button button-main" type="submit" aria-describedby="pay-hint">${own.pay(total)}</button>
        </form>
        <form method="post" action="${path}/decline">
          <button class="button button-quiet" type="submit">${own.decline}</button>
        </form>
        <details class="more">
          <summary>${own.other}</summary>
          <p class="hint">${own.otherHint}</p>
          <form method="post" action="${path}/insufficient">
            <button class="button button-quiet" type="submit">${own.noMoney}</button>
          </form>
          <form method="post" action="${path}/delay" target="${target}">
            <button class="button button-quiet" type="submit">${own.bankDebit}</button>
          </form>
        </details>
      </section>
    </div>
  `
  return {
    title: `${error ? `${own.declinedTitle} ` : ''}${own.title(total, practice)}`,
    voice,
    body: shell(body, voice),
    framed: embedded,
  }
}

/** Returns why the last attempt failed. It takes the focus: by itself, or in a frame by the frame's script. */
function declinedAlert(error: PaymentError, session: Checkout['session'], { language }: Voice): Html {
  const own = texts[language].checkout
  const embedded = session.uiMode === 'embedded_page'
  return html`<div class="alert" role="alert" id="error" tabindex="-1" ${embedded ? html`data-focus` : html`autofocus`}>
    <p class="alert-title">${error.decline_code === 'insufficient_funds' ? own.noFunds : own.declined}</p>
    <p>${session.cancelUrl === null ? own.notCharged : own.notChargedOrBack}</p>
  </div>`
}

function itemList(items: LineItem[], currency: string, total: string, voice: Voice): Html {
  const own = texts[voice.language].checkout
  const amount = (value: number) => formatAmount(value, currency, voice)
  return html`
    <h2 class="unseen">${own.items}</h2>
    <ul class="items">
      ${items.map(
        (item) =>
          html`<li>
            <div>
              <p class="item-name">${item.name}</p>
              ${item.description && html`<p class="item-detail">${item.description}</p>`}
              ${item.quantity > 1 && html`<p class="item-detail">${own.quantity(item.quantity, amount(item.unitAmount))}</p>`}
            </div>
            <p class="item-price">${amount(item.unitAmount * item.quantity)}</p>
          </li>`,
      )}
    </ul>
    <p class="sum"><span>${own.total}</span><span>${total}</span></p>
  `
}

/** Returns what has become of a completed checkout: money that went back counts more than that it was paid. */
function outcomeOf(checkout: Checkout): Outcome {
  const { session, charge, disputes } = checkout
  if (session.paymentStatus !== 'paid') return isPending(checkout) ? 'processing' : 'failed'
  const dispute = disputes.at(-1)?.status
  if (dispute === 'lost') return 'chargedBack'
  if (dispute === 'needs_response') return 'disputed'
  const refunded = charge?.amountRefunded ?? 0
  if (refunded === 0) return 'paid'
  return refunded < session.amountTotal ? 'partlyRefunded' : 'refunded'
}

function completePage({ checkout, account, path, voice }: CheckoutPageInput): Page {
  const { session, charge } = checkout
  const own = texts[voice.language]
  const framed = session.uiMode === 'embedded_page'
  const outcome = outcomeOf(checkout)
  const refunded = charge?.amountRefunded ?? 0
  const address = session.successUrl ?? session.returnUrl
  const forward =
    address === null || framed ? undefined : { label: own.continue, href: returnAddress(address, session.id) }
  const message = outcomeMessage(
    {
      outcome,
      practice: account?.businessName ?? undefined,
      amount: formatAmount(session.amountTotal, session.currency, voice),
      refunded: refunded === 0 ? undefined : formatAmount(refunded, session.currency, voice),
      reference: session.paymentDescription ?? undefined,
      paidAt: session.paymentStatus === 'paid' ? charge?.createdAt : undefined,
    },
    voice,
  )
  const next = outcome === 'failed' ? backToPractice(checkout, account, voice) : forward
  const extra = outcome === 'processing' ? bankControls(path, voice) : undefined
  return messagePage({ ...message, next: [next], extra }, voice, { framed })
}

function bankControls(path: string, { language }: Voice): Html {
  const own = texts[language].checkout
  return html`<details class="more">
    <summary>${own.bank}</summary>
    <p class="hint">${own.bankHint}</p>
    <form method="post" action="${path}/settle">
      <button class="button button-quiet" type="submit">${own.bankPays}</button>
    </form>
    <form method="post" action="${path}/fail">
      <button class="button button-quiet" type="submit">${own.bankRefuses}</button>
    </form>
  </details>`
}

function expiredPage({ checkout, account, voice }: CheckoutPageInput): Page {
  const { closed } = texts[voice.language].checkout
  const { facts } = texts[voice.language]
  const { session } = checkout
  return messagePage(
    {
      tone: 'neutral',
      heading: closed.heading,
      text: [closed.text, closed.next(html`<strong>${practiceName(account, voice)}</strong>`)],
      facts: [
        [facts.practice, account?.businessName ?? undefined],
        [facts.amount, formatAmount(session.amountTotal, session.currency, voice)],
        [facts.reference, session.paymentDescription ?? undefined],
      ],
      next: [backToPractice(checkout, account, voice)],
    },
    voice,
    { status: 410, framed: session.uiMode === 'embedded_page' },
  )
}

function backToPractice({ session }: Checkout, account: Account | undefined, voice: Voice) {
  if (session.cancelUrl === null) return undefined
  return { label: texts[voice.language].backTo(practiceName(account, voice)), href: session.cancelUrl }
}

/** Returns the address for a customer who has paid, with the session's id in place of its placeholder. */
export function returnAddress(address: string, sessionId: string): string {
  return address.replaceAll('{CHECKOUT_SESSION_ID}', sessionId)
}

function practiceName(account: Account | undefined, { language }: Voice): string {
  return account?.businessName ?? texts[language].yourPractice
}

function monogram(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => Array.from(word).slice(0, 1))
  return letters.slice(0, 2).join('').toUpperCase()
}

const backArrow = html`<svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16">
  <path
    d="M10 3 5 8l5 5"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
  />
</svg>`
