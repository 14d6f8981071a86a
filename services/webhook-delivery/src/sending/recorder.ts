import { setTimeout as wait } from 'node:timers/promises'
import { transaction, type Pool, type Transaction } from '@frontdesk/database'
import type { Logger } from 'pino'
import type { DeliveryMetrics } from '../metrics.ts'
import type { HeldDelivery } from './held.ts'
import { createPersistence } from './persistence.ts'
import { recordChanges, recordLateAttempts, releaseDeliveries, type Change } from './store.ts'

// A group commit: enough rows to share a statement's cost, or so long a wait that a person does not notice. The longer it
// is, the more attempts a kill leaves without a record, to be repeated.
const groupRows = 64
const groupMs = 8
const largestGroup = 512
const flushers = 2

export interface RecorderOptions {
  pool: Pool
  log: Logger
  metrics: DeliveryMetrics
  /** Whether a change does more than end an attempt, and so needs a transaction of its own. */
  isSpecial: (change: Change) => boolean
  /** Runs in the transaction of special changes, before they are recorded: takes its locks. */
  lockFor: (tx: Transaction, changes: readonly Change[]) => Promise<void>
  /** Runs in the transaction of special changes, with those that were recorded. */
  applyWith: (tx: Transaction, changes: readonly Change[]) => Promise<void>
  /** Called once a change is durable; `owned` is false where the lease had been lost. */
  onRecorded: (change: Change, owned: boolean) => void
  /** Postgres went away (true) or came back (false): meanwhile nothing new may be sent. */
  onTrouble: (away: boolean) => void
}

/** Writes down what came of deliveries. What it was given waits in memory, for as long as Postgres is away. */
export interface Recorder {
  record(change: Change): void
  /** Gives a delivery back unsent. */
  release(held: HeldDelivery): void
  readonly waiting: number
  /** Waits until all is written, or `signal` aborts. */
  drained(signal: AbortSignal): Promise<void>
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { pool, metrics } = options
  const persist = createPersistence(options)
  const changes: Change[] = []
  const releases: HeldDelivery[] = []
  let flushing = 0
  let unwritten = 0
  let timer: NodeJS.Timeout | undefined

  function schedule(): void {
    if (flushing >= flushers || timer !== undefined) return
    const count = changes.length + releases.length
    if (count >= groupRows) void flush()
    else if (count > 0) {
      timer = setTimeout(() => {
        timer = undefined
        void flush()
      }, groupMs)
    }
  }

  async function flush(): Promise<void> {
    flushing++
    const group = changes.splice(0, largestGroup)
    const given = releases.splice(0, largestGroup)
    const special = group.filter(options.isSpecial)
    const plain = special.length === 0 ? group : group.filter((change) => !options.isSpecial(change))
    try {
      if (plain.length > 0) await persist(plain, recordPlain)
      if (special.length > 0) await persist(special, recordSpecial)
      if (given.length > 0) await persist(given, (held) => releaseDeliveries(pool, held))
    } finally {
      unwritten -= group.length + given.length
      flushing--
      schedule()
    }
  }

  async function recordPlain(group: readonly Change[]): Promise<void> {
    const owned = await recordChanges(pool, group, performance.now())
    await finish(group, owned)
  }

  async function recordSpecial(group: readonly Change[]): Promise<void> {
    const owned = await transaction(pool, async (tx) => {
      await options.lockFor(tx, group)
      const places = await recordChanges(tx, group, performance.now())
      await options.applyWith(tx, places === undefined ? group : group.filter((_, place) => places.has(place)))
      return places
    })
    await finish(group, owned)
  }

  async function finish(group: readonly Change[], owned: ReadonlySet<number> | undefined): Promise<void> {
    if (owned === undefined) {
      for (const change of group) options.onRecorded(change, true)
      return
    }
    const late = group.filter((change, place) => !owned.has(place) && change.attempt !== undefined)
    if (late.length > 0) {
      metrics.lateAttempts.inc(late.length)
      await recordLateAttempts(pool, late, performance.now())
    }
    group.forEach((change, place) => options.onRecorded(change, owned.has(place)))
  }

  return {
    record(change) {
      changes.push(change)
      unwritten++
      schedule()
    },
    release(held) {
      releases.push(held)
      unwritten++
      metrics.released.inc()
      schedule()
    },
    get waiting() {
      return unwritten
    },
    async drained(signal) {
      while (unwritten > 0 && !signal.aborted) await wait(5)
    },
  }
}
