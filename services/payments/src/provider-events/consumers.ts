import type { EventData } from '@frontdesk/contracts'
import { PermanentError, readEvent, type EventMessage } from '@frontdesk/events'
import { isProviderError, ProviderRefused, type Provider } from '@frontdesk/providers'
import type { PaymentDeps } from '../payment/deps.ts'
import { checkoutKey, follow } from '../payment/provider.ts'
import { makeDue } from '../payment/store.ts'
import { fromRow } from '../payment/wire.ts'
import { acceptUntold, isOutOfReach } from './untold.ts'
import { findEventPayment, noteProviderEvent, type EventPayment } from './store.ts'

/**
 * Returns the handler for provider events from the work queue. An event is only a hint that a payment changed: the
 * provider is asked for the checkout, unless it was asked after the event had arrived. If the provider is away, the
 * payment becomes due for a check. The stored event serves as the inbox row: its note is saved along with its effect.
 */
export function createProviderEvents(deps: PaymentDeps): (message: EventMessage) => Promise<void> {
  return async (message) => {
    const event = readEvent(message)
    if (event.type !== 'provider.event.received') throw new PermanentError(`not ours: ${event.type}`)
    const note = await apply(deps, event.data)
    if (note === undefined) return
    await noteProviderEvent(deps.pool, event.data.provider, event.data.providerEventId, note)
  }
}

/** Returns the note to save about the event; undefined if it is saved already. */
async function apply(deps: PaymentDeps, data: EventData<'provider.event.received'>): Promise<string | undefined> {
  const provider = deps.providers.get(data.provider, 'checks')
  if (provider === undefined) return 'the provider is not configured'
  const found = await findEventPayment(deps.pool, data)
  if (found === undefined) return 'of no payment of ours'
  const { payment, receivedAt, appliedAt } = found
  if (appliedAt !== null) return undefined
  if (payment.checkedAt !== null && payment.checkedAt > receivedAt) return 'known'
  const other = deps.questions.underWay(payment.id)
  const askedAt = other && (await other)
  if (askedAt !== undefined && askedAt > receivedAt) return 'known'
  return ask(deps, provider, found, data.providerEventId)
}

/** Returns the note to save about the event; undefined if the answer that it led to was saved along with it. */
async function ask(
  deps: PaymentDeps,
  provider: Provider,
  { payment: row, checkoutId, askedAt }: EventPayment,
  eventId: string,
): Promise<string | undefined> {
  const payment = fromRow(row, deps.ring)
  const told = checkoutId === undefined ? undefined : { id: checkoutId, providerAccountId: payment.providerAccountId }
  const key = checkoutKey(payment) ?? told
  try {
    if (key !== undefined) {
      const event = { provider: provider.name, eventId }
      await deps.questions.ask(row.id, async () => {
        await follow(deps, provider, payment, key, { askedAt, basis: row, event })
        return askedAt
      })
      return undefined
    }
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (error instanceof ProviderRefused) {
      const { status } = await acceptUntold(deps, row, { isFinal: isOutOfReach(error), askedAt })
      return `the provider does not tell: ${error.reason}; the payment is ${status}`
    }
  }
  await makeDue(deps.pool, deps.schedule, row.id)
  return 'the payment is due for a check'
}
