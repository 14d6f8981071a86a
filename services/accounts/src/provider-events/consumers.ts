import type { EventData } from '@frontdesk/contracts'
import { PermanentError, readEvent, type EventMessage } from '@frontdesk/events'
import { isProviderError } from '@frontdesk/providers'
import { refreshAccount, type AccountDeps } from '../accounts/provider.ts'
import { findExternalAccount, makeDue } from '../accounts/store.ts'
import { isApplied, noteProviderEvent } from './store.ts'

/** A webhook may overtake the reply to the call that created its account, so its first deliveries wait for the account. */
const deliveriesBeforeUnknown = 4

/**
 * Applies a provider's event from the work queue. The event only hints at a change, so the provider is asked for the
 * account. If the provider is unavailable, the account becomes due for a check, and the message is done.
 *
 * The stored event serves as the inbox row. It is marked after the change: a crash in between repeats the question, whose
 * answer then changes nothing.
 */
export async function applyProviderEvent(
  deps: AccountDeps,
  message: EventMessage,
  deliveryCount: number,
): Promise<void> {
  const event = readEvent(message)
  if (event.type !== 'provider.event.received') throw new PermanentError(`not ours: ${event.type}`)
  const { provider, providerEventId } = event.data
  if (await isApplied(deps.prisma, provider, providerEventId)) return
  const note = await apply(deps, event.data, deliveryCount, event.traceparent ?? undefined)
  await noteProviderEvent(deps.pool, provider, providerEventId, note)
}

/** Returns the note on what came of the event. Throws while its account may still appear. */
async function apply(
  deps: AccountDeps,
  data: EventData<'provider.event.received'>,
  deliveryCount: number,
  traceparent: string | undefined,
): Promise<string> {
  const provider = deps.providers.get(data.provider, 'checks')
  if (provider === undefined) return 'the provider is not configured'
  const externalId = data.externalAccountId ?? data.objectId
  const row = await findExternalAccount(deps.prisma, data.provider, externalId)
  if (row === null) {
    if (deliveryCount < deliveriesBeforeUnknown) throw new Error(`no account ${externalId} yet`)
    return 'of an unknown account'
  }
  try {
    await refreshAccount(deps, provider, row, { traceparent })
    return 'applied'
  } catch (error) {
    if (!isProviderError(error)) throw error
    await makeDue(deps.pool, row.id)
    return 'the provider is away; the account is due for a check'
  }
}
