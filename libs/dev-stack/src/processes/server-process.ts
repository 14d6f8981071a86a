import { spawn, type SpawnOptions } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

/** A server that runs as a child process. */
export interface ServerProcess {
  pid: number
  /** Resolves when the process has ended, with the reason: `exit code 1`, `signal SIGKILL`. Never rejects. */
  exited: Promise<string>
  kill(signal: NodeJS.Signals): void
  /** Sends the stop signal, then SIGKILL if the process does not end in time. */
  stop(): Promise<void>
}

interface ServerCommand {
  name: string
  command: string
  args: string[]
  options?: SpawnOptions
  /** Called with the process id at once, before the server is usable. */
  onSpawn?: ((pid: number) => void) | undefined
  /** Gets every line of standard output and standard error. */
  onLine?: ((line: string, stream: 'stdout' | 'stderr') => void) | undefined
  /** Default: SIGTERM. */
  stopSignal?: NodeJS.Signals
  /** Milliseconds from the stop signal to SIGKILL. Default 10 000. */
  stopWithin?: number
}

/** Number of last lines that the error shows if a server does not start. */
const REMEMBERED_LINES = 30

/**
 * Starts a server in a process group of its own. So Ctrl-C in a terminal reaches only this process, which then stops its
 * servers in the right order.
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
 * Waits until a server is usable.
 *
 * @param isReady called 20 ms after its last answer
 * @param options.within milliseconds. Default 30 000
 * @throws Error with the server's last lines if it ends, is not ready in time, or `signal` aborts; it is killed then
 */
export async function whenReady(
  name: string,
  server: ServerProcess & { lastLines: string[] },
  isReady: () => boolean | Promise<boolean>,
  { within = 30_000, signal }: { within?: number; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const deadline = performance.now() + within
  let ending: string | undefined
  void server.exited.then((how) => (ending = how))
  while (!(await isReady())) {
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
