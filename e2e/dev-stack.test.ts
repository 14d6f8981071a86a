import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type DevFile, startDevStack } from '@frontdesk/dev-stack'
import { eventually, openReceiver } from '@frontdesk/testing'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'

/** Milliseconds for a start, also on a busy machine. */
const START_WITHIN_MS = 60_000

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}

function devFile(home: string): DevFile {
  return JSON.parse(readFileSync(join(home, 'dev.json'), 'utf8')) as DevFile
}

/** Process ids by part. */
function pids(dev: DevFile): Record<string, number | undefined> {
  const services = Object.entries(dev.services).map(([name, { pid }]) => [name, pid] as const)
  return { ...Object.fromEntries(services), nats: dev.nats.pid, postgres: dev.postgres.pid }
}

function living(dev: DevFile): string[] {
  return Object.entries(pids(dev)).flatMap(([name, pid]) => (isAlive(pid) ? [name] : []))
}

/** Runs scripts/start.ts as `npm start` does. */
function npmStart(env: Record<string, string>) {
  const script = resolve(import.meta.dirname, '../scripts/start.ts')
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((done) => child.once('exit', done))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return {
    exited,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

test(
  'Killed parts run again within a second, and dev.json has their new processes',
  { timeout: START_WITHIN_MS * 2 },
  async () => {
    await using folder = await throwAwayFolder()
    await using devStack = await startDevStack({ home: join(folder.path, 'state') })
    const before = devStack.dev
    expect(devFile(devStack.home)).toEqual(before)

    for (const part of ['payments', 'nats', 'postgres']) devStack.kill(part, 'SIGKILL')
    for (const part of ['payments', 'nats', 'postgres']) {
      await eventually(
        () => {
          const now = pids(devFile(devStack.home))[part]
          expect(now, part).not.toBe(pids(before)[part])
          expect(isAlive(now), part).toBe(true)
        },
        { within: 1_000 },
      )
    }
    const readyz = `${before.services['payments']?.url}/readyz`
    await eventually(async () => expect((await fetch(readyz)).status).toBe(200), { within: 20_000 })
  },
)

test(
  'A stopped dev stack leaves no process behind, and has the same clients and addresses after a restart',
  { timeout: START_WITHIN_MS * 2 },
  async () => {
    await using folder = await throwAwayFolder()
    const home = join(folder.path, 'state')
    const first = await startDevStack({ home })
    const before = first.dev
    await first[Symbol.asyncDispose]()
    expect(living(before)).toEqual([])
    expect(existsSync(join(home, 'dev.json'))).toBe(false)

    await using second = await startDevStack({ home })
    expect(second.dev.clients).toEqual(before.clients)
    expect(second.dev.services['payments']?.url).toBe(before.services['payments']?.url)
  },
)

test(
  'npm start refuses to run twice, stops what a killed run left behind, prints its banner last, and ends on SIGTERM',
  { timeout: START_WITHIN_MS * 3 },
  async () => {
    await using folder = await throwAwayFolder()
    const home = join(folder.path, 'state')
    const env = { FRONTDESK_HOME: home, GATEWAY_PORT: '0' }
    // Its readiness is not read from its log, which this level leaves empty.
    await using killed = npmStart({ ...env, LOG_LEVEL: 'warn' })
    await eventually(() => expect(killed.output()).toContain('Frontdesk is ready'), { within: START_WITHIN_MS })
    const left = devFile(home)

    await using another = npmStart(env)
    expect(await another.exited).toBe(1)
    expect(another.output()).toContain('Frontdesk already runs')

    killed.kill('SIGKILL')
    await killed.exited
    expect(living(left)).toEqual(Object.keys(pids(left)))
    await using next = npmStart(env)
    await eventually(() => expect(next.output()).toContain('Frontdesk is ready'), { within: START_WITHIN_MS })
    expect(next.output()).toMatch(/stopped postgres \(process \d+\), which an earlier run had left behind/)
    expect(living(left)).toEqual([])

    const dev = devFile(home)
    await fetch(`${dev.gateway}/no-such-path`)
    const log = join(home, 'logs', 'gateway.log')
    await eventually(() => expect(readFileSync(log, 'utf8')).toContain('"msg":"request"'), { within: 10_000 })
    const [before = '', banner = ''] = next.output().split('Frontdesk is ready')
    expect(before).toContain('starting accounts, gateway')
    expect(banner).toContain('npm run trigger -- payment.succeeded')
    // A busy machine may bring warnings.
    expect(banner).not.toMatch(/ info | request /)
    next.kill('SIGTERM')
    expect(await next.exited).toBe(0)
    expect(living(dev)).toEqual([])
  },
)

test('npm start names a port that is in use, and its variable', async () => {
  await using folder = await throwAwayFolder()
  await using receiver = await openReceiver()
  const port = new URL(receiver.url).port
  await using start = npmStart({ FRONTDESK_HOME: join(folder.path, 'state'), GATEWAY_PORT: port })
  expect(await start.exited).toBe(1)
  expect(start.output()).toContain(`Another program uses port ${port}, which is to be the port of gateway`)
  expect(start.output()).toContain('GATEWAY_PORT=')
})
