import type { Queryable } from '@frontdesk/database'
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import type { Bus } from './bus.ts'
import type { EventMetrics } from './metrics.ts'
import { replayOutbox } from './outbox.ts'
import type { Acknowledged } from './relay-publish.ts'
import { knownStreams, saveKnownStreams } from './relay-store.ts'
import { ifFound } from './streams.ts'

// A leader may have died between the acknowledgements of a batch and their record: repeat one batch.
const repeatedEvents = 500
// The clocks of Postgres and NATS differ by less.
const clockMarginMs = 10 * 60_000
/** Between two tries to ask the server. */
const retryMs = 10_000
const outboxKeptMs = 7 * 24 * 60 * 60_000

interface Known {
  created: string | undefined
  lastSeq: number
  /** Set by an acknowledgement below `lastSeq`: the stream held only this much. */
  heldSeq: number | undefined
}

/**
 * Notices that a stream no longer holds what it acknowledged, because it was made again or its store was rolled back, and
 * has the affected events published again.
 */
export interface StreamGuard {
  /** Has all streams compared before the next event is published: the relay is new, or the connection is. */
  suspectAll(): void
  /**
   * Compares what is suspected. Returns true if events were marked to be published again. `isPublishing` says that
   * acknowledgements are under way: they may be older than what the streams say now.
   */
  check(isPublishing: boolean): Promise<boolean>
  /** Takes over a batch's acknowledgements. */
  acknowledged(published: readonly Acknowledged[]): void
  /** Records the positions, if they have changed. */
  save(): Promise<void>
}

export function createStreamGuard(deps: { db: Queryable; bus: Bus; log: Logger; metrics: EventMetrics }): StreamGuard {
  const { db, bus, log, metrics } = deps
  const known = new Map<string, Known>()
  let loaded = false
  let suspected = true
  let unsaved = false
  let notBefore = 0

  async function load(): Promise<void> {
    for (const { stream, created, lastSeq } of await knownStreams(db))
      known.set(stream, { created: created || undefined, lastSeq, heldSeq: undefined })
    loaded = true
  }

  /** Returns whether events of the stream are published again. */
  async function compare(
    manager: JetStreamManager,
    { stream, before, isPublishing }: { stream: string; before: Known; isPublishing: boolean },
  ): Promise<boolean> {
    // A late batch may be acknowledged while the server answers.
    const acknowledgedSeq = before.lastSeq
    const info = await ifFound(() => manager.streams.info(stream))
    // A missing stream is noticed at the first acknowledgement once somebody has made it again.
    if (info === undefined) return false
    const { created, state } = info
    const madeAgain = before.created !== undefined && before.created !== created
    const heldSeq = before.heldSeq ?? state.last_seq
    let events = 0
    const hasLost = madeAgain || heldSeq < acknowledgedSeq
    if (hasLost) {
      // What is lost was published after what the stream holds. That time is unknown if the stream is empty or has been
      // published to since.
      const isTimeKnown =
        !madeAgain && before.created !== undefined && before.heldSeq === undefined && state.messages > 0
      const since = isTimeKnown ? Date.parse(state.last_ts) - clockMarginMs : oldestKept(info)
      const afterStreamSeq = madeAgain ? undefined : Math.max(0, heldSeq - repeatedEvents)
      events = await replayOutbox(db, { since: new Date(since), stream, afterStreamSeq })
      const reason = madeAgain ? 'it was made again' : 'it was rolled back'
      log.warn(
        { stream, reason, events, heldSeq, acknowledgedSeq },
        'a stream has lost events that it had acknowledged; publishing them again',
      )
      metrics.outboxReplayed.inc({ stream }, events)
    }
    const lastSeq = isPublishing && !hasLost ? before.lastSeq : state.last_seq
    known.set(stream, { created, lastSeq, heldSeq: undefined })
    unsaved = true
    return events > 0
  }

  return {
    suspectAll() {
      suspected = true
      notBefore = 0
    },
    async check(isPublishing) {
      if (!suspected || performance.now() < notBefore) return false
      if (!loaded) await load()
      suspected = false
      try {
        const manager = await bus.manager()
        let replayed = false
        for (const [stream, before] of known)
          replayed = (await compare(manager, { stream, before, isPublishing })) || replayed
        await this.save()
        return replayed
      } catch (error) {
        suspected = true
        notBefore = performance.now() + retryMs
        throw error
      }
    },
    acknowledged(published) {
      const fresh = published.filter((event) => !event.duplicate)
      for (const [stream, events] of Map.groupBy(fresh, (event) => event.stream)) {
        const sequences = events.map((event) => event.streamSeq)
        const lowest = Math.min(...sequences)
        const highest = Math.max(...sequences)
        const before = known.get(stream)
        if (before === undefined) {
          known.set(stream, { created: undefined, lastSeq: highest, heldSeq: undefined })
          // Learns when the stream was made.
          suspected = true
        } else if (lowest <= before.lastSeq && before.heldSeq === undefined) {
          before.heldSeq = lowest - 1
          suspected = true
        } else before.lastSeq = Math.max(before.lastSeq, highest)
        unsaved = true
      }
    },
    async save() {
      if (!unsaved) return
      unsaved = false
      await saveKnownStreams(
        db,
        [...known].map(([stream, { created, lastSeq }]) => ({ stream, created, lastSeq })),
      )
    },
  }
}

/** The time before which the outbox or the stream would not have an event any more, epoch milliseconds. */
function oldestKept({ config }: StreamInfo): number {
  const maxAgeMs = config.max_age === 0 ? outboxKeptMs : config.max_age / 1_000_000
  return Date.now() - Math.min(outboxKeptMs, maxAgeMs)
}
