import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseFault, isDataException, isDeadlock } from '@frontdesk/database'
import type { Logger } from 'pino'
import type { Signals } from '../signals.ts'

const firstPauseMs = 250
// Shorter than the pause after which other replicas take over lapsed leases (leases/takeover.ts).
const longestPauseMs = 1_000
const longestOwnPauseMs = 30_000
/** How often a group that fails for an unknown reason is tried whole, before it is split. */
const triesBeforeSplit = 4
/** With this many outcomes that fail by themselves it is not they who are at fault: no request starts. */
const mostAlone = 64

export interface PersistenceDeps {
  log: Logger
  signals: Signals
  /** Called with the number of outcomes that are written now, or that Postgres can never take. */
  onSettled: (count: number) => void
  /** How many outcomes are not settled yet. */
  unsettled: () => number
}

type Write<T> = (group: readonly T[]) => Promise<void>

export interface Persistence {
  /** Writes a group of outcomes. Resolves when the next group may follow. */
  persist<T>(group: readonly T[], write: Write<T>): Promise<void>
  /** Gives up what is not written yet: the leases lapse, and those deliveries are sent again. */
  stop(): void
}

/**
 * Writes outcomes for as long as it takes. While the database is at fault a group waits, and no request starts. A group that
 * fails otherwise is split: what can be written is written, and an outcome that fails by itself is tried again alone, beside
 * the others. Only values that Postgres can never store (SQLSTATE class 22) are given up.
 */
export function createPersistence({ log, signals, onSettled, unsettled }: PersistenceDeps): Persistence {
  const stopped = new AbortController()
  let away = false
  let alone = 0
  /** While `away`: how many of the outcomes that waited when the first one was written again are still to be written. */
  let owed: number | undefined

  function setAway(now: boolean, error?: unknown): void {
    if (away === now || (!now && alone >= mostAlone)) return
    away = now
    owed = undefined
    if (now) log.warn({ err: error }, 'outcomes cannot be recorded; they wait in memory, and no request starts')
    else log.info('outcomes are recorded again')
    signals.emit('hold', 'outcomes cannot be recorded', now)
  }

  /** Requests start again when all outcomes that waited are written: else their leases, long lapsed, could be taken over. */
  function settle(count: number): void {
    onSettled(count)
    if (!away) return
    owed = owed === undefined ? unsettled() : owed - count
    if (owed - alone <= 0) setAway(false)
  }

  const pause = (tries: number, longestMs: number) =>
    wait(Math.min(longestMs, firstPauseMs * 2 ** Math.min(20, tries - 1)), undefined, { signal: stopped.signal }).catch(
      () => {},
    )

  /** Writes a group whole. Returns the error after which it must be split. */
  async function writeWhole<T>(group: readonly T[], write: Write<T>, mostTries: number): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      try {
        await write(group)
        settle(group.length)
        return undefined
      } catch (error) {
        if (stopped.signal.aborted || isDataException(error)) return error
        if (isDeadlock(error) && tries < 10) {
          await wait(5)
          continue
        }
        if (!isDatabaseFault(error) && tries >= mostTries) return error
        owed = undefined
        setAway(true, error)
        await pause(tries, longestPauseMs)
      }
    }
  }

  /** Writes one outcome that failed by itself, however long that takes. */
  async function writeAlone<T>(one: T, write: Write<T>): Promise<void> {
    alone++
    for (let tries = 4; !stopped.signal.aborted; tries++) {
      await pause(tries, longestOwnPauseMs)
      try {
        await write([one])
        alone--
        return settle(1)
      } catch (error) {
        log.debug({ err: error }, 'an outcome still cannot be recorded')
      }
    }
  }

  async function split<T>(group: readonly T[], write: Write<T>, mostTries: number): Promise<void> {
    const error = await writeWhole(group, write, mostTries)
    if (error === undefined || stopped.signal.aborted) return
    if (group.length > 1) {
      const middle = group.length >> 1
      await split(group.slice(0, middle), write, 1)
      await split(group.slice(middle), write, 1)
      return
    }
    log.error(
      { err: error },
      isDataException(error) ? 'an outcome can never be recorded' : 'an outcome is not recorded',
    )
    if (isDataException(error)) return settle(1)
    for (const one of group) void writeAlone(one, write)
    settle(0)
  }

  return { persist: (group, write) => split(group, write, triesBeforeSplit), stop: () => stopped.abort() }
}
