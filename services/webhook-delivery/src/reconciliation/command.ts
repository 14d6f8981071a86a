import type { Consumer } from '@frontdesk/contracts'
import { UnknownEvent, type Bus } from '@frontdesk/events'
import { readStreamSince, type Call, type Command } from '@frontdesk/operate'
import type { JsMsg } from '@nats-io/jetstream'
import { deliveryConsumers, incomingMessage, readIncoming, type IncomingEvent } from '../intake/incoming.ts'
import { takeIn, type TakeInDeps } from '../intake/take-in.ts'
import { findMissingEvents } from './store.ts'

type Deps = TakeInDeps & { bus: Bus }

/** Compares the streams of public events with the stored events, and takes in what is missing. */
export const reconcileCommand: Command<Deps> = {
  name: 'reconcile deliveries',
  usage: '[--since TIME]',
  does: 'Finds events in the streams that were never stored here, stores them and makes their deliveries.',
  options: { since: 'string' },
  async run(deps, call) {
    const since = call.time('since')
    for (const consumer of deliveryConsumers) {
      await reconcile(deps, consumer, since, call)
    }
    call.say(call.progress.summary() || 'the streams hold no event since then')
    return true
  },
}

async function reconcile(deps: Deps, consumer: Consumer, since: Date | undefined, call: Call): Promise<void> {
  for await (const messages of readStreamSince(deps.bus, consumer, since)) {
    const events = messages.flatMap((message) => eventOf(message, call) ?? [])
    const missing = await findMissingEvents(
      deps.pool,
      events.map(({ eventId }) => eventId),
    )
    call.progress.add({ events: messages.length, 'taken in': 0 })
    if (missing.size === 0) continue
    for (const id of missing) call.say(`missing: ${id}`)
    if (call.dryRun) call.progress.add({ missing: missing.size })
    // The intake of the running service may come first: then its row is found.
    else
      call.progress.add({
        'taken in': await takeIn(
          deps,
          events.filter(({ eventId }) => missing.has(eventId)),
        ),
      })
  }
}

/** Returns undefined for a message that is no public event: the running service has set it aside. */
function eventOf(message: JsMsg, call: Call): IncomingEvent | undefined {
  try {
    return readIncoming(incomingMessage(message), Date.now())
  } catch (error) {
    if (error instanceof UnknownEvent) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    call.say(`message ${message.seq} of ${message.info.stream} is no public event: ${reason}`)
    call.progress.add({ 'no public event': 1 })
    return undefined
  }
}
