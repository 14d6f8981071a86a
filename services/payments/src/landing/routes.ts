import { problem } from '@frontdesk/problems'
import type { InternalHandlers } from '@frontdesk/service/http'
import { refreshPayment } from '../checks/check.ts'
import type { PaymentDeps } from '../payment/deps.ts'
import { findPayment } from '../payment/store.ts'
import { fromRow, historyOf } from '../payment/wire.ts'
import { paymentOfToken } from './address.ts'

/** A payer may look again until a refund has arrived. Later the address, which may stand in a browser's history, shows nothing. */
const shownForMs = 30 * 24 * 60 * 60 * 1000

/** The internal operation that the gateway calls for our page after a hosted checkout. */
export function landingRoute(deps: PaymentDeps): InternalHandlers<'getCheckoutOutcome'> {
  return {
    async getCheckoutOutcome({ params }) {
      const recordId = paymentOfToken(deps.ring, params.Token)
      const stored = recordId === undefined ? undefined : await findPayment(deps.pool, recordId)
      if (stored === undefined || deps.now().getTime() - stored.createdAt.getTime() > shownForMs)
        throw problem('payment_not_found')
      const row = await refreshPayment(deps, stored)
      const payment = fromRow(row, deps.ring)
      const paidAt = historyOf(row).find(({ status }) => status === 'Completed')?.at
      return {
        siteSlug: payment.site.slug,
        status: payment.status,
        amount: payment.paidAmount ?? payment.amount,
        currency: payment.paidCurrency ?? payment.currency,
        refundedAmount: payment.amountRefunded,
        ...(payment.reference === undefined ? {} : { reference: payment.reference }),
        ...(paidAt === undefined ? {} : { paidAt }),
      }
    },
  }
}
