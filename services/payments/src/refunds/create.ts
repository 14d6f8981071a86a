import type { RefundRecord } from '@frontdesk/contracts'
import { isUnavailable } from '@frontdesk/database'
import { problem, ProblemError } from '@frontdesk/problems'
import { enabledProvider, isProviderError, ProviderRefused, type Provider } from '@frontdesk/providers'
import type { OperationRequest } from '@frontdesk/service/http'
import { applyRefund, unknownSum } from '../payment/afterwards.ts'
import type { PaymentDeps } from '../payment/deps.ts'
import type { Payment, Refund } from '../payment/domain.ts'
import { ignoreUnavailable, isSurelyUnsent } from '../payment/failures.ts'
import { checkoutKey, follow, toProblem } from '../payment/provider.ts'
import { refundToWire } from '../payment/refund-wire.ts'
import { refuseRefund, requestRefund, withdrawRefund } from '../payment/refunds.ts'
import { changePayment, findPaymentOfSite, makeDue } from '../payment/store.ts'
import { fromRow, type PaymentRow } from '../payment/wire.ts'
import { sendRefunds } from './sending.ts'

type Request = OperationRequest<'createRefund'>

/**
 * Refunds a payment. The refund is stored with the exact provider request before the provider is called, under the version
 * of the payment on which the sum was checked: of simultaneous refunds, only as many are sent as the payment has money for.
 * The same Idempotency-Key (which has the same `resourceId`) resumes it, and so do the checks.
 */
export async function createRefund(deps: PaymentDeps, request: Request): Promise<{ status: 201; body: RefundRecord }> {
  const { site, params, resourceId: refundId, act } = request
  act.about(`payment:${params.PaymentIdentifier}`)
  act.about(`refund:${refundId}`)
  const row = await findPaymentOfSite(deps.pool, site.slug, params.PaymentIdentifier)
  const provider = enabledProvider(deps.providers, fromRow(row, deps.ring).provider)
  const decided = await decide(deps, provider, request, row)
  const isResumable = request.headers['idempotency-key'] !== undefined
  const payment = await send(deps, provider, decided, refundId, isResumable)
  const refund = refundOf(payment, refundId)
  if (refund.status === 'Failed' && refund.providerRefundId === undefined) {
    throw problem('provider_rejected', { extensions: { RefundId: refundId }, effect: true })
  }
  return { status: 201, body: refundToWire(payment, refund) }
}

/** Decides on what we know. If that forbids the refund, or is not exact, the provider is asked first. */
async function decide(deps: PaymentDeps, provider: Provider, request: Request, row: PaymentRow): Promise<Payment> {
  if (unknownSum(fromRow(row, deps.ring)) === 0) {
    try {
      return await save(deps, provider, request, row)
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'payment_not_refundable') throw error
    }
  }
  const payment = fromRow(row, deps.ring)
  const key = checkoutKey(payment)
  try {
    if (key !== undefined) await follow(deps, provider, payment, key)
  } catch (error) {
    // What we know decides, unless it is not exact.
    if (!isProviderError(error) || unknownSum(payment) !== 0) throw toProblem(error)
  }
  return save(deps, provider, request)
}

async function save(deps: PaymentDeps, provider: Provider, request: Request, basis?: PaymentRow): Promise<Payment> {
  const { params, body, principal, resourceId: refundId, act } = request
  const returnsFee = principal.refundsReturnFee ?? true
  const command = { refundId, amount: body.Amount, reason: body.Reason, reference: body.Reference, returnsFee }
  try {
    const decideOn = (payment: Payment, now: Date) =>
      requestRefund(payment, command, (order) => provider.refundRequest(order), now)
    return (await changePayment(deps, params.PaymentIdentifier, decideOn, { basis, act })).payment
  } catch (error) {
    throw toProblem(error)
  }
}

/** Sends the stored request of a refund that is still `Created`, and saves the provider's answer. */
async function send(
  deps: PaymentDeps,
  provider: Provider,
  payment: Payment,
  refundId: string,
  isResumable: boolean,
): Promise<Payment> {
  const { recordId } = payment
  const { status, request, createdAt } = refundOf(payment, refundId)
  if (status !== 'Created' || request === undefined) return payment
  try {
    // The provider would no longer know the request again: first it is asked for what it has.
    if (deps.now().getTime() - createdAt.getTime() >= provider.capabilities.idempotencyWindowMs)
      return await look(deps, provider, payment)
    const told = await provider.createRefund(request)
    return (await changePayment(deps, recordId, (current, now) => applyRefund(current, told, now))).payment
  } catch (error) {
    if (error instanceof ProviderRefused) {
      await changePayment(deps, recordId, (current, now) => refuseRefund(current, refundId, error, 'request', now))
      // The provider knows more than we do, such as a refund that was made in its dashboard.
      await makeDue(deps.pool, deps.schedule, recordId)
      throw withRefund(toProblem(error), refundId, true)
    }
    // If the database is away, the refund stays as it is, and the payment's next check sends it again.
    if (!isResumable && isSurelyUnsent(error)) {
      await changePayment(deps, recordId, (current, now) => withdrawRefund(current, refundId, now)).catch(
        ignoreUnavailable,
      )
    }
    throw isUnavailable(error)
      ? problem('service_unavailable', { retryAfter: 1, extensions: { RefundId: refundId }, cause: error })
      : withRefund(toProblem(error), refundId)
  }
}

async function look(deps: PaymentDeps, provider: Provider, payment: Payment): Promise<Payment> {
  const key = checkoutKey(payment)
  if (key !== undefined) await sendRefunds(deps, provider, await follow(deps, provider, payment, key))
  return fromRow(await findPaymentOfSite(deps.pool, payment.site.slug, payment.recordId), deps.ring)
}

function refundOf({ refunds }: Payment, refundId: string): Refund {
  const refund = refunds.find((one) => one.refundId === refundId)
  if (refund === undefined) throw problem('refund_not_found')
  return refund
}

/** Adds the refund to a problem. An `effect` is a failed refund left behind: the reply is stored under an Idempotency-Key. */
function withRefund(error: unknown, refundId: string, effect = false): unknown {
  if (!(error instanceof ProblemError)) return error
  const extensions = { ...error.options.extensions, RefundId: refundId }
  return problem(error.code, { ...error.options, extensions, ...(effect ? { effect } : {}) })
}
