import { consumers, type EventData } from '@frontdesk/contracts'
import { parseEvent, PermanentError, receiveOnce } from '@frontdesk/events'
import { isProviderError } from '@frontdesk/providers'
import { refreshAccount, type AccountDeps } from '../accounts/provider.ts'
import { findExternalAccount, makeDue } from '../accounts/store.ts'
import { noteProviderEvent } from './store.ts'

/** A webhook may come before the reply of the very call that made its account: so many deliveries it is waited for. */
const deliveriesBeforeUnknown = 4

/** An event tells of an account that we do not know (yet). */
class UnknownAccount extends Error {}

/**
 * Applies a provider's event from the work queue: only a hint that the account changed, which is therefore asked for
 * anew. A provider that is away makes the account due for a check, and the message is done.
 */
export async function applyProviderEvent(deps: AccountDeps, bytes: Uint8Array, deliveryCount: number): Promise<void> {
  const event = parseEvent(bytes)
  if (event.type !== 'provider.event.received') throw new PermanentError(`not ours: ${event.type}`)
  const note = await apply(deps, event.data, deliveryCount, {
    receive: (tx) => receiveOnce(tx, consumers.accountsProviderEvents.name, event),
    traceparent: event.traceparent ?? undefined,
  })
  await noteProviderEvent(deps.pool, event.data.provider, event.data.providerEventId, note)
}

async function apply(
  deps: AccountDeps,
  data: EventData<'provider.event.received'>,
  deliveryCount: number,
  options: Parameters<typeof refreshAccount>[3],
): Promise<string> {
  const provider = deps.providers.get(data.provider)
  if (provider === undefined) return 'the provider is not configured'
  const row = await findExternalAccount(deps.prisma, data.provider, data.externalAccountId ?? data.objectId)
  if (row === null) {
    if (deliveryCount < deliveriesBeforeUnknown)
      throw new UnknownAccount(`no account ${data.externalAccountId ?? data.objectId}`)
    return 'of an unknown account'
  }
  try {
    await refreshAccount(deps, provider, row, options)
    return 'applied'
  } catch (error) {
    if (!isProviderError(error)) throw error
    await makeDue(deps.pool, row.id)
    return 'the provider is away; the account is due for a check'
  }
}
