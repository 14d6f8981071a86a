/** Runs commands and prints their progress for a person. */
import { spawn } from 'node:child_process'

const TICK_MS = 5_000
const SHOW_AFTER_MS = 2_000
const REMEMBERED_BYTES = 8_000

/** A failure that the user can repair. */
export class ProblemForUser extends Error {
  name = 'ProblemForUser'

  constructor(message, advice) {
    super(message)
    this.advice = advice
  }
}

/**
 * Runs a command to its end and returns its output.
 *
 * @throws Error with the end of the output, if the command fails or takes longer than `timeout` milliseconds
 */
export function run(command, args, { timeout = 10 * 60_000, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), timeout)
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (output = (output + chunk).slice(-REMEMBERED_BYTES)))
    }
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else reject(new Error(output.trim() || `${command} ended with ${signal ?? `exit code ${code}`}`))
    })
  })
}

const running = new Map()
let ticker

function seconds(since) {
  return `${Math.round((performance.now() - since) / 1000)} s`
}

/** Prints one line for all slow steps. On a terminal it overwrites the last one. */
function showProgress() {
  const slow = [...running].filter(([, since]) => performance.now() - since > SHOW_AFTER_MS)
  if (slow.length === 0) return
  const line = `  ... ${slow.map(([title, since]) => `${title} (${seconds(since)})`).join(', ')}`
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${line.slice(0, process.stdout.columns - 1)}`)
  else console.log(line)
}

function say(line) {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K')
  console.log(line)
}

/** Runs `action` and prints its title, its progress, and its duration. */
export async function step(title, action) {
  const since = performance.now()
  say(`${title} ...`)
  running.set(title, since)
  ticker ??= setInterval(showProgress, process.stdout.isTTY ? 1_000 : TICK_MS)
  try {
    const result = await action()
    say(`${title}: done in ${seconds(since)}`)
    return result
  } finally {
    running.delete(title)
    if (running.size === 0) {
      clearInterval(ticker)
      ticker = undefined
    }
  }
}
