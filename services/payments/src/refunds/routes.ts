import { problem } from '@frontdesk/problems'
import type { OperationHandlers } from '@frontdesk/service/http'
import { openPage, pageToken } from '@frontdesk/service/paging'
import type { PaymentDeps } from '../payment/deps.ts'
import { refundToWire } from '../payment/refund-wire.ts'
import { findPaymentOfSite } from '../payment/store.ts'
import { fromRow, type PaymentRow } from '../payment/wire.ts'
import { createRefund } from './create.ts'

/**
 * The public operations of refunds. A payment has few of them, and they are read with it. `refresh` asks the provider if its
 * last answer is old.
 */
export function refundRoutes(
  deps: PaymentDeps,
  refresh: (row: PaymentRow) => Promise<PaymentRow>,
): OperationHandlers<'createRefund' | 'listRefunds' | 'getRefund'> {
  const read = async (siteSlug: string, recordId: string) =>
    fromRow(await refresh(await findPaymentOfSite(deps.pool, siteSlug, recordId)), deps.ring)
  return {
    createRefund: (request) => createRefund(deps, request),

    async listRefunds({ site, params, query: { pageSize, nextPageToken } }) {
      const payment = await read(site.slug, params.PaymentIdentifier)
      const { after: before, filters } = openPage(deps.ring, nextPageToken, { payment: payment.recordId })
      const listed = payment.refunds.filter(({ listed }) => listed).toReversed()
      const rest = listed.filter(({ refundId }) => before === undefined || refundId < before)
      const page = rest.slice(0, pageSize)
      const last = rest.length > pageSize ? page.at(-1) : undefined
      const body = {
        Items: page.map((refund) => refundToWire(payment, refund)),
        ...(last === undefined ? {} : { NextPageToken: pageToken(deps.ring, last.refundId, filters) }),
      }
      return { status: 200, body }
    },

    async getRefund({ site, params }) {
      const payment = await read(site.slug, params.PaymentIdentifier)
      const refund = payment.refunds.find(({ refundId }) => refundId === params.RefundIdentifier.toLowerCase())
      if (refund === undefined) throw problem('refund_not_found')
      return { status: 200, body: refundToWire(payment, refund) }
    },
  }
}
