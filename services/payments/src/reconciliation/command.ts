import type { Bus } from '@frontdesk/events'
import type { Call, Command } from '@frontdesk/operate'
import {
  isProviderError,
  ProviderRefused,
  type ListedCheckout,
  type Provider,
  type ProviderCheckout,
} from '@frontdesk/providers'
import { validate as isUuid } from 'uuid'
import type { PaymentDeps } from '../payment/deps.ts'
import type { Payment } from '../payment/domain.ts'
import { applySnapshot } from '../payment/outcome.ts'
import { follow } from '../payment/provider.ts'
import { fromRow, type PaymentRow } from '../payment/wire.ts'
import { restoredPayment, whyNotRestorable, type ListedAccount } from './domain.ts'
import { createSentEvents, type SentEvents } from './sent-events.ts'
import { findAccounts, findListedPayments, insertRestored } from './store.ts'

type Deps = PaymentDeps & { sentEvents: SentEvents }

const dayMs = 24 * 60 * 60 * 1000
/** A checkout can be paid for a day: one that was paid since then may have been created a day earlier. */
const checkoutLifeMs = dayMs
const accountsAtATime = 8

/** Compares the checkouts at the providers with our payments, and repairs ours. */
export const reconcileCommand: Command<PaymentDeps & { bus: Bus }> = {
  name: 'reconcile payments',
  usage: '[--since TIME]',
  does: 'Finds checkouts at the providers that our payments do not know, or know in an earlier state, and repairs the payments. Default: one day ago.',
  options: { since: 'string' },
  async run(deps, call) {
    const createdFrom = new Date((call.time('since')?.getTime() ?? Date.now() - dayMs) - checkoutLifeMs)
    const accounts = await findAccounts(deps.pool, createdFrom)
    const reconciling = { ...deps, sentEvents: createSentEvents(deps.bus, createdFrom) }
    for (let index = 0; index < accounts.length; index += accountsAtATime) {
      const some = accounts.slice(index, index + accountsAtATime)
      await Promise.all(some.map((account) => reconcileAccount(reconciling, account, createdFrom, call)))
    }
    call.say(`since ${createdFrom.toISOString()}: ${call.progress.summary() || 'no account has a checkout'}`)
    return call.progress.count('not repaired') === 0
  },
}

async function reconcileAccount(deps: Deps, account: ListedAccount, createdFrom: Date, call: Call): Promise<void> {
  const provider = deps.providers.get(account.provider, 'checks')
  if (provider === undefined) return leave(call, account, 'the provider is not configured')
  call.progress.add({ accounts: 1 })
  let after: string | undefined
  try {
    do {
      const page = await provider.listCheckouts(account.providerAccountId, { createdFrom, after })
      await reconcilePage(deps, provider, account, page.checkouts, call)
      for (const { id, recordId, reason } of page.unreadable)
        leave(call, account, `we do not understand checkout ${id} of payment ${recordId}: ${reason}`)
      after = page.after
    } while (after !== undefined)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    // The provider closes what a deleted account had; nothing can be paid there any more.
    if (account.isDeleted) call.progress.add({ 'deleted accounts': 1 })
    else leave(call, account, `the provider refuses the account: ${error.message}`)
  }
}

async function reconcilePage(
  deps: Deps,
  provider: Provider,
  account: ListedAccount,
  listed: readonly ListedCheckout[],
  call: Call,
): Promise<void> {
  const ours = listed.filter(({ recordId }) => isUuid(recordId))
  call.progress.add({ checkouts: ours.length })
  const ids = ours.map(({ recordId }) => recordId)
  const rows = await findListedPayments(
    deps.pool,
    ids,
    ours.map(({ checkout }) => checkout.id),
  )
  for (const each of ours) {
    const row = rows.find(({ id, paymentId }) => id === each.recordId || paymentId === each.checkout.id)
    if (row === undefined) await restore(deps, account, each, call)
    else await bringForward(deps, provider, account, { row, listed: each }, call)
  }
}

/** Makes a payment again that we do not know. */
async function restore(deps: Deps, account: ListedAccount, listed: ListedCheckout, call: Call): Promise<void> {
  const reason = whyNotRestorable(listed, account)
  if (reason !== undefined || listed.origin === undefined) return leave(call, account, reason ?? '', listed)
  const now = new Date()
  const restored = restoredPayment(listed, listed.origin, account, now)
  call.say(`unknown: ${nameOf(account, listed)} is ${restored.next.status}, payment ${listed.recordId}`)
  if (call.dryRun) return call.progress.add({ 'to be restored': 1 })
  const wasSent = await deps.sentEvents(account.siteSlug, listed.recordId)
  const decision = { ...restored, events: restored.events.filter((event) => !wasSent(event)) }
  if (!(await insertRestored(deps, decision, now))) return
  deps.metrics.changed(decision)
  call.progress.add({ restored: 1 })
}

/** Has a payment that we know in an earlier state follow its checkout, as a check does. */
async function bringForward(
  deps: Deps,
  provider: Provider,
  account: ListedAccount,
  { row, listed }: { row: PaymentRow; listed: ListedCheckout },
  call: Call,
): Promise<void> {
  const { checkout } = listed
  const payment = fromRow(row, deps.ring)
  if (payment.providerAccountId !== account.providerAccountId || payment.provider !== account.provider) {
    return leave(call, account, `it names payment ${row.id}, which is of another account`, listed)
  }
  if (payment.paymentId !== undefined && payment.paymentId !== checkout.id) {
    // Nobody can pay it any more, so there is nothing to repair.
    if (checkout.status === 'expired' && checkout.paymentStatus === 'unpaid') return
    return leave(call, account, `payment ${row.id} has another checkout, ${payment.paymentId}`, listed)
  }
  if (applySnapshot(payment, await withRefunds(provider, payment, checkout), new Date()).next === payment) return
  call.say(`behind: ${nameOf(account, listed)}, payment ${row.id} is ${payment.status} here`)
  if (call.dryRun) return call.progress.add({ 'to be brought forward': 1 })
  try {
    const key = { id: checkout.id, providerAccountId: account.providerAccountId }
    await follow(deps, provider, payment, key, { wasSent: await deps.sentEvents(account.siteSlug, row.id) })
    call.progress.add({ 'brought forward': 1 })
  } catch (error) {
    if (!isProviderError(error)) throw error
    leave(call, account, `the provider does not tell: ${error.message}`, listed)
  }
}

/** Returns the checkout with its refunds, also if its charge no longer shows any: those that we know may have failed since. */
async function withRefunds(
  provider: Provider,
  payment: Payment,
  checkout: ProviderCheckout,
): Promise<ProviderCheckout> {
  const { providerAccountId, paymentIntentId, refunds } = payment
  if (refunds.length === 0 || checkout.refunds.length > 0 || paymentIntentId === undefined) return checkout
  return { ...checkout, refunds: await provider.listRefunds({ providerAccountId, paymentIntentId }) }
}

/** Names what a person must look at. */
function leave(call: Call, account: ListedAccount, reason: string, listed?: ListedCheckout): void {
  call.say(`not repaired: ${nameOf(account, listed)}: ${reason}`)
  call.progress.add({ 'not repaired': 1 })
}

function nameOf({ provider, providerAccountId }: ListedAccount, listed?: ListedCheckout): string {
  if (listed === undefined) return `${provider} ${providerAccountId}`
  const { id, paymentStatus, amountTotal, currency } = listed.checkout
  return `${provider} ${providerAccountId} ${id} (${paymentStatus}, ${amountTotal} ${currency} minor units)`
}
