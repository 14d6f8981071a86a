import type { Pool, Queryable } from '@frontdesk/database'
import { findAccount } from '../accounts/store.ts'
import { newId } from '../ids.ts'
import type { Webhooks } from '../webhooks/store.ts'
import type { Checkout } from './checkout.ts'
import { type CheckoutCommand, type CheckoutIds, decide, leave } from './domain.ts'
import { ImpossibleCheckout } from './impossible.ts'
import { statementDescriptor } from './parameters.ts'
import { findCheckout, overdueSessions, updateCheckout } from './store.ts'

/** What can be done to checkouts: the pages, the control API, the API and the clock all call the same functions. */
export interface Checkouts {
  find: (sessionId: string) => Promise<Checkout | undefined>
  /**
   * Does something to a checkout; its events are stored when this returns.
   *
   * @param along runs in the same transaction, for what must commit with it
   * @returns undefined where there is no such session
   * @throws ImpossibleCheckout
   */
  act: (
    sessionId: string,
    command: CheckoutCommand,
    along?: (next: Checkout, tx: Queryable) => Promise<void>,
  ) => Promise<Checkout | undefined>
  /** Where a customer who turns back goes; undefined where there is no such session, null where it has no way back. */
  back: (sessionId: string) => Promise<string | null | undefined>
  /** Closes the sessions whose time is up; returns how many there were, at most 100. */
  expireOverdue: () => Promise<number>
}

export interface CheckoutsOptions {
  pool: Pool
  webhooks: Webhooks
  baseUrl: () => string
  now: () => Date
}

export function createCheckouts({ pool, webhooks, baseUrl, now }: CheckoutsOptions): Checkouts {
  const act: Checkouts['act'] = (sessionId, command, along) => {
    const at = now()
    const context = { pool, webhooks, baseUrl: baseUrl(), now: at }
    return updateCheckout(
      context,
      sessionId,
      async (checkout, tx) => decide(checkout, command, at, await idsFor(checkout, tx)),
      along,
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
      const overdue = await overdueSessions(pool, now(), 100)
      // A customer may just have paid one of them: then it is no longer open, and stays as it is.
      for (const id of overdue) await act(id, { type: 'expire' }).catch(ignoreClosed)
      return overdue.length
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
