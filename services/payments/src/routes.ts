import type { OperationsOf } from '@frontdesk/contracts'
import { databaseNow } from '@frontdesk/database'
import { problem } from '@frontdesk/problems'
import { enabledProvider, ProviderRefused } from '@frontdesk/providers'
import type { Act } from '@frontdesk/service/audit'
import type { InternalHandlers, OperationHandlers } from '@frontdesk/service/http'
import { openPage, pageToken } from '@frontdesk/service/paging'
import { countOpenPayments } from './accounts/store.ts'
import { refreshPayment } from './checks/check.ts'
import { createPayment } from './creation/create.ts'
import { paymentListRoutes } from './payment-list/routes.ts'
import type { PaymentDeps } from './payment/deps.ts'
import { cancel, payableStatuses, type Payment } from './payment/domain.ts'
import { checkoutKey, follow, resend, toProblem } from './payment/provider.ts'
import { changePayment, findPaymentOfSite, listPayments } from './payment/store.ts'
import { rowToWire, type PaymentRow } from './payment/wire.ts'
import { acceptUntold, isOutOfReach } from './provider-events/untold.ts'
import { refundRoutes } from './refunds/routes.ts'

type PublicIds = OperationsOf<'payments'>

/** The public operations of payments. */
export function paymentRoutes(deps: PaymentDeps): OperationHandlers<PublicIds> {
  return {
    ...paymentListRoutes(deps),
    ...refundRoutes(deps, (row) => refreshPayment(deps, row)),
    createPayment: (request) => createPayment(deps, request),

    async listPayments({ site, query: { pageSize, nextPageToken, ...named } }) {
      const given = { site: site.slug, ...named, ...(named.Status && { Status: named.Status.toSorted() }) }
      const { after: before, filters } = openPage(deps.ring, nextPageToken, given)
      const rows = await listPayments(deps.prisma, site.slug, filters, { before, limit: pageSize + 1 })
      const page = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? page.at(-1) : undefined
      const body = {
        Items: page.map((row) => rowToWire(deps, row)),
        ...(last === undefined ? {} : { NextPageToken: pageToken(deps.ring, last.id, filters) }),
      }
      return { status: 200, body }
    },

    async getPayment({ params, site }) {
      const row = await findPaymentOfSite(deps.pool, site.slug, params.PaymentIdentifier)
      return { status: 200, body: rowToWire(deps, await refreshPayment(deps, row)) }
    },

    async cancelPayment({ params, site, act }) {
      act.about(`payment:${params.PaymentIdentifier}`)
      const row = await findPaymentOfSite(deps.pool, site.slug, params.PaymentIdentifier)
      try {
        await cancelAtProvider(deps, row, act)
      } catch (error) {
        throw toProblem(error, row.id)
      }
      const after = await findPaymentOfSite(deps.pool, site.slug, row.id)
      if (after.status !== 'Cancelled') throw problem('payment_not_cancellable', `the payment is ${after.status}`)
      return { status: 200, body: rowToWire(deps, after) }
    },
  }
}

/** The internal operation that the accounts service calls before it deletes an account. */
export function openPaymentsRoute({ pool }: PaymentDeps): InternalHandlers<'countOpenPayments'> {
  return {
    countOpenPayments: async ({ params }) => ({
      open: await countOpenPayments(pool, params.SiteSlug, params.Provider),
    }),
  }
}

/**
 * Marks the payment to be cancelled, then has its checkout expired. It is cancelled only when the provider confirms that
 * nobody can pay any more; if the customer was quicker, the payment follows the money.
 */
async function cancelAtProvider(deps: PaymentDeps, row: PaymentRow, act: Act): Promise<void> {
  const { payment: marked } = await changePayment(deps, row.id, cancel, { act })
  if (marked.status === 'Cancelled') return
  const provider = enabledProvider(deps.providers, marked.provider)
  // Whether a `Created` payment has a checkout is unknown until it is sent again.
  const payment = marked.status === 'Created' ? await resend(deps, provider, row).catch(endedByRefusal) : marked
  const key = payment && checkoutKey(payment)
  if (payment === undefined || key === undefined) return
  const askedAt = await databaseNow(deps.pool)
  try {
    await follow(deps, provider, payment, key, { askedAt })
  } catch (error) {
    if (!(error instanceof ProviderRefused) || !isOutOfReach(error)) throw error
    const { status } = await acceptUntold(deps, row, { isFinal: true, askedAt })
    if (payableStatuses.includes(status)) throw problem('payment_not_cancellable', whyOutOfReach(payment))
  }
}

function whyOutOfReach({ expiresAt }: Payment): string {
  const until = expiresAt === undefined ? 'it expires' : expiresAt.toISOString()
  return `the account has revoked our access, so its checkout cannot be closed: it may be paid until ${until}`
}

function endedByRefusal(error: unknown): undefined {
  if (!(error instanceof ProviderRefused)) throw error
}
