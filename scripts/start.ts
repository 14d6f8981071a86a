import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { AlreadyRunningError, type DevStack, PortTakenError, startDevStack } from '@frontdesk/dev-stack'
import { banner } from './start/banner.ts'
import { createPrinter } from './start/printer.ts'

const usage = `npm start [-- --verbose]

Starts the whole system, and prints warnings and errors only. The log of each part is a file in .frontdesk/logs.

  --verbose   print every line of every part
`

const root = resolve(import.meta.dirname, '..')
const home = resolve(process.env['FRONTDESK_HOME'] ?? resolve(root, '.frontdesk'))

/** Reads `GATEWAY_PORT`, `NATS_PORT`, ... Returns the ports by part. */
function portsFromEnvironment(): Record<string, number> {
  const ports: Record<string, number> = { gateway: 8080 }
  for (const [name, value] of Object.entries(process.env)) {
    const part = /^([A-Z_]+)_PORT$/.exec(name)?.[1]?.toLowerCase().replaceAll('_', '-')
    if (part === undefined || !isPart(part)) continue
    const port = Number(value)
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${name}=${value} is not a port`)
    ports[part] = port
  }
  return ports
}

function isPart(name: string): boolean {
  return (
    ['gateway-metrics', 'nats', 'postgres'].includes(name) ||
    existsSync(resolve(root, 'services', name, 'package.json'))
  )
}

/** Reads the command line; ends the process after its help, or if it is wrong. */
function readOptions(): { verbose: boolean } {
  try {
    const flag = { type: 'boolean', default: false } as const
    const { values } = parseArgs({ options: { verbose: flag, help: flag } })
    if (!values.help) return values
    process.stdout.write(usage)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(1)
  }
}

// `npm start --verbose`, without the two dashes, is an option of npm itself.
const verbose = readOptions().verbose || process.env['npm_config_loglevel'] === 'verbose'

const stop = new AbortController()
const printer = createPrinter({ logs: resolve(home, 'logs'), verbose })
let signals = 0
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    signals += 1
    if (signals === 1) printer.say('stopping ...')
    // The user is in a hurry. The next start stops the processes that this one leaves behind.
    if (signals > 2) process.exit(1)
    stop.abort(new Error('told to stop'))
  })
}

// A killed npm sends no signal to its child: without this check the dev stack would go on.
if (process.env['npm_lifecycle_event'] === 'start') {
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && stop.abort(new Error('npm has ended')), 1_000).unref()
}

async function main(): Promise<number> {
  const startedAt = performance.now()
  printer.say(`starting with the state in ${home}`)
  const since = (): string => ((performance.now() - startedAt) / 1000).toFixed(0)
  const ticker = setInterval(() => printer.say(`still starting (${since()} s)`), 5_000)
  let devStack: DevStack
  try {
    devStack = await startDevStack({
      home,
      ports: portsFromEnvironment(),
      onLine: printer.line,
      signal: stop.signal,
    })
  } catch (error) {
    if (stop.signal.aborted) return 0
    const expected = error instanceof PortTakenError || error instanceof AlreadyRunningError
    const message = error instanceof Error ? error.message : String(error)
    printer.say(expected ? message : `could not start: ${message}`, 'stderr')
    if (!expected) printer.say(`the full logs are in ${resolve(home, 'logs')}`, 'stderr')
    return 1
  } finally {
    clearInterval(ticker)
  }
  printer.print(banner(devStack.dev, home, (performance.now() - startedAt) / 1000))
  if (!stop.signal.aborted) {
    await new Promise((resolvePromise) => stop.signal.addEventListener('abort', resolvePromise, { once: true }))
  }
  await devStack[Symbol.asyncDispose]()
  printer.say('stopped')
  return 0
}

process.exitCode = await main()
await printer.close()
