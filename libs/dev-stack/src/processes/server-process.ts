import { spawn, type SpawnOptions } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

/** A server that runs as a process of its own. */
export interface ServerProcess {
  pid: number
  /** Settles when the process has ended, with how it ended (`exit code 1`, `signal SIGKILL`). Never rejects. */
  exited: Promise<string>
  kill(signal: NodeJS.Signals): void
  /** Asks it to stop, and kills it when it has not stopped in time. */
  stop(): Promise<void>
}

interface ServerCommand {
  name: string
  command: string
  args: string[]
  options?: SpawnOptions
  /** Told the process's number at once, before it is usable. */
  onSpawn?: ((pid: number) => void) | undefined
  /** Gets every line of both outputs. */
  onLine?: ((line: string, stream: 'stdout' | 'stderr') => void) | undefined
  /** The signal that asks for an orderly stop. */
  stopSignal?: NodeJS.Signals
  /** Milliseconds from the stop signal to SIGKILL. */
  stopWithin?: number
}

/** Lines kept to explain a server that did not start. */
const REMEMBERED_LINES = 30

/**
 * Starts a server in a process group of its own, so that a Ctrl-C in the terminal reaches only the program that started
 * it, which then stops its servers in the right order.
 */
export function spawnServer(server: ServerCommand): ServerProcess & { lastLines: string[] } {
  const child = spawn(server.command, server.args, {
    ...server.options,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  if (child.pid !== undefined) server.onSpawn?.(child.pid)
  const lastLines: string[] = []
  for (const stream of ['stdout', 'stderr'] as const) {
    const output = child[stream]
    if (!output) continue
    createInterface({ input: output }).on('line', (line) => {
      lastLines.push(line)
      if (lastLines.length > REMEMBERED_LINES) lastLines.shift()
      server.onLine?.(line, stream)
    })
  }
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`))
  })
  return {
    pid: child.pid ?? 0,
    exited,
    lastLines,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill(server.stopSignal ?? 'SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), server.stopWithin ?? 10_000)
      await exited
      clearTimeout(timer)
    },
  }
}

/**
 * Waits until a started server is usable.
 *
 * @param isReady asked every 20 ms; usually looks at a flag that a log line sets
 * @param options.within milliseconds
 * @throws with the server's last lines when it ends instead, is not ready in time, or `signal` aborts; it is dead then
 */
export async function whenReady(
  name: string,
  server: ServerProcess & { lastLines: string[] },
  isReady: () => boolean,
  { within = 30_000, signal }: { within?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const deadline = performance.now() + within
  let ending: string | undefined
  void server.exited.then((how) => (ending = how))
  while (!isReady()) {
    await delay(20)
    const problem =
      ending ??
      (signal?.aborted ? 'told to stop' : undefined) ??
      (performance.now() > deadline ? `not ready after ${within / 1000} s` : undefined)
    if (problem === undefined) continue
    server.kill('SIGKILL')
    await server.exited
    throw new Error(`${name} did not start (${problem}):\n${server.lastLines.map((line) => `  ${line}`).join('\n')}`)
  }
}
