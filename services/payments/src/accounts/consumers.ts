import { consumers } from '@frontdesk/contracts'
import { transaction, type Pool } from '@frontdesk/database'
import { readEvent, receiveOnce, type EventMessage } from '@frontdesk/events'
import { canCharge } from '../payment/domain.ts'
import { checkOpenPayments, saveAccountCopy } from './store.ts'

/** Follows the accounts service: each of its events carries an account's full state. */
export async function applyAccountEvent(pool: Pool, message: EventMessage): Promise<void> {
  const event = readEvent(message)
  if (event.type !== 'account.created' && event.type !== 'account.updated' && event.type !== 'account.deleted') return
  await transaction(pool, async (tx) => {
    if (!(await receiveOnce(tx, consumers.paymentsAccounts.name, event))) return
    await saveAccountCopy(tx, event.data)
    if (!canCharge(event.data.status)) await checkOpenPayments(tx, event.data)
  })
}
