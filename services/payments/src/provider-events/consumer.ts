import type { EventData } from '@frontdesk/contracts'
import { parseEvent, PermanentError } from '@frontdesk/events'
import { isProviderError, ProviderRefused, type Provider } from '@frontdesk/providers'
import { checkoutKey, follow, type PaymentDeps } from '../payments/provider.ts'
import { fromRow } from '../payments/rows.ts'
import { makeDue } from '../payments/store.ts'
import { findTold, noteProviderEvent, type Told } from './store.ts'

/** Questions to a provider that are under way, by payment. */
type UnderWay = Map<string, { askedAt: Date; answered: Promise<boolean> }>

/**
 * Makes what applies a provider's event from the work queue: only a hint that a payment changed, whose checkout is
 * therefore asked for anew. Not where the provider was asked after the event had come: it has told of it then. A provider
 * that is away makes the payment due for a check, and the message is done. What tells of nothing of ours is noted, and
 * done too. The stored event is the receipt: it is noted along with what it led to.
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

/** Returns what is to be noted of the event; nothing where that is done. */
async function apply(
  deps: PaymentDeps,
  underWay: UnderWay,
  data: EventData<'provider.event.received'>,
): Promise<string | undefined> {
  const provider = deps.providers.get(data.provider)
  if (provider === undefined) return 'the provider is not configured'
  const told = await findTold(deps.pool, data)
  if (told === undefined) return 'of no payment of ours'
  const { payment, receivedAt, appliedAt } = told
  if (appliedAt !== null) return undefined
  if (payment.checkedAt !== null && payment.checkedAt > receivedAt) return 'known'
  const other = underWay.get(payment.id)
  if (other !== undefined && (await other.answered) && other.askedAt > receivedAt) return 'known'

  const { promise: answered, resolve } = Promise.withResolvers<boolean>()
  const own = { askedAt: told.askedAt, answered }
  underWay.set(payment.id, own)
  let isAnswered = false
  try {
    const note = await ask(deps, provider, told, data.providerEventId)
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
  { payment: row, checkoutId, askedAt }: Told,
  eventId: string,
): Promise<string | undefined> {
  const payment = fromRow(row, deps.ring)
  const known = checkoutId === undefined ? undefined : { id: checkoutId, providerAccountId: payment.providerAccountId }
  const key = checkoutKey(payment) ?? known
  try {
    if (key !== undefined) {
      const receipt = { provider: provider.name, eventId }
      await follow(deps, provider, payment, key, { askedAt, known: row, receipt })
      return undefined
    }
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (error instanceof ProviderRefused) return `the provider does not tell: ${error.reason}`
  }
  await makeDue(deps.pool, deps, row.id)
  return 'the payment is due for a check'
}
