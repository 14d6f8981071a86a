import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const version = 'v0.203.0'
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache/frontdesk/bin')
/** It is compiled once, from sources that Go fetches and checks. */
const installWithinMs = 5 * 60_000
/** It reads Stripe's whole description first. */
const startWithinMs = 60_000

const run = promisify(execFile)

export interface StripeMock extends AsyncDisposable {
  url: string
}

/** Starts stripe-mock on free ports of loopback, compiling it first if Go is here. Returns the reason if it cannot. */
export async function startStripeMock(): Promise<StripeMock | { reason: string }> {
  try {
    return await started(await installed())
  } catch (error) {
    return { reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) }
  }
}

/** Returns the program's place. Throws an error that says why there is none. */
async function installed(): Promise<string> {
  const place = join(cache, `stripe-mock-${version}`)
  if (await exists(place)) return place
  await run('go', ['version']).catch(() => {
    throw new Error('Go is not installed')
  })
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(`${place}-`)
  try {
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
    await run('go', ['install', `github.com/stripe/stripe-mock@${version}`], { env, timeout: installWithinMs })
    await rename(join(folder, 'stripe-mock'), place)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return place
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function started(program: string): Promise<StripeMock> {
  // Without an address for HTTPS it would listen for that on every interface.
  const addresses = ['-http-addr', '127.0.0.1:', '-https-addr', '127.0.0.1:']
  const server = spawn(program, addresses, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await listening(server).catch(async (error: unknown) => {
    await stopped(server)
    throw error
  })
  return { url, [Symbol.asyncDispose]: () => stopped(server) }
}

async function listening(server: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<string> {
  const lines = createInterface({ input: server.stdout, signal: AbortSignal.timeout(startWithinMs) })
  for await (const line of lines) {
    const address = /HTTP at address: (\S+)/.exec(line)?.[1]
    // The process writes a line for each request: somebody must go on reading.
    if (address !== undefined) return (server.stdout.resume(), `http://${address}`)
  }
  throw new Error('stripe-mock does not listen')
}

async function stopped(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGKILL')
  await once(server, 'exit')
}
