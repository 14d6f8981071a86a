import type { AccountState, PaymentRecord } from '@frontdesk/contracts'
import { isUnavailable } from '@frontdesk/database'
import { ProblemError, problem } from '@frontdesk/problems'
import {
  enabledProvider,
  ProviderMisconfigured,
  ProviderRefused,
  ProviderUnavailable,
  type Provider,
} from '@frontdesk/providers'
import type { InternalClient } from '@frontdesk/service/calls'
import type { OperationRequest } from '@frontdesk/service/http'
import type { Begun, Handled, IdempotentRequest } from '@frontdesk/service/idempotency'
import { askAccounts } from '../accounts/ask.ts'
import type { RememberedAccounts } from '../accounts/remembered.ts'
import { isOverdue } from './checks.ts'
import { claimAndInsert, findGround, insertOnGround, insertPayment, type NewPayment } from './creation-store.ts'
import { newPayment, type Payment } from './domain.ts'
import { applySnapshot, giveUp, refuse, withdraw } from './outcome.ts'
import { change, sendStored, toProblem, type PaymentDeps } from './provider.ts'
import { fromRow, historyOf, toStoredNote, toWire, type PaymentRow, type StoredNote } from './rows.ts'
import { findPayment, saveDecision } from './store.ts'

export interface CreateDeps extends PaymentDeps {
  publicUrl: string
  /** Calls to our own services. */
  internal: InternalClient
  accounts: RememberedAccounts
}

type Request = OperationRequest<'createPayment'>
type Created = { status: 201; body: PaymentRecord } & Handled

/**
 * Makes a payment: our row first, committed with the exact request; then the provider; then what it said.
 *
 * Two round trips to Postgres, each of which is needed: (1) the row, without which a crash during the provider's call
 * would lose the payment, and with it the check of what it was decided on and the claim of the Idempotency-Key;
 * (2) the provider's answer, with history, event and the key's settlement. The first payment of a site in this process,
 * the first after its account changed, and a resumed one, take more: there is something to read first.
 */
export async function createPayment(deps: CreateDeps, request: Request): Promise<Created> {
  const { site, body, resourceId } = request
  // One that has a key has been through this in `beginPayment`.
  const known = request.heldKey === undefined ? draftOnRemembered(deps, request) : undefined
  if (known !== undefined) {
    if (await insertOnGround(deps.pool, known, known.account)) return sendNew(deps, known, undefined)
    deps.accounts.forget(site.slug, body.PaymentProvider)
  }
  const ground = await findGround(deps.pool, resourceId, site.slug, body.PaymentProvider)
  if (ground.existing !== undefined) return resumePayment(deps, ground.existing)
  if (ground.siteDeleted) throw problem('site_not_found')
  const made = await draftOnGround(deps, request, ground.account)
  if (!(await insertPayment(deps.pool, made))) return resumePayment(deps, await storedPayment(deps, resourceId))
  deps.accounts.remember(made.account)
  return sendNew(deps, made, request.heldKey)
}

/** Claims the key of a payment and stores the payment in the same statement, where its account is remembered. */
export async function beginPayment(
  deps: CreateDeps,
  request: Request & { heldKey: IdempotentRequest },
): Promise<Begun<Created> | undefined> {
  const known = draftOnRemembered(deps, request)
  if (known === undefined) return undefined
  const begun = await claimAndInsert(deps.pool, deps.ring, request.heldKey, known, known.account)
  if (begun === undefined) return undefined
  if (begun.claim.run && !begun.inserted) deps.accounts.forget(request.site.slug, request.body.PaymentProvider)
  const proceed = begun.inserted ? () => sendNew(deps, known, request.heldKey) : undefined
  return { claim: begun.claim, proceed }
}

/** A payment that is decided on and not stored yet. */
interface Draft extends NewPayment {
  provider: Provider
  account: AccountState
}

/** Decides on the account as it was when this process used it last. Undefined where it did not, or the rules refuse. */
function draftOnRemembered(deps: CreateDeps, request: Request): Draft | undefined {
  const account = deps.accounts.get(request.site.slug, request.body.PaymentProvider)
  if (account === undefined) return undefined
  try {
    return draft(deps, request, account)
  } catch (error) {
    // A refusal must come from what is stored, and after the question whose the Idempotency-Key is.
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** Decides on what our copy of the account says; only the accounts service itself may refuse for want of one. */
async function draftOnGround(deps: CreateDeps, request: Request, copy: AccountState | undefined): Promise<Draft> {
  try {
    return draft(deps, request, copy)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'provider_account_not_ready') throw error
    const { site, body, traceparent } = request
    return draft(deps, request, await askAccounts(deps, site.slug, body.PaymentProvider, traceparent))
  }
}

function draft(deps: CreateDeps, request: Request, account: AccountState | undefined): Draft {
  const { site, body, resourceId, traceparent } = request
  const provider = enabledProvider(deps.providers, body.PaymentProvider)
  const landingUrl = `${deps.publicUrl}/checkout/done`
  const context = { recordId: resourceId, site, account, landingUrl }
  const { order, account: charged, ...decision } = newPayment(body, context, new Date())
  const [checkAfterMs] = deps.schedule
  try {
    const prepared = provider.checkoutRequest(order)
    return { provider, account: charged, decision, request: prepared, traceparent, checkAfterMs }
  } catch (error) {
    throw toProblem(error)
  }
}

async function sendNew(
  deps: CreateDeps,
  { provider, decision: { next: created, history }, request, traceparent }: Draft,
  heldKey: IdempotentRequest | undefined,
): Promise<Created> {
  const recordId = created.recordId
  try {
    const checkout = await provider.createCheckout(request)
    const now = new Date()
    const decision = applySnapshot(created, checkout, now)
    const body = wire(deps, decision.next, [...history, ...decision.history].map(toStoredNote))
    const basis = { id: recordId, version: created.version, eventCount: 0, traceparent }
    const settlement = heldKey && { key: heldKey, reply: { status: 201, headers: {}, body } }
    const saved = await saveDecision(deps.pool, deps, basis, decision, { now, settlement })
    if (!saved) {
      // A webhook or the deletion of the site was quicker.
      await change(deps, recordId, (payment) => applySnapshot(payment, checkout, new Date()))
      return { status: 201, body: wireOf(deps, await storedPayment(deps, recordId)) }
    }
    deps.relay.wake()
    deps.telemetry.changed({ payment: decision.next, decision })
    return { status: 201, body, settled: heldKey !== undefined }
  } catch (error) {
    if (error instanceof ProviderRefused) {
      await change(deps, recordId, (payment, now) => refuse(payment, error, 'request', now))
      throw refusal(error, recordId)
    }
    if (heldKey === undefined && surelyUnsent(error)) await change(deps, recordId, withdraw).catch(ignoreUnavailable)
    throw unknown(error, recordId)
  }
}

/** Whether a provider error means that the provider never began on the request (decision 014). */
function surelyUnsent(error: unknown): boolean {
  return (
    error instanceof ProviderUnavailable || (error instanceof ProviderMisconfigured && error.kind === 'credentials')
  )
}

/** Left as it is, the payment is sent again by the sweep. */
function ignoreUnavailable(error: unknown): void {
  if (!isUnavailable(error)) throw error
}

/** Goes on where an earlier try under the same Idempotency-Key broke off: same record, same provider request. */
async function resumePayment(deps: CreateDeps, row: PaymentRow): Promise<Created> {
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
  return { status: 201, body: wireOf(deps, current) }
}

/** What nobody can know yet is 503 with the record, to be resumed under the same Idempotency-Key (design section 6). */
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
