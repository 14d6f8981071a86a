import { once, EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { AuthorizationError, connect, PermissionViolationError, type NatsConnection } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { natsLogin, refusedLogin, type NatsSettings } from './nats-settings.ts'

export interface BusOptions {
  settings: NatsSettings
  /** The service's name, which is also its user's; it names the connection and prefixes its inboxes. */
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
  /** For `/readyz`: `connected` or `disconnected`, and what NATS refuses us, if it refuses something. */
  state(): string
  /** Calls back at each connection and reconnection. Returns a function that stops it. */
  onConnect(callback: () => void): () => void
  /** Publishes an empty message on core NATS, at most once. Only for nudges, which may get lost. */
  nudge(subject: string): void
}

/**
 * Opens the bus: connects in the background, again and again until it succeeds.
 *
 * @throws NatsSettingError, and Error if a file of the login cannot be read
 */
export function openBus({ settings, name, log }: BusOptions): Bus {
  const login = natsLogin(settings)
  const refusals = createRefusals(log)
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
          ...login,
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
        const isRefused = refusals.note(error)
        if (!isRefused) log.debug({ err: error }, 'NATS is not reachable yet')
        await wait(isRefused ? 2_000 : 500, undefined, { signal: closing.signal })
      }
    }
  }

  async function watch(connection: NatsConnection): Promise<void> {
    setConnected(true)
    if (connection.info?.auth_required !== true)
      log.warn('NATS lets everybody in: whoever reaches it can forge events. Give it users (docs/streams.md)')
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') setConnected(false)
      if (status.type === 'reconnect') setConnected(true)
      if (status.type === 'error') refusals.note(status.error)
    }
  }

  function setConnected(now: boolean): void {
    if (now === connected) return
    connected = now
    if (now) {
      refusals.forget()
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
    state: () => [connected ? 'connected' : 'disconnected', ...refusals.all()].join('; '),
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

/** Whether NATS refuses to let us do something: the user lacks a right. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof PermissionViolationError ||
    (error instanceof Error && error.cause instanceof PermissionViolationError)
  )
}

/** The refusals of NATS since the last connection, each logged once. */
function createRefusals(log: Logger) {
  const refused = new Set<string>()

  function add(refusal: string, error: Error, advice: string): void {
    if (refused.has(refusal)) return
    refused.add(refusal)
    log.error({ err: error }, advice)
  }

  return {
    /** Returns whether an error is a refusal. */
    note(error: unknown): boolean {
      if (error instanceof AuthorizationError) {
        add('NATS refuses the login', error, `${refusedLogin}; the files are read again at each try`)
        return true
      }
      if (!(error instanceof PermissionViolationError)) return false
      const { operation, subject } = error
      const what = operation === 'publish' ? 'publish to' : 'subscribe to'
      add(
        `NATS refuses to ${what} ${beginningOf(subject)}`,
        error,
        `NATS refuses what this service needs: ${what} ${subject}. Give the server the users of this release ` +
          '(node scripts/print-nats-users.ts) and reload it',
      )
      return true
    },
    forget: () => refused.clear(),
    all: () => [...refused],
  }
}

/** Returns what subjects of one kind have in common: the rest differs by site, request or row. */
function beginningOf(subject: string): string {
  const tokens = subject.startsWith('_INBOX') ? 1 : subject.startsWith('$JS') ? 4 : 3
  return subject.split('.', tokens).join('.')
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
