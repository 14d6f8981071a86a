import { once, EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from 'pino'

export interface BusOptions {
  /** Comma-separated servers. */
  url: string
  /** The service's name; it names the connection and prefixes its inboxes. */
  name: string
  log: Logger
}

/**
 * The NATS connection of a process. Opening it never waits: services start, answer and commit without the broker. Code that
 * needs the broker awaits `connection()`.
 */
export interface Bus extends AsyncDisposable {
  readonly name: string
  /** Resolves at the first connection; the client reconnects by itself later. Rejects if the bus is closed before. */
  connection(): Promise<NatsConnection>
  jetstream(): Promise<JetStreamClient>
  manager(): Promise<JetStreamManager>
  /** Whether the connection is up at present. */
  isConnected(): boolean
  /** Calls back at each connection and reconnection. Returns a function that stops it. */
  onConnect(callback: () => void): () => void
  /** Publishes an empty message on core NATS, at most once. Only for nudges, which may get lost. */
  nudge(subject: string): void
}

/** Opens the bus: connects in the background, again and again until it succeeds. */
export function openBus({ url, name, log }: BusOptions): Bus {
  const closing = new AbortController()
  const changes = new EventEmitter()
  let open: NatsConnection | undefined
  let connected = false

  const opening = connectForever()
  opening.catch(() => {})

  async function connectForever(): Promise<NatsConnection> {
    for (;;) {
      closing.signal.throwIfAborted()
      try {
        const connection = await connect({
          servers: url.split(','),
          name,
          inboxPrefix: `_INBOX_${name}`,
          maxReconnectAttempts: -1,
          reconnectTimeWait: 500,
          reconnectJitter: 200,
          pingInterval: 10_000,
          maxPingOut: 3,
          timeout: 3_000,
          // With traces, each publish would capture a stack.
          noAsyncTraces: true,
        })
        open = connection
        if (closing.signal.aborted) await connection.close()
        else void watch(connection)
        return connection
      } catch (error) {
        log.debug({ err: error }, 'NATS is not reachable yet')
        await wait(500, undefined, { signal: closing.signal })
      }
    }
  }

  async function watch(connection: NatsConnection): Promise<void> {
    setConnected(true)
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') setConnected(false)
      if (status.type === 'reconnect') setConnected(true)
    }
  }

  function setConnected(now: boolean): void {
    if (now === connected) return
    connected = now
    if (now) {
      log.info('connected to NATS')
      changes.emit('connect')
    } else if (!closing.signal.aborted) log.warn('lost the connection to NATS; events wait in the outbox')
  }

  return {
    name,
    connection: () => opening,
    jetstream: async () => jetstream(await opening, { timeout: 5_000 }),
    manager: async () => jetstreamManager(await opening, { checkAPI: false, timeout: 5_000 }),
    isConnected: () => connected,
    onConnect(callback) {
      changes.on('connect', callback)
      return () => changes.off('connect', callback)
    },
    nudge(subject) {
      if (connected && open !== undefined && !open.isClosed()) open.publish(subject)
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      if (open === undefined || open.isClosed()) return
      // Without a connection, draining would never end.
      if (connected) await Promise.race([open.drain(), wait(2_000, undefined, { ref: false })])
      if (!open.isClosed()) await open.close()
    },
  }
}

/** Waits until the bus is connected, or `signal` aborts. */
export async function untilConnected(bus: Bus, signal: AbortSignal): Promise<void> {
  if (bus.isConnected() || signal.aborted) return
  const emitter = new EventEmitter()
  const off = bus.onConnect(() => emitter.emit('connect'))
  try {
    if (!bus.isConnected()) await once(emitter, 'connect', { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    off()
  }
}
