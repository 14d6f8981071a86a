import type { Pool } from '@frontdesk/database'
import { invalidRequest, resourceMissing } from '../api/errors.ts'
import { type Api, type ApiCall, ok } from '../api/gate.ts'
import { decodeParameters, expand, integer, object, oneOf, text } from '../api/parameters.ts'
import { storeReply } from '../api/store.ts'
import { newId } from '../ids.ts'
import type { Checkouts } from './commands.ts'
import type { Checkout } from './checkout.ts'
import { ImpossibleCheckout } from '../charges/impossible.ts'
import { newSession } from './new-session.ts'
import { sessionExpansions, sessionParameters } from './parameters.ts'
import { findCheckout, findCheckoutOfIntent, insertSession, listCheckouts, listIntents } from './store.ts'
import { intentToWire, sessionToWire } from './wire.ts'

export interface CheckoutRoutesDeps {
  pool: Pool
  checkouts: Checkouts
  /** base URL of the pages */
  baseUrl: () => string
}

const sessionExpand = { expand: expand(...sessionExpansions) }
const moment = integer(0)
const listParameters = {
  created: object({ gt: moment, gte: moment, lt: moment, lte: moment }),
  status: oneOf('complete', 'expired', 'open'),
  starting_after: text(100),
  limit: integer(1, 100),
  expand: expand(...sessionExpansions.map((path) => `data.${path}`)),
}
const intentListParameters = { starting_after: text(100), limit: integer(1, 100), expand: expand() }
const intentParameters = { expand: expand('latest_charge') }

/** The operations on checkout sessions and payment intents. */
export function checkoutRoutes(api: Api, { pool, checkouts, baseUrl }: CheckoutRoutesDeps): void {
  api.post('/checkout/sessions', async (call) => {
    const params = decodeParameters(sessionParameters, call.form)
    const id = newId('cs_test_a1', 32)
    const session = newSession(params, call.account, call.now, {
      session: id,
      clientSecret: `${id}_secret_${newId('', 32)}`,
      lineItem: () => newId('li_1', 23),
    })
    const checkout: Checkout = { session, intent: undefined, charge: undefined, refunds: [], disputes: [] }
    const reply = ok(sessionToWire(checkout, baseUrl(), params.expand))
    await insertSession(pool, session, call.keyed, reply)
    return reply
  })

  api.get('/checkout/sessions', async (call) => {
    const params = decodeParameters(listParameters, call.form)
    const { starting_after: after, limit = 10, status, created, expand: paths = [] } = params
    const accountId = call.account?.id ?? null
    if (after !== undefined) ownSession(await findCheckout(pool, after), call, after)
    // One more than the page tells whether there is another page.
    const found = await listCheckouts(pool, { accountId, ...created, status, after, limit: limit + 1 })
    const expanded = paths.map((path) => path.replace(/^data\./, ''))
    const data = found.slice(0, limit).map((checkout) => sessionToWire(checkout, baseUrl(), expanded))
    return ok({ object: 'list', data, has_more: found.length > limit, url: '/v1/checkout/sessions' })
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

  api.get('/payment_intents', async (call) => {
    const { limit = 10, starting_after: after } = decodeParameters(intentListParameters, call.form)
    const found = await listIntents(pool, { accountId: call.account?.id ?? null, after, limit: limit + 1 })
    const data = found.slice(0, limit).map((intent) => intentToWire(intent))
    return ok({ object: 'list', data, has_more: found.length > limit, url: '/v1/payment_intents' })
  })

  api.get('/payment_intents/:id', async (call) => {
    const params = decodeParameters(intentParameters, call.form)
    const id = call.path['id'] ?? ''
    const checkout = await findCheckoutOfIntent(pool, id)
    if (checkout?.intent === undefined || checkout.session.accountId !== (call.account?.id ?? null)) {
      throw resourceMissing('payment_intent', id, 'intent')
    }
    return ok(intentToWire(checkout.intent, params.expand?.includes('latest_charge') ? checkout : undefined))
  })
}

/** Returns the checkout if it belongs to the account of the call. Throws the same 404 for another's as for none. */
function ownSession(checkout: Checkout | undefined, call: ApiCall, id: string): Checkout {
  if (checkout === undefined || checkout.session.accountId !== (call.account?.id ?? null)) {
    throw resourceMissing('checkout.session', id, 'session')
  }
  return checkout
}
