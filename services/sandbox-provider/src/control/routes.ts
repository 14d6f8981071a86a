import type { Pool } from '@frontdesk/database'
import { problem } from '@frontdesk/problems'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Accounts } from '../accounts/commands.ts'
import { type AccountCommand, ImpossibleAccount } from '../accounts/domain.ts'
import type { Checkouts } from '../checkout/commands.ts'
import type { CheckoutCommand } from '../checkout/domain.ts'
import { ImpossibleCheckout } from '../charges/impossible.ts'
import { readLedger } from './store.ts'

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
  'settle-refund': { type: 'settle-refund' },
  'fail-refund': { type: 'fail-refund' },
  dispute: { type: 'dispute' },
  'win-dispute': { type: 'win-dispute' },
  'lose-dispute': { type: 'lose-dispute' },
  'reopen-dispute': { type: 'reopen-dispute' },
}
const accountCommands: readonly string[] = ['complete', 'restrict', 'reject', 'deauthorize'] satisfies AccountCommand[]

const commandQuery = Type.Object({
  /** of a payment, a refund or a dispute, in Stripe's smallest unit of the currency; default: all of it */
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999_999 })),
  /** in which the customer pays; default: that of the checkout */
  currency: Type.Optional(Type.String({ pattern: '^[a-z]{3}$' })),
  /** the id of the refund that the bank decides about; default: the newest one */
  refund: Type.Optional(Type.String({ maxLength: 100 })),
})

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

  app.post<{ Params: { paymentId: string; action: string }; Querystring: Static<typeof commandQuery> }>(
    '/_control/checkouts/:paymentId/:action',
    { schema: { querystring: commandQuery } },
    async (request, reply) => {
      const { paymentId, action } = request.params
      const done = await changing(async () => {
        if (action === 'back') return checkouts.back(paymentId)
        const command = checkoutCommands[action]
        if (command === undefined) throw unknownAction(action, [...Object.keys(checkoutCommands), 'back'])
        return checkouts.act(paymentId, { ...request.query, ...command })
      })
      if (done === undefined) throw problem('payment_not_found', `The sandbox has no checkout ${paymentId}.`)
      return reply.code(204).send()
    },
  )

  app.post<{ Params: { accountId: string; action: string } }>(
    '/_control/accounts/:accountId/:action',
    async (request, reply) => {
      const { accountId, action } = request.params
      const isDone = async () => {
        if (action === 'pay-out') return accounts.payOut(accountId)
        if (!isAccountCommand(action)) throw unknownAction(action, [...accountCommands, 'pay-out'])
        return (await accounts.act(accountId, action)) !== undefined
      }
      if (!(await changing(isDone))) throw problem('account_not_found', `The sandbox has no account ${accountId}.`)
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
