import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { destination, pino, type Logger, type LoggerOptions } from 'pino'
import { Type } from 'typebox'
import { ConfigError, readConfig } from './config.ts'
import { duration, parseDuration } from './durations.ts'
import { modeSettings } from './modes.ts'
import { redacted } from './redaction.ts'

/** The settings of mode and stop, which every service's configuration has. */
export const processSettings = {
  ...modeSettings,
  /** What the deployment calls this build, such as a commit or a tag: shown by the metric `build_info`. */
  RELEASE: Type.String({ default: 'unreleased' }),
  /**
   * After SIGTERM `/readyz` is 503 at once, and requests are still served for this long: load balancers need a moment until
   * they send no more. 0s: the stop begins at once.
   */
  SHUTDOWN_DRAIN: duration('5s'),
  /** After the drain, so long may requests and background work take to end. Then the process exits with 1. */
  SHUTDOWN_GRACE: duration('25s'),
}

export interface Start {
  /** The environment, as a plain object: only this file reads `process.env`. */
  env: Record<string, string | undefined>
  log: Logger
  /** Aborts when the process is asked to stop. Requests are still served for SHUTDOWN_DRAIN after that. */
  signal: AbortSignal
}

export interface Running extends AsyncDisposable {
  /** The base URL at which it listens. */
  url: string
}

/**
 * Runs a service as a process: starts it, waits for SIGINT or SIGTERM, drains, disposes of it and sets the exit code. A second
 * signal ends the drain. A watchdog ends a stop that hangs.
 */
export async function run(name: string, start: (io: Start) => Promise<Running>): Promise<void> {
  const stop = new AbortController()
  const hurry = new AbortController()
  // One write for many lines: one write for each line took a sixth of the gateway's CPU time. pino flushes at the exit.
  const out = destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 })
  const log = pino(logOptions(name, process.env['LOG_LEVEL'] ?? 'info'), out)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => (stop.signal.aborted ? hurry : stop).abort(signal))
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    process.exit(1)
  })
  try {
    const running = await start({ env: process.env, log, signal: stop.signal })
    // Each service has them in its own configuration too, so that one error names every fault.
    const settings = readConfig(Type.Object(processSettings), process.env)
    log.info({ url: running.url, mode: settings.FRONTDESK_MODE }, 'ready')
    await untilAborted(stop.signal)
    log.info({ drain: settings.SHUTDOWN_DRAIN, grace: settings.SHUTDOWN_GRACE }, 'stopping')
    await wait(parseDuration(settings.SHUTDOWN_DRAIN), undefined, { signal: hurry.signal }).catch(() => {})
    exitAfter(parseDuration(settings.SHUTDOWN_GRACE), 1, () => log.error('the stop took too long'))
    await running[Symbol.asyncDispose]()
    log.info('stopped')
    // A connection to a server that does not answer would keep the process alive.
    exitAfter(2_000, 0)
  } catch (error) {
    if (error instanceof ConfigError) log.fatal(error.message)
    else log.fatal({ err: error }, 'could not run')
    process.exitCode = 1
    // Resources that `start` opened before it failed would keep the process alive.
    exitAfter(500, 1)
  }
}

/** Exits the process with this code unless it ends by itself in time. */
function exitAfter(milliseconds: number, code: number, before = () => {}): void {
  setTimeout(() => {
    before()
    process.exit(code)
  }, milliseconds).unref()
}

/** How a service logs: JSON lines with its name, and no secrets. */
export const logOptions = (service: string, level: string): LoggerOptions => ({
  name: service,
  level,
  base: { service },
  hooks: { streamWrite: redacted },
})

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
