import type { EventData } from '@frontdesk/contracts'
import { parseEvent, PermanentError } from '@frontdesk/events'
import { isProviderError, ProviderRefused, type Provider } from '@frontdesk/providers'
import type { PaymentDeps } from '../payment/deps.ts'
import { checkoutKey, follow } from '../payment/provider.ts'
import { makeDue } from '../payment/store.ts'
import { fromRow } from '../payment/wire.ts'
import { findEventPayment, noteProviderEvent, type EventPayment } from './store.ts'

/** Questions to a provider that are under way, by payment. */
type UnderWay = Map<string, { askedAt: Date; answered: Promise<boolean> }>

/**
 * Returns the handler for provider events from the work queue. An event is only a hint that a payment changed: the
 * provider is asked for the checkout, unless it was asked after the event had arrived. If the provider is away, the
 * payment becomes due for a check. The stored event serves as the inbox row: its note is saved along with its effect.
 */
export function createProviderEvents(deps: PaymentDeps): (bytes: Uint8Array) => Promise<void> {
  const underWay: UnderWay = new Map()
  return async (bytes) => {
    const event = parseEvent(bytes)
    if (event.type !== 'provider.event.received') throw new PermanentError(`not ours: ${event.type}`)
    const note = await apply(deps, underWay, event.data)
    if (note === undefined) return
    await noteProviderEvent(deps.pool, event.data.provider, event.data.providerEventId, note)
  }
}

/** Returns the note to save about the event; undefined if it is saved already. */
async function apply(
  deps: PaymentDeps,
  underWay: UnderWay,
  data: EventData<'provider.event.received'>,
): Promise<string | undefined> {
  const provider = deps.providers.get(data.provider)
  if (provider === undefined) return 'the provider is not configured'
  const found = await findEventPayment(deps.pool, data)
  if (found === undefined) return 'of no payment of ours'
  const { payment, receivedAt, appliedAt } = found
  if (appliedAt !== null) return undefined
  if (payment.checkedAt !== null && payment.checkedAt > receivedAt) return 'known'
  const other = underWay.get(payment.id)
  if (other !== undefined && (await other.answered) && other.askedAt > receivedAt) return 'known'

  const { promise: answered, resolve } = Promise.withResolvers<boolean>()
  const own = { askedAt: found.askedAt, answered }
  underWay.set(payment.id, own)
  let isAnswered = false
  try {
    const note = await ask(deps, provider, found, data.providerEventId)
    isAnswered = note === undefined
    return note
  } finally {
    resolve(isAnswered)
    if (underWay.get(payment.id) === own) underWay.delete(payment.id)
  }
}

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
      await follow(deps, provider, payment, key, { askedAt, basis: row, event })
      return undefined
    }
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (error instanceof ProviderRefused) return `the provider does not tell: ${error.reason}`
  }
  await makeDue(deps.pool, deps.schedule, row.id)
  return 'the payment is due for a check'
}
