import type { AccountState, PaymentRecord } from '@frontdesk/contracts'
import { isUnavailable } from '@frontdesk/database'
import { ProblemError, problem } from '@frontdesk/problems'
import { ProviderRefused, type CheckoutRequest, type Provider } from '@frontdesk/providers'
import type { InternalClient, OperationRequest } from '@frontdesk/service'
import { askAccounts } from '../accounts/ask.ts'
import { isOverdue } from './checks.ts'
import { newPayment, type Decision, type Payment } from './domain.ts'
import { applySnapshot, giveUp, refuse } from './outcome.ts'
import { change, enabledProvider, sendStored, toProblem, type PaymentDeps } from './provider.ts'
import { fromRow, historyOf, toStoredNote, toWire, type PaymentRow, type StoredNote } from './rows.ts'
import { findGround, insertPayment, type Ground } from './creation-store.ts'
import { findPayment, saveDecision } from './store.ts'

export interface CreateDeps extends PaymentDeps {
  publicUrl: string
  /** Calls to our own services. */
  internal: InternalClient
}

type Request = OperationRequest<'createPayment'>

/**
 * Makes a payment: our row first, committed with the exact request; then the provider; then what it said.
 *
 * Three round trips to Postgres: (1) what is known of account and site, and whether an earlier try made the payment;
 * (2) the row, without which a crash during the provider's call would lose the payment; (3) the provider's answer with
 * history and event. An Idempotency-Key costs two more, claim and settlement.
 */
export async function createPayment(deps: CreateDeps, request: Request): Promise<PaymentRecord> {
  const { site, body, resourceId } = request
  const ground = await findGround(deps.pool, resourceId, site.slug, body.PaymentProvider)
  if (ground.existing !== undefined) return resumePayment(deps, ground.existing)
  if (ground.siteDeleted) throw problem('site_not_found')
  const provider = enabledProvider(deps.providers, body.PaymentProvider)
  const { order, ...decision } = await decideOn(deps, request, ground)
  const prepared = prepare(() => provider.checkoutRequest(order))
  const inserted = await insertPayment(deps.pool, decision, { request: prepared, traceparent: request.traceparent })
  if (!inserted) return resumePayment(deps, await storedPayment(deps, resourceId))
  return sendNew(deps, provider, decision, prepared, request.traceparent)
}

/** Decides on what our copy of the account says; only the accounts service itself may refuse for want of one. */
async function decideOn(deps: CreateDeps, { site, body, resourceId, traceparent }: Request, ground: Ground) {
  const landingUrl = `${deps.publicUrl}/checkout/done`
  const decide = (account: AccountState | undefined) =>
    newPayment(body, { recordId: resourceId, site, account, landingUrl }, new Date())
  try {
    return decide(ground.account)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'provider_account_not_ready') throw error
    return decide(await askAccounts(deps, site.slug, body.PaymentProvider, traceparent))
  }
}

function prepare(build: () => CheckoutRequest): CheckoutRequest {
  try {
    return build()
  } catch (error) {
    throw toProblem(error)
  }
}

async function sendNew(
  deps: CreateDeps,
  provider: Provider,
  { next: created, history }: Decision,
  request: CheckoutRequest,
  traceparent: string,
): Promise<PaymentRecord> {
  const recordId = created.recordId
  try {
    const checkout = await provider.createCheckout(request)
    const now = new Date()
    const decision = applySnapshot(created, checkout, now)
    const basis = { id: recordId, version: created.version, eventCount: 0, traceparent }
    const saved = await saveDecision(deps.pool, deps, basis, decision, now, undefined)
    if (!saved) {
      // A webhook or the deletion of the site was quicker.
      await change(deps, recordId, (payment) => applySnapshot(payment, checkout, new Date()))
      return wireOf(deps, await storedPayment(deps, recordId))
    }
    deps.relay.wake()
    deps.telemetry.changed({ payment: decision.next, decision })
    return wire(deps, decision.next, [...history, ...decision.history].map(toStoredNote))
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw unknown(error, recordId)
    await change(deps, recordId, (payment, now) => refuse(payment, error, 'request', now))
    throw refusal(error, recordId)
  }
}

/** Goes on where an earlier try under the same Idempotency-Key broke off: same record, same provider request. */
async function resumePayment(deps: CreateDeps, row: PaymentRow): Promise<PaymentRecord> {
  const payment = fromRow(row, deps.ring)
  if (payment.status === 'Created') {
    const provider = enabledProvider(deps.providers, payment.provider)
    if (isOverdue(payment, new Date())) await change(deps, row.id, giveUp)
    else {
      await sendStored(deps, provider, row, 'request').catch((error: unknown) => {
        throw error instanceof ProviderRefused ? refusal(error, row.id) : unknown(error, row.id)
      })
    }
  }
  const current = await storedPayment(deps, row.id)
  if (current.status === 'Failed' && current.paymentId === null) {
    throw problem('provider_rejected', { extensions: { RecordId: row.id }, effect: true })
  }
  return wireOf(deps, current)
}

/** What nobody can know yet: the record stays, and the client learns its id (design section 6). */
function unknown(error: unknown, recordId: string): unknown {
  if (!isUnavailable(error)) return toProblem(error, recordId)
  return problem('service_unavailable', { retryAfter: 1, extensions: { RecordId: recordId }, cause: error })
}

/** A refusal within the request: the failed row stays, so the reply is the outcome of an Idempotency-Key. */
function refusal(error: ProviderRefused, recordId: string): unknown {
  const told = toProblem(error, recordId)
  return told instanceof ProblemError ? problem(told.code, { ...told.options, effect: true }) : told
}

async function storedPayment(deps: PaymentDeps, recordId: string): Promise<PaymentRow> {
  const row = await findPayment(deps.pool, recordId)
  if (row === undefined) throw problem('payment_not_found')
  return row
}

/** A stored payment as the interface shows it. */
export function wireOf(deps: PaymentDeps, row: PaymentRow): PaymentRecord {
  return wire(deps, fromRow(row, deps.ring), historyOf(row))
}

function wire(deps: PaymentDeps, payment: Payment, history: readonly StoredNote[]): PaymentRecord {
  return toWire(payment, history, deps.providers.get(payment.provider)?.publishableKey)
}
