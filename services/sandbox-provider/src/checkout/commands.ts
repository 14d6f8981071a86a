import type { Pool, Queryable } from '@frontdesk/database'
import { findAccount } from '../accounts/store.ts'
import { newId } from '../ids.ts'
import type { Webhooks } from '../webhooks/store.ts'
import type { Checkout } from './checkout.ts'
import { type CheckoutCommand, type CheckoutIds, decide, leave } from './domain.ts'
import { ImpossibleCheckout } from '../charges/impossible.ts'
import { statementDescriptor } from './parameters.ts'
import { findCheckout, overdueSessions, updateCheckout } from './store.ts'

/** The operations on checkouts that the pages, the control API, Stripe's API and the background work share. */
export interface Checkouts {
  find: (sessionId: string) => Promise<Checkout | undefined>
  /**
   * Applies a command to a checkout. Its events are stored when this returns.
   *
   * @param alsoCommit runs in the same transaction, after the change
   * @returns undefined if there is no such session
   * @throws ImpossibleCheckout
   */
  act: (
    sessionId: string,
    command: CheckoutCommand,
    alsoCommit?: (next: Checkout, tx: Queryable) => Promise<void>,
  ) => Promise<Checkout | undefined>
  /** Returns where a customer goes back to: null if the session has no address, undefined if there is no session. */
  back: (sessionId: string) => Promise<string | null | undefined>
  /** Expires up to 100 overdue sessions. Returns whether there may be more. */
  expireOverdue: () => Promise<boolean>
}

export interface CheckoutsDeps {
  pool: Pool
  webhooks: Webhooks
  baseUrl: () => string
  /** whether the refund that is being made waits for the bank */
  staysPending: () => boolean
  now: () => Date
}

const expiredAtOnce = 100

export function createCheckouts({ pool, webhooks, baseUrl, staysPending, now }: CheckoutsDeps): Checkouts {
  const act: Checkouts['act'] = (sessionId, command, alsoCommit) => {
    const at = now()
    return updateCheckout(
      { pool, webhooks, baseUrl: baseUrl(), now: at },
      sessionId,
      async (checkout, tx) => {
        const ordered = command.type === 'refund' ? { ...command, isPending: staysPending() } : command
        return decide(checkout, ordered, at, await idsFor(checkout, tx))
      },
      alsoCommit,
    )
  }
  return {
    act,
    find: (sessionId) => findCheckout(pool, sessionId),
    async back(sessionId) {
      const checkout = await findCheckout(pool, sessionId)
      return checkout === undefined ? undefined : leave(checkout, now())
    },
    async expireOverdue() {
      const overdue = await overdueSessions(pool, now(), expiredAtOnce)
      // A customer may have paid one of them meanwhile: then it is no longer open and stays as it is.
      for (const id of overdue) await act(id, { type: 'expire' }).catch(ignoreClosed)
      return overdue.length === expiredAtOnce
    },
  }
}

async function idsFor({ session }: Checkout, tx: Queryable): Promise<CheckoutIds> {
  const account = session.accountId === null ? undefined : await findAccount(tx, session.accountId)
  const intent = newId('pi_3', 23)
  return {
    intent,
    intentSecret: `${intent}_secret_${newId('', 25)}`,
    charge: newId('ch_3', 23),
    refund: newId('re_3', 23),
    dispute: newId('du_1', 23),
    statementDescriptor: statementDescriptor(
      account?.statementDescriptorPrefix ?? null,
      session.statementDescriptorSuffix,
    ),
  }
}

function ignoreClosed(error: unknown): void {
  if (!(error instanceof ImpossibleCheckout)) throw error
}
