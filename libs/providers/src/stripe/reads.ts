import type Stripe from 'stripe'
import { isProviderError, isUnreadable, UnreadableAnswer } from '../errors.ts'
import type {
  CheckoutKey,
  CheckoutPage,
  ListedCheckout,
  ProviderCheckout,
  ProviderDispute,
  ProviderRefund,
  UnreadableCheckout,
} from '../port.ts'
import { items, text, time, unreadable } from './answers.ts'
import { checkoutOrigin } from './checkout-metadata.ts'
import { disputedCharge, refundedIntent, toProviderCheckout, toProviderDispute } from './checkout.ts'
import { toProviderRefund } from './refunds.ts'
import type { SdkCall } from './sdk.ts'

type Session = Stripe.Checkout.Session

/** Reads a checkout with its refunds and its newest dispute, as the port says. */
export async function retrieveCheckout(
  stripe: Stripe,
  call: SdkCall,
  { id, providerAccountId: account }: CheckoutKey,
  facts?: { hasRefunds: boolean },
): Promise<ProviderCheckout> {
  const { session, checkout } = await call('retrieveCheckout', { account, harmless: true }, async (options) => {
    const answer = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }, options)
    return { session: answer, checkout: toProviderCheckout(answer) }
  })
  return { ...checkout, ...(await moneyMoves(stripe, call, account, session, facts)) }
}

const checkoutsInPage = 100

/** Reads a page of an account's checkouts, as the port says. */
export async function listCheckouts(
  stripe: Stripe,
  call: SdkCall,
  account: string,
  { createdFrom, after }: { createdFrom: Date; after?: string | undefined },
): Promise<CheckoutPage> {
  const { sessions, next } = await call('listCheckouts', { account, harmless: true }, async (options) => {
    const page = await stripe.checkout.sessions.list(
      {
        created: { gte: Math.floor(createdFrom.getTime() / 1000) },
        limit: checkoutsInPage,
        expand: ['data.payment_intent.latest_charge'],
        ...(after === undefined ? {} : { starting_after: after }),
      },
      options,
    )
    return { sessions: items(page, 'the list of sessions'), next: nextPage(page) }
  })
  const checkouts: ListedCheckout[] = []
  const misunderstood: UnreadableCheckout[] = []
  for (const session of sessions) {
    const recordId = session?.metadata?.['recordId']
    // A session that names no payment is none of ours.
    if (recordId === undefined) continue
    try {
      const listed = { ...toListedCheckout(session), recordId }
      const moves = await moneyMoves(stripe, call, account, session)
      checkouts.push({ ...listed, checkout: { ...listed.checkout, ...moves } })
    } catch (error) {
      // Of a failed call the whole page fails; what we do not understand must not hide the other checkouts.
      if (isProviderError(error) && !isUnreadable(error)) throw error
      misunderstood.push({ id: String(session.id), recordId, reason: unreadable(error).message })
    }
  }
  return { checkouts, unreadable: misunderstood, after: next }
}

function toListedCheckout(session: Session): Omit<ListedCheckout, 'recordId'> {
  return {
    checkout: toProviderCheckout(session),
    createdAt: time(session.created, 'the time of the session'),
    uiMode: session.ui_mode === 'embedded_page' ? 'Embedded' : 'Hosted',
    origin: checkoutOrigin(session),
  }
}

/** Reads what the charge of a session itself only hints at. */
async function moneyMoves(
  stripe: Stripe,
  call: SdkCall,
  account: string,
  session: Session,
  { hasRefunds }: { hasRefunds: boolean } = { hasRefunds: false },
): Promise<{ refunds: ProviderRefund[]; dispute: ProviderDispute | undefined }> {
  const paymentIntentId = refundedIntent(session, hasRefunds)
  const charge = disputedCharge(session)
  const [refunds, dispute] = await Promise.all([
    paymentIntentId === undefined ? [] : listRefunds(stripe, call, { providerAccountId: account, paymentIntentId }),
    charge === undefined ? undefined : newestDispute(stripe, call, account, charge),
  ])
  return { refunds, dispute }
}

/** Reads all refunds of a payment, oldest first. */
export function listRefunds(
  stripe: Stripe,
  call: SdkCall,
  { providerAccountId: account, paymentIntentId }: { providerAccountId: string; paymentIntentId: string },
): Promise<ProviderRefund[]> {
  return allRefunds((after) =>
    call('listRefunds', { account, harmless: true }, (options) => refundPage(stripe, paymentIntentId, after, options)),
  )
}

/** Returns the refund of ours that a request has made before; undefined if Stripe knows none. */
export async function refundMadeBefore(
  stripe: Stripe,
  { payment_intent: intent, metadata }: Stripe.RefundCreateParams,
  options: Stripe.RequestOptions,
): Promise<ProviderRefund | undefined> {
  const sought = metadata === '' ? undefined : metadata?.['refundId']
  const refunds = await allRefunds((after) => refundPage(stripe, intent ?? '', after, options))
  return refunds.find(({ refundId }) => refundId !== undefined && refundId === sought)
}

interface RefundPage {
  refunds: ProviderRefund[]
  next: string | undefined
}

async function allRefunds(page: (after: string | undefined) => Promise<RefundPage>): Promise<ProviderRefund[]> {
  const found: ProviderRefund[] = []
  let after: string | undefined
  do {
    const { refunds, next } = await page(after)
    found.push(...refunds)
    after = next
  } while (after !== undefined)
  return found.toReversed()
}

async function refundPage(
  stripe: Stripe,
  paymentIntentId: string,
  after: string | undefined,
  options: Stripe.RequestOptions,
): Promise<RefundPage> {
  const from = after === undefined ? {} : { starting_after: after }
  const page = await stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100, ...from }, options)
  return { refunds: items(page, 'the list of refunds').map(toProviderRefund), next: nextPage(page, after) }
}

/** The list is newest first. */
async function newestDispute(
  stripe: Stripe,
  call: SdkCall,
  account: string,
  charge: string,
): Promise<ProviderDispute | undefined> {
  return call('listDisputes', { account, harmless: true }, async (options) => {
    const [newest] = items(await stripe.disputes.list({ charge, limit: 1 }, options), 'the list of disputes')
    return newest && toProviderDispute(newest)
  })
}

/** Returns what begins the next page; undefined on the last one. Throws UnreadableAnswer if the list would never end. */
function nextPage(page: { data: { id: string }[]; has_more: boolean }, after?: string): string | undefined {
  const last = page.has_more ? text(page.data.at(-1)?.id, 'the id that begins the next page') : undefined
  if (last !== undefined && last === after) throw new UnreadableAnswer('the list does not end')
  return last
}
