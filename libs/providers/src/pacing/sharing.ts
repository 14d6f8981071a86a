import { randomUUID } from 'node:crypto'
import type { Queryable } from '@frontdesk/database'
import { repeat, type Repeating } from '@frontdesk/service/background'
import type { ProviderLog } from '../metrics.ts'
import type { Providers } from '../port.ts'
import { beat, leave } from './store.ts'

/** Milliseconds between two beats, and so the longest until a replica obeys what the provider has told another one. */
const beatMs = 2_000

/**
 * Shares the rate limit of each provider among the replicas of a service, until `signal` aborts: each tells every two seconds
 * that it lives, and takes its part. No call asks the database; while it is away, everybody goes on with the part it had.
 * When the provider has one of them wait, that one tells at once.
 */
export function startSharingPace({
  pool,
  providers,
  log,
  signal,
  after,
}: {
  pool: Queryable
  providers: Providers
  log: ProviderLog
  signal: AbortSignal
  /** The first beat waits for this, such as a migration. It must not reject. */
  after?: Promise<unknown>
}): Pick<Repeating, 'stopped'> {
  const replica = randomUUID()
  const onError = (error: unknown) => log.warn({ err: error }, 'the rate limits of providers are shared as before')
  const beating = repeat({ everyMs: beatMs, signal, onError, ...(after && { after }) }, async () => {
    const beats = [...providers.paces].map(([provider, pace]) => ({ provider, slowedMs: pace.ownSlowedMs() }))
    if (beats.length === 0) return
    const others = await beat(pool, replica, beats)
    for (const [provider, pace] of providers.paces) {
      const told = others.find((each) => each.provider === provider)
      pace.hear({ replicas: 1 + (told?.living ?? 0), slowedMs: told?.slowedMs ?? 0 })
    }
  })
  for (const pace of providers.paces.values()) pace.onSlowed(beating.wake)
  // A replica whose farewell is lost counts for ten seconds more.
  const stopped = beating.stopped.then(() => leave(pool, replica)).catch(() => {})
  return { stopped }
}
