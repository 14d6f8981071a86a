import { invalidRequest } from '../api/errors.ts'
import { type Decoded, expand, flag, integer, metadata, object, oneOf, text } from '../api/parameters.ts'

/** The supported parameters of `refunds.create`; any other is refused by name. */
export const refundParameters = {
  charge: text(100),
  payment_intent: text(100),
  amount: integer(1),
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
  metadata: metadata(),
  refund_application_fee: flag(),
  expand: expand(),
}

export type RefundParameters = Decoded<typeof refundParameters>

const moment = integer(0)

/** The supported parameters of `refunds.list` and `disputes.list`. */
export const listParameters = {
  charge: text(100),
  payment_intent: text(100),
  created: object({ gt: moment, gte: moment, lt: moment, lte: moment }),
  starting_after: text(100),
  limit: integer(1, 100),
  expand: expand(),
}

/**
 * Returns the payment that a refund names.
 *
 * @throws ApiError if it names none or two
 */
export function refundedPayment(params: RefundParameters): { param: 'charge' | 'payment_intent'; id: string } {
  const { charge, payment_intent: intent } = params
  if (charge !== undefined && intent !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: charge, payment_intent.', 'charge')
  }
  if (intent !== undefined) return { param: 'payment_intent', id: intent }
  if (charge !== undefined) return { param: 'charge', id: charge }
  throw invalidRequest(
    'One of the following params should be provided for this request: payment_intent or charge.',
    undefined,
    'parameter_missing',
  )
}
