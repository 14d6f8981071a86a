import { consumers, type EventData } from '@frontdesk/contracts'
import { parseEvent, PermanentError, receiveOnce } from '@frontdesk/events'
import { isProviderError, ProviderRefused } from '@frontdesk/providers'
import { checkoutKey, follow, type PaymentDeps } from '../payments/provider.ts'
import { fromRow } from '../payments/rows.ts'
import { makeDue, type ChangeOptions } from '../payments/store.ts'
import { findTold, noteProviderEvent } from './store.ts'

/**
 * Applies a provider's event from the work queue: only a hint that a payment changed, whose checkout is therefore asked
 * for anew. A provider that is away makes the payment due for a check, and the message is done. What tells of nothing of
 * ours is noted, and done too.
 */
export async function applyProviderEvent(deps: PaymentDeps, bytes: Uint8Array): Promise<void> {
  const event = parseEvent(bytes)
  if (event.type !== 'provider.event.received') throw new PermanentError(`not ours: ${event.type}`)
  const receive: ChangeOptions['receive'] = (tx) => receiveOnce(tx, consumers.paymentsProviderEvents.name, event)
  const note = await apply(deps, event.data, { receive })
  await noteProviderEvent(deps.pool, event.data.provider, event.data.providerEventId, note)
}

async function apply(
  deps: PaymentDeps,
  data: EventData<'provider.event.received'>,
  options: ChangeOptions,
): Promise<string> {
  const provider = deps.providers.get(data.provider)
  if (provider === undefined) return 'the provider is not configured'
  const told = await findTold(deps.pool, data)
  if (told === undefined) return 'of no payment of ours'
  const { payment: row, checkoutId, askedAt } = told
  const payment = fromRow(row, deps.ring)
  const known = checkoutId === undefined ? undefined : { id: checkoutId, providerAccountId: payment.providerAccountId }
  const key = checkoutKey(payment) ?? known
  try {
    if (key !== undefined) {
      await follow(deps, provider, payment, key, { ...options, askedAt })
      return 'applied'
    }
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (error instanceof ProviderRefused) return `the provider does not tell: ${error.reason}`
  }
  await makeDue(deps.pool, deps, row.id)
  return 'the payment is due for a check'
}
