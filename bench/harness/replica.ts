import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'

/** A second replica of a service, which is restarted whenever it ends. */
export interface Replica extends AsyncDisposable {
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts a second replica of a service with the same program and environment, on a free port. Resolves when it is ready.
 *
 * @param pid process of the first replica
 */
export async function openReplica(pid: number): Promise<Replica> {
  const [command = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  const env = { ...Object.fromEntries(environment.map(variable)), PORT: '0' }
  const cwd = readlinkSync(`/proc/${pid}/cwd`)
  let stopped = false
  let child: ChildProcess | undefined

  function start(ready: () => void): void {
    if (stopped) return
    child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout?.on('data', (chunk: Buffer) => chunk.includes('"msg":"ready"') && ready())
    child.once('exit', () => setTimeout(() => start(ready), 100))
  }

  // It must not outlive the bench, however that ends.
  const killLast = (): void => void child?.kill('SIGKILL')
  process.once('exit', killLast)
  await new Promise<void>(start)
  return {
    kill: (signal) => void child?.kill(signal),
    async [Symbol.asyncDispose]() {
      stopped = true
      process.off('exit', killLast)
      const last = child
      if (last === undefined || last.exitCode !== null || last.signalCode !== null) return
      const exited = new Promise((done) => last.once('exit', done))
      last.kill('SIGTERM')
      await exited
    },
  }
}

function variable(text: string): [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}
