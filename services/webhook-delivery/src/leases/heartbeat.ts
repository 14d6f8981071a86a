import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { clientConfig } from '@frontdesk/database'
import { repeat } from '@frontdesk/service/background'
import pg from 'pg'
import type { Logger } from 'pino'
import { v4 as uuidv4 } from 'uuid'
import type { Signals } from '../signals.ts'
import { lockInstance } from './store.ts'

const checkEveryMs = 2_000
const retryMs = 200

export interface HeartbeatDeps {
  url: string
  signals: Signals
  log: Logger
}

/** Shows other replicas that this process lives: an advisory lock, which Postgres frees the moment the process dies. */
export interface Heartbeat {
  /** A claim of this process: a fresh id that begins with eight hexadecimal digits for the process. */
  newClaimId(): string
  /** Holds the lock until `signal` aborts, and takes it again after every lost connection. */
  run(signal: AbortSignal): Promise<void>
}

export function createHeartbeat({ url, signals, log }: HeartbeatDeps): Heartbeat {
  const instance = randomBytes(4).toString('hex')
  // Without the lock others may soon take over this process's deliveries: it must not send them.
  const setAlive = (alive: boolean) => signals.emit('hold', 'no heartbeat', !alive)

  async function hold(signal: AbortSignal, turn: () => void): Promise<void> {
    const client = new pg.Client({
      ...clientConfig(url),
      application_name: 'webhook-delivery heartbeat',
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      query_timeout: 5_000,
    })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    const until = AbortSignal.any([signal, lost.signal])
    try {
      await client.connect()
      await lockInstance(client, instance)
      setAlive(true)
      while (!until.aborted) {
        turn()
        await wait(checkEveryMs, undefined, { signal: until }).catch(() => {})
        if (!until.aborted) await client.query('select 1')
      }
    } finally {
      setAlive(false)
      await client.end().catch(() => {})
    }
  }

  return {
    newClaimId: () => instance + uuidv4().slice(8),
    async run(signal) {
      setAlive(false)
      const onError = (error: unknown) => log.debug({ err: error }, 'the heartbeat was lost')
      await repeat({ everyMs: retryMs, signal, onError }, (turn) => hold(signal, turn)).stopped
    },
  }
}
