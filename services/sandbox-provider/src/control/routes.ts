import type { Pool } from '@frontdesk/database'
import { problem } from '@frontdesk/problems'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Accounts } from '../accounts/commands.ts'
import { type AccountCommand, ImpossibleAccount } from '../accounts/domain.ts'
import type { Checkouts } from '../checkout/commands.ts'
import type { CheckoutCommand } from '../checkout/domain.ts'
import { ImpossibleCheckout } from '../checkout/impossible.ts'
import { readLedger } from '../checkout/store.ts'

export interface ControlDeps {
  pool: Pool
  checkouts: Checkouts
  accounts: Accounts
}

const checkoutCommands: Record<string, CheckoutCommand> = {
  pay: { type: 'pay' },
  decline: { type: 'decline', reason: 'generic_decline' },
  delay: { type: 'delay' },
  settle: { type: 'settle' },
  fail: { type: 'fail' },
  expire: { type: 'expire' },
  refund: { type: 'refund' },
  dispute: { type: 'dispute' },
  'win-dispute': { type: 'win-dispute' },
  'lose-dispute': { type: 'lose-dispute' },
}
const accountCommands: readonly string[] = ['complete', 'restrict', 'reject', 'deauthorize'] satisfies AccountCommand[]

/** The `?amount=` of a refund, in Stripe's smallest unit of the currency. Default: all that is left. */
const refundAmount = Type.Object({ amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999_999 })) })

/** A page of the ledger begins after the payment id `after`, the last one of the page before. */
const ledgerPage = Type.Object({
  after: Type.String({ default: '', maxLength: 200 }),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 }),
})

/**
 * The control API, for people with curl and for tests: it acts as a customer, a bank, the clock or Stripe's review.
 * Answers 204 when the change and its webhook are stored; the webhook is sent afterwards.
 */
export function controlRoutes(app: FastifyInstance, { pool, checkouts, accounts }: ControlDeps): void {
  app.get<{ Querystring: { after: string; limit: number } }>(
    '/_control/ledger',
    { schema: { querystring: ledgerPage } },
    async (request) => ({ checkouts: await readLedger(pool, request.query.after, request.query.limit) }),
  )

  app.post<{ Params: { paymentId: string; action: string }; Querystring: { amount?: number } }>(
    '/_control/checkouts/:paymentId/:action',
    { schema: { querystring: refundAmount } },
    async (request, reply) => {
      const { paymentId, action } = request.params
      const { amount } = request.query
      const done = await changing(async () => {
        if (action === 'back') return checkouts.back(paymentId)
        const command = checkoutCommands[action]
        if (command === undefined) throw unknownAction(action, [...Object.keys(checkoutCommands), 'back'])
        const isPart = command.type === 'refund' && amount !== undefined
        return checkouts.act(paymentId, isPart ? { ...command, amount } : command)
      })
      if (done === undefined) throw problem('payment_not_found', `The sandbox has no checkout ${paymentId}.`)
      return reply.code(204).send()
    },
  )

  app.post<{ Params: { accountId: string; action: string } }>(
    '/_control/accounts/:accountId/:action',
    async (request, reply) => {
      const { accountId, action } = request.params
      if (!isAccountCommand(action)) throw unknownAction(action, accountCommands)
      const account = await changing(() => accounts.act(accountId, action))
      if (account === undefined) throw problem('account_not_found', `The sandbox has no account ${accountId}.`)
      return reply.code(204).send()
    },
  )
}

function isAccountCommand(action: string): action is AccountCommand {
  return accountCommands.includes(action)
}

async function changing<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof ImpossibleCheckout || error instanceof ImpossibleAccount) {
      throw problem('conflict', `${error.message} Nothing was changed.`)
    }
    throw error
  }
}

function unknownAction(action: string, known: readonly string[]): ReturnType<typeof problem> {
  return problem('route_not_found', `There is no action "${action}". Use one of ${known.join(', ')}.`)
}
