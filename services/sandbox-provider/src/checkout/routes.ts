import type { Pool } from '@frontdesk/database'
import { invalidRequest, resourceMissing } from '../api/errors.ts'
import { type Api, type ApiCall, ok } from '../api/gate.ts'
import { decodeParameters, expand, integer, required, text } from '../api/parameters.ts'
import { storeReply } from '../api/store.ts'
import { newId } from '../ids.ts'
import type { Checkouts } from './commands.ts'
import type { Checkout } from './checkout.ts'
import { ImpossibleCheckout } from './impossible.ts'
import { newSession } from './new-session.ts'
import { sessionExpansions, sessionParameters } from './parameters.ts'
import { findCheckout, findCheckoutOfCharge, findCheckoutOfIntent, insertSession } from './store.ts'
import { disputeToWire, intentToWire, sessionToWire } from './wire.ts'

export interface CheckoutRoutesDeps {
  pool: Pool
  checkouts: Checkouts
  /** base URL of the pages */
  baseUrl: () => string
}

const sessionExpand = { expand: expand(...sessionExpansions) }
const disputeListParameters = { charge: required(text(100)), limit: integer(1, 100), expand: expand() }
const intentParameters = { expand: expand('latest_charge') }

/** The operations on checkout sessions, payment intents and disputes. */
export function checkoutRoutes(api: Api, { pool, checkouts, baseUrl }: CheckoutRoutesDeps): void {
  api.post('/checkout/sessions', async (call) => {
    const params = decodeParameters(sessionParameters, call.form)
    const id = newId('cs_test_a1', 32)
    const session = newSession(params, call.account, call.now, {
      session: id,
      clientSecret: `${id}_secret_${newId('', 32)}`,
      lineItem: () => newId('li_1', 23),
    })
    const checkout: Checkout = { session, intent: undefined, charge: undefined }
    const reply = ok(sessionToWire(checkout, baseUrl(), params.expand))
    await insertSession(pool, session, call.keyed, reply)
    return reply
  })

  api.get('/checkout/sessions/:id', async (call) => {
    const params = decodeParameters(sessionExpand, call.form)
    const id = call.path['id'] ?? ''
    return ok(sessionToWire(ownSession(await findCheckout(pool, id), call, id), baseUrl(), params.expand))
  })

  api.post('/checkout/sessions/:id/expire', async (call) => {
    const params = decodeParameters(sessionExpand, call.form)
    const id = call.path['id'] ?? ''
    const { session } = ownSession(await findCheckout(pool, id), call, id)
    const wire = (next: Checkout) => ok(sessionToWire(next, baseUrl(), params.expand))
    try {
      const expired = await checkouts.act(id, { type: 'expire' }, (next, tx) => storeReply(tx, call.keyed, wire(next)))
      return wire(ownSession(expired, call, id))
    } catch (error) {
      if (!(error instanceof ImpossibleCheckout)) throw error
      const status = (await findCheckout(pool, id))?.session.status ?? session.status
      throw invalidRequest(
        'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ' +
          `\`${status}\`.`,
      )
    }
  })

  api.get('/payment_intents/:id', async (call) => {
    const params = decodeParameters(intentParameters, call.form)
    const id = call.path['id'] ?? ''
    const checkout = await findCheckoutOfIntent(pool, id)
    if (checkout?.intent === undefined || checkout.session.accountId !== (call.account?.id ?? null)) {
      throw resourceMissing('payment_intent', id, 'intent')
    }
    return ok(intentToWire(checkout.intent, params.expand?.includes('latest_charge') ? checkout.charge : undefined))
  })

  // Here, a charge has at most one dispute.
  api.get('/disputes', async (call) => {
    const params = decodeParameters(disputeListParameters, call.form)
    const checkout = await findCheckoutOfCharge(pool, params.charge)
    const own = checkout?.session.accountId === (call.account?.id ?? null) ? checkout?.charge : undefined
    const data = own === undefined || own.disputeId === null ? [] : [disputeToWire(own)]
    return ok({ object: 'list', data, has_more: false, url: '/v1/disputes' })
  })
}

/** Returns the checkout if it belongs to the account of the call. Throws the same 404 for another's as for none. */
function ownSession(checkout: Checkout | undefined, call: ApiCall, id: string): Checkout {
  if (checkout === undefined || checkout.session.accountId !== (call.account?.id ?? null)) {
    throw resourceMissing('checkout.session', id, 'session')
  }
  return checkout
}
