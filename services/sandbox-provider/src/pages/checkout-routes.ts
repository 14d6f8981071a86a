import { timingSafeEqual } from 'node:crypto'
import { voiceOf } from '@frontdesk/pages/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '../accounts/commands.ts'
import type { Checkouts } from '../checkout/commands.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { type CheckoutCommand, isPending } from '../checkout/domain.ts'
import { ImpossibleCheckout } from '../charges/impossible.ts'
import { checkoutPage, returnAddress, unknownCheckoutPage } from './checkout-page.ts'
import { sendPage } from './layout.ts'

export interface CheckoutPagesDeps {
  checkouts: Checkouts
  accounts: Accounts
  now: () => Date
}

const commands: Record<string, CheckoutCommand> = {
  pay: { type: 'pay' },
  decline: { type: 'decline', reason: 'generic_decline' },
  insufficient: { type: 'decline', reason: 'insufficient_funds' },
  delay: { type: 'delay' },
  settle: { type: 'settle' },
  fail: { type: 'fail' },
}
const bankActions = new Set(['settle', 'fail'])

/** Finds the checkout of a page's address. */
type Find = (key: string) => Promise<Checkout | undefined>

/** Serves the hosted checkout at `/c/{session id}` and the embedded one at `/e/{client secret}`. */
export function checkoutPages(app: FastifyInstance, { checkouts, accounts, now }: CheckoutPagesDeps): void {
  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    checkout: Checkout,
    path: string,
  ): Promise<FastifyReply> {
    const accountId = checkout.session.accountId
    const account = accountId === null ? undefined : await accounts.find(accountId)
    const voice = voiceOf(request.headers['accept-language'], account?.country)
    return sendPage(reply, checkoutPage({ checkout, account, path, voice, now: now() }))
  }

  async function act(
    request: FastifyRequest,
    reply: FastifyReply,
    checkout: Checkout,
    path: string,
  ): Promise<FastifyReply> {
    const { action } = request.params as { action: string }
    const command = commands[action]
    if (command === undefined) {
      return missing(request, reply, checkout.session.uiMode === 'embedded_page')
    }
    let next: Checkout
    try {
      next = (await checkouts.act(checkout.session.id, command)) ?? checkout
    } catch (error) {
      if (!(error instanceof ImpossibleCheckout)) throw error
      // The button was pressed twice or on an old page: a customer who has paid goes on, others see the current state.
      next = (await checkouts.find(checkout.session.id)) ?? checkout
    }
    // A person who decides for the bank stays on the page and sees the result.
    return reply.redirect((bankActions.has(action) ? undefined : finished(next)) ?? path, 303)
  }

  function routes(prefix: string, find: Find): void {
    const opened = async (
      request: FastifyRequest,
      reply: FastifyReply,
      then: (checkout: Checkout) => Promise<FastifyReply>,
    ) => {
      const checkout = await find((request.params as { key: string }).key)
      const { account } = request.query as { account?: string }
      // As at Stripe, a page that mounts a checkout must name the account of the checkout.
      const isOfAccount = account === undefined || account === (checkout?.session.accountId ?? '')
      if (checkout !== undefined && isOfAccount) return then(checkout)
      return missing(request, reply, prefix === '/e')
    }
    const pathOf = (request: FastifyRequest) => `${prefix}/${(request.params as { key: string }).key}`

    app.get(`${prefix}/:key`, (request, reply) =>
      opened(request, reply, (checkout) => show(request, reply, checkout, pathOf(request))),
    )
    app.get(`${prefix}/:key/back`, (request, reply) =>
      opened(request, reply, async (checkout) =>
        reply.redirect((await backOrStay(checkouts, checkout)) ?? pathOf(request), 303),
      ),
    )
    app.post(`${prefix}/:key/:action`, (request, reply) =>
      opened(request, reply, (checkout) => act(request, reply, checkout, pathOf(request))),
    )
  }

  routes('/c', async (id) => {
    const checkout = await checkouts.find(id)
    return checkout?.session.uiMode === 'hosted_page' ? checkout : undefined
  })
  routes('/e', async (clientSecret) => {
    const checkout = await checkouts.find(clientSecret.split('_secret_', 1)[0] ?? '')
    return checkout?.session.clientSecret !== undefined && sameText(checkout.session.clientSecret, clientSecret)
      ? checkout
      : undefined
  })
}

function missing(request: FastifyRequest, reply: FastifyReply, framed: boolean): FastifyReply {
  return sendPage(reply, unknownCheckoutPage(voiceOf(request.headers['accept-language']), { framed }))
}

/** Returns the address for a customer who has finished, or undefined if the customer stays on the page. */
function finished(checkout: Checkout): string | undefined {
  const { session } = checkout
  if (session.paymentStatus !== 'paid' && !isPending(checkout)) return undefined
  const address = session.uiMode === 'hosted_page' ? session.successUrl : session.returnUrl
  const redirects = session.uiMode === 'hosted_page' || session.redirectOnCompletion === 'always'
  return address !== null && redirects ? returnAddress(address, session.id) : undefined
}

async function backOrStay(checkouts: Checkouts, checkout: Checkout): Promise<string | null | undefined> {
  try {
    return await checkouts.back(checkout.session.id)
  } catch (error) {
    if (error instanceof ImpossibleCheckout) return undefined
    throw error
  }
}

function sameText(expected: string | null, given: string): boolean {
  const left = Buffer.from(expected ?? '')
  const right = Buffer.from(given)
  return expected !== null && left.length === right.length && timingSafeEqual(left, right)
}
