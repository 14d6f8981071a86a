import { problem } from '@frontdesk/problems'
import { enabledProvider, ProviderRefused, type Provider } from '@frontdesk/providers'
import { within } from '@frontdesk/service/background'
import type { Beginnings, InternalHandlers, OperationHandlers } from '@frontdesk/service/http'
import { pagePosition, pageToken } from '@frontdesk/service/paging'
import { freshForMs, settledAfterMs } from './checks.ts'
import { beginPayment, createPayment, wireOf, type CreateDeps } from './create.ts'
import { cancel, type Payment } from './domain.ts'
import { change, checkoutKey, checkPayment, follow, sendStored, toProblem } from './provider.ts'
import { fromRow, type PaymentRow } from './rows.ts'
import { countOpenPayments, findPayment, listPayments } from './store.ts'

type PublicIds = 'createPayment' | 'listPayments' | 'getPayment' | 'cancelPayment'

/** A read waits so long for the provider; then the stored record is the answer. */
const readWaitMs = 2_000

/** The public operations of payments. */
export function paymentRoutes(deps: CreateDeps): OperationHandlers<PublicIds> {
  return {
    createPayment: (request) => createPayment(deps, request),

    async listPayments({ site, query: { pageSize, nextPageToken, ...filters } }) {
      const bound = { site: site.slug, ...filters, Status: filters.Status?.toSorted() }
      const before = nextPageToken === undefined ? undefined : pagePosition(deps.ring, nextPageToken, bound)
      const rows = await listPayments(deps.prisma, site.slug, filters, { before, limit: pageSize + 1 })
      const page = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? page.at(-1) : undefined
      const body = {
        Items: page.map((row) => wireOf(deps, row)),
        ...(last === undefined ? {} : { NextPageToken: pageToken(deps.ring, last.id, bound) }),
      }
      return { status: 200, body }
    },

    async getPayment({ params, site }) {
      const row = await knownPayment(deps, site.slug, params.PaymentIdentifier)
      return { status: 200, body: wireOf(deps, await healed(deps, row)) }
    },

    async cancelPayment({ params, site }) {
      const row = await knownPayment(deps, site.slug, params.PaymentIdentifier)
      try {
        await cancelAtProvider(deps, row)
      } catch (error) {
        throw toProblem(error, row.id)
      }
      const after = await knownPayment(deps, site.slug, row.id)
      if (after.status !== 'Cancelled') throw problem('payment_not_cancellable', `the payment is ${after.status}`)
      return { status: 200, body: wireOf(deps, after) }
    },
  }
}

/** The creation of a payment claims its Idempotency-Key with its own first statement. */
export function paymentBeginnings(deps: CreateDeps): Beginnings<'createPayment'> {
  return { createPayment: (request) => beginPayment(deps, request) }
}

/** What accounts asks before it deletes one. */
export function openPaymentsRoute({ pool }: CreateDeps): InternalHandlers<'countOpenPayments'> {
  return {
    countOpenPayments: async ({ params }) => ({
      open: await countOpenPayments(pool, params.SiteSlug, params.Provider),
    }),
  }
}

async function knownPayment({ pool }: CreateDeps, siteSlug: string, recordId: string): Promise<PaymentRow> {
  const row = await findPayment(pool, recordId)
  if (row === undefined || row.siteSlug !== siteSlug) throw problem('payment_not_found')
  return row
}

/** Asks the provider where its last answer is old, so that a lost webhook does not outlive the next read. */
async function healed(deps: CreateDeps, row: PaymentRow): Promise<PaymentRow> {
  const payment = fromRow(row, deps.ring)
  const now = Date.now()
  const freshMs = freshForMs(payment, now - row.changedAt.getTime())
  const isYoung = payment.status === 'Created' && now - row.createdAt.getTime() < settledAfterMs
  if (freshMs === undefined || isYoung || now - (row.checkedAt?.getTime() ?? 0) < freshMs) return row
  await within(readWaitMs, checkPayment(deps, row))
  return (await findPayment(deps.pool, row.id)) ?? row
}

/**
 * Marks the payment to be cancelled, then has its checkout expired: only when the provider confirms that nobody can pay
 * any more is it cancelled. Where the customer was quicker, the payment follows the money.
 */
async function cancelAtProvider(deps: CreateDeps, row: PaymentRow): Promise<void> {
  const marked = await change(deps, row.id, cancel)
  if (marked === undefined || marked.status === 'Cancelled') return
  const provider = enabledProvider(deps.providers, marked.provider)
  // Its outcome is not known yet: only a checkout that exists for sure can be expired for sure.
  const payment = marked.status === 'Created' ? await confirmed(deps, provider, row) : marked
  const key = payment && checkoutKey(payment)
  if (payment !== undefined && key !== undefined) await follow(deps, provider, payment, key)
}

/** A payment whose outcome was unknown, as the provider has it; a refusal has ended it, which is as good as cancelled. */
async function confirmed(deps: CreateDeps, provider: Provider, row: PaymentRow): Promise<Payment | undefined> {
  try {
    return await sendStored(deps, provider, row, 'sweep')
  } catch (error) {
    if (error instanceof ProviderRefused) return undefined
    throw error
  }
}
