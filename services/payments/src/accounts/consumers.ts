import { consumers } from '@frontdesk/contracts'
import { transaction, type Pool } from '@frontdesk/database'
import { parseEvent, receiveOnce } from '@frontdesk/events'
import { saveAccountCopy } from './store.ts'

/** Follows the accounts service: each of its events carries an account's full state. */
export async function applyAccountEvent(pool: Pool, bytes: Uint8Array): Promise<void> {
  const event = parseEvent(bytes)
  if (event.type !== 'account.created' && event.type !== 'account.updated' && event.type !== 'account.deleted') return
  await transaction(pool, async (tx) => {
    if (await receiveOnce(tx, consumers.paymentsAccounts.name, event)) await saveAccountCopy(tx, event.data)
  })
}
