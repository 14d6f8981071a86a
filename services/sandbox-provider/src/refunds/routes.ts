import type { Pool } from '@frontdesk/database'
import { invalidRequest, resourceMissing } from '../api/errors.ts'
import { type Api, type ApiCall, ok } from '../api/gate.ts'
import type { ApiReply } from '../api/idempotency.ts'
import { decodeParameters, expand } from '../api/parameters.ts'
import { storeReply } from '../api/store.ts'
import { ImpossibleRefund } from '../charges/impossible.ts'
import { disputeToWire, refundToWire } from '../charges/wire.ts'
import { checkGranularity } from '../checkout/amounts.ts'
import type { Checkout } from '../checkout/checkout.ts'
import type { Checkouts } from '../checkout/commands.ts'
import { findCheckoutOfCharge, findCheckoutOfIntent } from '../checkout/store.ts'
import { listParameters, type RefundParameters, refundedPayment, refundParameters } from './parameters.ts'
import { findDispute, findRefund, listDisputes, type ListQuery, listRefunds } from './store.ts'

export interface RefundRoutesDeps {
  pool: Pool
  checkouts: Checkouts
}

/** The operations on refunds and disputes. */
export function refundRoutes(api: Api, { pool, checkouts }: RefundRoutesDeps): void {
  api.post('/refunds', async (call) => {
    const params = decodeParameters(refundParameters, call.form)
    const { session, charge } = await paidCheckout(pool, call, params)
    if (params.amount !== undefined) checkGranularity(params.amount, charge.currency, 'amount')
    const { amount, reason, metadata, refund_application_fee: returnsFee } = params
    const command = { type: 'refund', amount, reason, metadata, returnsFee } as const
    const wire = ({ refunds }: Checkout) => ok(refunds.map(refundToWire).at(-1) ?? {})
    try {
      const next = await checkouts.act(session.id, command, (refunded, tx) =>
        storeReply(tx, call.keyed, wire(refunded)),
      )
      if (next === undefined) throw resourceMissing('charge', charge.id, 'charge')
      return wire(next)
    } catch (error) {
      if (error instanceof ImpossibleRefund) throw invalidRequest(error.message, error.param, error.code)
      throw error
    }
  })

  api.get('/refunds', (call) => page(call, '/v1/refunds', (query) => listRefunds(pool, query), refundToWire))

  api.get('/refunds/:id', async (call) => {
    const id = oneOf(call)
    const refund = await findRefund(pool, call.account?.id ?? null, id)
    if (refund === undefined) throw resourceMissing('refund', id)
    return ok(refundToWire(refund))
  })

  api.get('/disputes', (call) => page(call, '/v1/disputes', (query) => listDisputes(pool, query), disputeToWire))

  api.get('/disputes/:id', async (call) => {
    const id = oneOf(call)
    const dispute = await findDispute(pool, call.account?.id ?? null, id)
    if (dispute === undefined) throw resourceMissing('dispute', id)
    return ok(disputeToWire(dispute))
  })
}

function oneOf(call: ApiCall): string {
  decodeParameters({ expand: expand() }, call.form)
  return call.path['id'] ?? ''
}

async function page<Row>(
  call: ApiCall,
  url: string,
  read: (query: ListQuery) => Promise<Row[]>,
  toWire: (row: Row) => object,
): Promise<ApiReply> {
  const { limit = 10, ...params } = decodeParameters(listParameters, call.form)
  const { charge, payment_intent: paymentIntent, created, starting_after: after } = params
  const accountId = call.account?.id ?? null
  // One more than the page tells whether there is another page.
  const found = await read({ accountId, charge, paymentIntent, ...created, after, limit: limit + 1 })
  return ok({ object: 'list', data: found.slice(0, limit).map(toWire), has_more: found.length > limit, url })
}

/** Returns the checkout of a refund's payment. Throws the same 404 for another account's as for none. */
async function paidCheckout(
  pool: Pool,
  call: ApiCall,
  params: RefundParameters,
): Promise<Checkout & { charge: NonNullable<Checkout['charge']> }> {
  const { param, id } = refundedPayment(params)
  const checkout = await (param === 'charge' ? findCheckoutOfCharge(pool, id) : findCheckoutOfIntent(pool, id))
  if (checkout === undefined || checkout.session.accountId !== (call.account?.id ?? null)) {
    throw resourceMissing(param, id, param)
  }
  const { charge } = checkout
  if (charge === undefined || checkout.session.paymentStatus !== 'paid') {
    throw invalidRequest(
      param === 'charge'
        ? `Charge ${id} has not succeeded; cannot issue a refund.`
        : `This PaymentIntent (${id}) does not have a successful charge to refund.`,
      param,
    )
  }
  return { ...checkout, charge }
}
