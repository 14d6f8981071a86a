import type { AccountState, PaymentRecord } from '@frontdesk/contracts'
import { isUnavailable } from '@frontdesk/database'
import { problem, ProblemError } from '@frontdesk/problems'
import { enabledProvider, ProviderRefused } from '@frontdesk/providers'
import type { OperationRequest } from '@frontdesk/service/http'
import { askAccounts } from '../accounts/ask.ts'
import { landingAddress } from '../landing/address.ts'
import type { PaymentDeps } from '../payment/deps.ts'
import { newPayment } from '../payment/domain.ts'
import { ignoreUnavailable, isSurelyUnsent } from '../payment/failures.ts'
import { applySnapshot, giveUp, refuse, withdraw } from '../payment/outcome.ts'
import { toProblem } from '../payment/provider.ts'
import { isOverdue } from '../payment/schedule.ts'
import { changePayment, findPayment, type Changed } from '../payment/store.ts'
import { fromRow, historyOf, requestOf, toWire, type PaymentRow } from '../payment/wire.ts'
import { findBasis, insertPayment, type NewPayment } from './store.ts'

type Request = OperationRequest<'createPayment'>

/**
 * Creates a payment. It is stored with the exact provider request before the provider is called, so a crash during the
 * call loses nothing: the same Idempotency-Key (which has the same `resourceId`) resumes it, and so do the checks.
 */
export async function createPayment(
  deps: PaymentDeps,
  request: Request,
): Promise<{ status: 201; body: PaymentRecord }> {
  const { site, body, resourceId: recordId } = request
  request.act.about(`payment:${recordId}`)
  const basis = await findBasis(deps.pool, recordId, site.slug, body.PaymentProvider)
  let row: PaymentRow | undefined
  if (basis.mayInsert) row = await insertPayment(deps.pool, await decide(deps, request, basis.account))
  row ??= await findPayment(deps.pool, recordId)
  if (row === undefined) throw problem('site_not_found')

  const isResumable = request.headers['idempotency-key'] !== undefined
  const { payment, history } = await send(deps, row, basis.askedAt, isResumable)
  if (payment.status === 'Failed' && payment.paymentId === undefined) {
    throw problem('provider_rejected', { extensions: { RecordId: recordId }, effect: true })
  }
  return { status: 201, body: toWire(deps, payment, history) }
}

/** Decides on our copy of the account. If the copy cannot charge, the accounts service has the last word. */
async function decide(deps: PaymentDeps, request: Request, copy: AccountState | undefined): Promise<NewPayment> {
  try {
    return decideOn(deps, request, copy)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'provider_account_not_ready') throw error
    const { site, body, traceparent } = request
    return decideOn(deps, request, await askAccounts(deps, site.slug, body.PaymentProvider, traceparent))
  }
}

function decideOn(deps: PaymentDeps, request: Request, account: AccountState | undefined): NewPayment {
  const { site, body, resourceId: recordId, traceparent, act } = request
  const provider = enabledProvider(deps.providers, body.PaymentProvider)
  const landingUrl = landingAddress(deps.ring, deps.origin.publicUrl, recordId)
  const { order, ...decision } = newPayment(body, { recordId, site, account, landingUrl }, new Date())
  try {
    return { decision, request: provider.checkoutRequest(order), traceparent, schedule: deps.schedule, act }
  } catch (error) {
    throw toProblem(error)
  }
}

/** Sends the stored request of a payment that is still `Created`, and saves the provider's answer. */
async function send(deps: PaymentDeps, row: PaymentRow, askedAt: Date, isResumable: boolean): Promise<Changed> {
  const payment = fromRow(row, deps.ring)
  if (payment.status !== 'Created') return { payment, history: historyOf(row) }
  const provider = enabledProvider(deps.providers, payment.provider)
  const { idempotencyWindowMs } = provider.capabilities
  if (isOverdue(payment, new Date(), idempotencyWindowMs)) return changePayment(deps, row.id, giveUp)
  try {
    const checkout = await provider.createCheckout(requestOf(row))
    return await changePayment(deps, row.id, (current, now) => applySnapshot(current, checkout, now), {
      basis: row,
      askedAt,
    })
  } catch (error) {
    if (error instanceof ProviderRefused) {
      await changePayment(deps, row.id, (current, now) => refuse(current, error, 'request', now))
      throw withEffect(toProblem(error, row.id))
    }
    // If the database is away, the payment stays as it is, and its next check sends it again.
    if (!isResumable && isSurelyUnsent(error)) await changePayment(deps, row.id, withdraw).catch(ignoreUnavailable)
    throw isUnavailable(error)
      ? problem('service_unavailable', { retryAfter: 1, extensions: { RecordId: row.id }, cause: error })
      : toProblem(error, row.id)
  }
}

/** Marks a refusal as one that left a failed payment behind: it is the reply stored under an Idempotency-Key. */
function withEffect(error: unknown): unknown {
  return error instanceof ProblemError ? problem(error.code, { ...error.options, effect: true }) : error
}
