import { consumers, events, eventSubject } from '@frontdesk/contracts'
import { eventHeaders, isRefused, parseEnvelope, toNatsHeaders, versionOf, type Bus } from '@frontdesk/events'
import { readStreamSince, type Call, type Command } from '@frontdesk/operate'
import type { Pool } from '@frontdesk/database'
import { findStoredEvents, type StoredEvent } from './store.ts'

interface Deps {
  pool: Pool
  bus: Bus
}

const dayMs = 24 * 60 * 60 * 1000
const page = 500

/**
 * Publishes our events again that are stored here and that their stream has lost. If the database of payments was restored
 * as well, nobody else has them: payments finds them in the stream, and sends no second event for the same outcome.
 */
export const reconcileStreamsCommand: Command<Deps> = {
  name: 'reconcile streams',
  usage: '[--since TIME]',
  does: 'Finds our events that are stored here and that their stream has lost, and publishes them again. Default: one day ago.',
  options: { since: 'string' },
  async run(deps, call) {
    const since = call.time('since') ?? new Date(Date.now() - dayMs)
    const present = await readPresent(deps.bus, since)
    let after: string | undefined
    for (;;) {
      const stored = await findStoredEvents(deps.pool, { since, after, limit: page })
      call.progress.add({ events: stored.length, published: 0 })
      for (const event of stored) if (!present.has(event.eventId)) await giveBack(deps.bus, event, call)
      after = stored.at(-1)?.eventId
      if (stored.length < page) break
    }
    call.say(call.progress.summary())
    return true
  },
}

/** Returns the ids of the events that the streams have. An event is published after its id was made, so none before is missed. */
async function readPresent(bus: Bus, since: Date): Promise<Set<string>> {
  const present = new Set<string>()
  for (const consumer of [consumers.deliveryPayments, consumers.deliveryAccounts]) {
    for await (const messages of readStreamSince(bus, consumer, since)) {
      for (const { headers } of messages) present.add(headers?.get('Nats-Msg-Id') ?? '')
    }
  }
  return present
}

/** Publishes an event under its own id: if the stream got it meanwhile, it drops this one. */
async function giveBack(bus: Bus, { eventId, type, payload }: StoredEvent, call: Call): Promise<void> {
  const envelope = parseEnvelope(payload)
  call.say(`lost: ${eventId}`)
  if (call.dryRun) return call.progress.add({ 'to be published': 1 })
  const js = await bus.jetstream()
  const [owner] = events[type].owners
  const subject = eventSubject(type, owner, envelope.siteslug, versionOf(envelope))
  const headers = toNatsHeaders(eventHeaders(type, envelope.traceparent ?? undefined))
  try {
    await js.publish(subject, payload, { msgID: eventId, headers })
  } catch (error) {
    if (!isRefused(error)) throw error
    throw new Error(
      `NATS lets only ${owner} publish its events. Name the key of the administrator: NATS_CREDENTIALS_FILE`,
      {
        cause: error,
      },
    )
  }
  call.progress.add({ published: 1 })
}
