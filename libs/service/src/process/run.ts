import process from 'node:process'
import { destination, pino, type Logger } from 'pino'
import { ConfigError } from './config.ts'

export interface Start {
  /** The environment, as a plain object: only this file reads `process.env`. */
  env: Record<string, string | undefined>
  log: Logger
  /** Aborts when the process is asked to stop. */
  signal: AbortSignal
}

export interface Running extends AsyncDisposable {
  /** The base URL at which it listens. */
  url: string
}

/**
 * Runs a service as a process: starts it, waits for SIGINT or SIGTERM, disposes of it and sets the exit code. A normal stop
 * does not call `process.exit`, so that buffers are flushed; a watchdog ends a stop that hangs (`SHUTDOWN_GRACE`, in ms).
 */
export async function run(name: string, start: (io: Start) => Promise<Running>): Promise<void> {
  const stop = new AbortController()
  // One write for many lines: one write for each line took a sixth of the gateway's CPU time. pino flushes at the exit.
  const out = destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 })
  const log = pino({ name, level: process.env['LOG_LEVEL'] ?? 'info', base: { service: name }, redact: secrets }, out)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort(signal))
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    process.exit(1)
  })
  try {
    const running = await start({ env: process.env, log, signal: stop.signal })
    log.info({ url: running.url }, 'ready')
    await untilAborted(stop.signal)
    log.info('stopping')
    setTimeout(
      () => {
        log.error('the stop took too long')
        process.exit(1)
      },
      Number(process.env['SHUTDOWN_GRACE'] ?? 25_000),
    ).unref()
    await running[Symbol.asyncDispose]()
    log.info('stopped')
  } catch (error) {
    if (error instanceof ConfigError) log.fatal(error.message)
    else log.fatal({ err: error }, 'could not run')
    process.exitCode = 1
    // Resources that `start` opened before it failed would keep the process alive.
    setTimeout(() => process.exit(1), 500).unref()
  }
}

const secrets = ['authorization', '*.authorization', '*.secret', '*.SigningSecret', '*.PrimaryKey', '*.SecondaryKey']

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
