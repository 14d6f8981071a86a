import { formatAmount, pageLocale } from '../checkout/amounts.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { isPending } from '../checkout/domain.ts'
import type { Account, LineItem } from '../db.ts'
import { html, type Html } from './html.ts'
import { messagePage, type Page, shell } from './layout.ts'

export interface CheckoutPageInput {
  checkout: Checkout
  /** the practice's account; undefined for a session of the platform itself */
  account: Account | undefined
  /** the page's own path, `/c/{id}` or `/e/{client secret}`; its forms post below it */
  path: string
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
export function unknownCheckoutPage({ framed = false } = {}): Page {
  return messagePage({
    status: 404,
    framed,
    language: 'en',
    tone: 'neutral',
    heading: 'We could not find this payment page',
    text: [
      'The link may be incomplete or mistyped. Please open it again from the message you received, or ask your practice ' +
        'for a new one.',
    ],
  })
}

function payPage({ checkout, account, path }: CheckoutPageInput): Page {
  const { session, intent } = checkout
  const practice = practiceName(account)
  const country = account?.country ?? ''
  const total = formatAmount(session.amountTotal, session.currency, country)
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
            <a href="${path}/back">${backArrow} Back<span class="unseen"> to ${practice} without paying</span></a>
          </p>`
        }
        <div class="payee">
          <span class="monogram" aria-hidden="true">${monogram(practice)}</span>
          <div>
            <p>Payment to</p>
            <h1 id="practice">${practice}</h1>
          </div>
        </div>
        <p class="total">
          <span class="unseen">Total to pay: </span
          >${total}${!total.includes(code) && html` <span class="currency">${code}</span>`}
        </p>
        ${itemList(session.lineItems, session.currency, country, total)}
      </section>

      <section class="card pay" aria-labelledby="pay-heading">
        <h2 id="pay-heading">Pay by card</h2>
        ${
          error &&
          html`<div class="alert" role="alert" id="error" tabindex="-1" ${!embedded && html`autofocus`}>
            <p class="alert-title">${error.message}</p>
            <p>
              You have not been charged. You can try
              again${session.cancelUrl !== null && ' or go back to the practice'}.
            </p>
          </div>`
        }
        <div class="test-card" role="group" aria-label="Test card, Visa ending in 4242, expires 12/34">
          <p class="test-card-kind" aria-hidden="true">Test card</p>
          <p class="test-card-number" aria-hidden="true">4242 4242 4242 4242</p>
          <p class="test-card-row" aria-hidden="true"><span>Valid to 12/34</span><span>Visa</span></p>
        </div>
        <p class="hint" id="pay-hint">
          This card is filled in for you. It belongs to nobody, and nothing is taken from any account.
        </p>
        <form method="post" action="${path}/pay" target="${target}">
          <button class="button button-main" type="submit" aria-describedby="pay-hint">Pay ${total}</button>
        </form>
        <form method="post" action="${path}/decline">
          <button class="button button-quiet" type="submit">Decline this card</button>
        </form>
        <details class="more">
          <summary>Try another outcome</summary>
          <p class="hint">For people who test: what else can happen to a payment.</p>
          <form method="post" action="${path}/insufficient">
            <button class="button button-quiet" type="submit">Card without enough money</button>
          </form>
          <form method="post" action="${path}/delay" target="${target}">
            <button class="button button-quiet" type="submit">Bank debit, confirmed later</button>
          </form>
        </details>
      </section>
    </div>
  `
  return {
    title: `${error ? 'Payment declined. ' : ''}Pay ${total} to ${practice}`,
    language: pageLocale(country),
    body: shell(body),
    framed: embedded,
  }
}

function itemList(items: LineItem[], currency: string, country: string, total: string): Html {
  const amount = (value: number) => formatAmount(value, currency, country)
  return html`
    <h2 class="unseen">What you are paying for</h2>
    <ul class="items">
      ${items.map(
        (item) =>
          html`<li>
            <div>
              <p class="item-name">${item.name}</p>
              ${item.description && html`<p class="item-detail">${item.description}</p>`}
              ${item.quantity > 1 && html`<p class="item-detail">Quantity ${item.quantity}, ${amount(item.unitAmount)} each</p>`}
            </div>
            <p class="item-price">${amount(item.unitAmount * item.quantity)}</p>
          </li>`,
      )}
    </ul>
    <p class="sum"><span>Total</span><span>${total}</span></p>
  `
}

function completePage(input: CheckoutPageInput): Page {
  const { checkout, account, path } = input
  const { session } = checkout
  const practice = practiceName(account)
  const amount = formatAmount(session.amountTotal, session.currency, account?.country ?? '')
  const shared = { language: pageLocale(account?.country ?? ''), framed: session.uiMode === 'embedded_page' }
  const address = session.successUrl ?? session.returnUrl
  const next =
    address === null || shared.framed ? undefined : { label: 'Continue', href: returnAddress(address, session.id) }
  if (session.paymentStatus === 'paid') {
    return messagePage({
      ...shared,
      tone: 'good',
      heading: 'Payment received',
      text: [
        html`Thank you. You paid <strong>${amount}</strong> to <strong>${practice}</strong>.`,
        'There is nothing more to do. You can close this page.',
      ],
      next,
    })
  }
  if (isPending(checkout)) {
    return messagePage({
      ...shared,
      tone: 'waiting',
      heading: 'Your payment is on its way',
      text: [
        html`Your bank has been asked for <strong>${amount}</strong> to <strong>${practice}</strong>.`,
        'This can take a few days. The practice is told as soon as the money arrives, so please do not pay again.',
      ],
      next,
      extra: bankControls(path),
    })
  }
  return messagePage({
    ...shared,
    tone: 'bad',
    heading: 'The payment did not go through',
    text: [
      html`Your bank could not collect <strong>${amount}</strong>, and you have not been charged.`,
      `Please contact ${practice} for another way to pay.`,
    ],
    next: backToPractice(checkout, practice),
  })
}

function bankControls(path: string): Html {
  return html`<details class="more">
    <summary>Decide for the bank</summary>
    <p class="hint">For people who test: end the waiting.</p>
    <form method="post" action="${path}/settle">
      <button class="button button-quiet" type="submit">The money arrives</button>
    </form>
    <form method="post" action="${path}/fail">
      <button class="button button-quiet" type="submit">The bank refuses</button>
    </form>
  </details>`
}

function expiredPage({ checkout, account }: CheckoutPageInput): Page {
  const practice = practiceName(account)
  return messagePage({
    status: 410,
    language: pageLocale(account?.country ?? ''),
    framed: checkout.session.uiMode === 'embedded_page',
    tone: 'neutral',
    heading: 'This payment page is no longer open',
    text: [
      'You have not been charged.',
      html`If you still need to pay, please ask <strong>${practice}</strong> for a new link.`,
    ],
    next: backToPractice(checkout, practice),
  })
}

function backToPractice({ session }: Checkout, practice: string): { label: string; href: string } | undefined {
  return session.cancelUrl === null ? undefined : { label: `Back to ${practice}`, href: session.cancelUrl }
}

/** Returns the address for a customer who has paid, with the session's id in place of its placeholder. */
export function returnAddress(address: string, sessionId: string): string {
  return address.replaceAll('{CHECKOUT_SESSION_ID}', sessionId)
}

function practiceName(account: Account | undefined): string {
  return account?.businessName ?? 'your practice'
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
