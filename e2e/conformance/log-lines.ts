import { ensureText } from './check.ts'
import type { TestedSystem } from './tested-system.ts'

/** What a log line must not hold, whatever happens. */
const forbidden: Readonly<Record<string, RegExp>> = {
  'an unhandled rejection or exception': /unhandled|uncaught/i,
  'an error that nobody expected': /"code":"internal_error"|"msg":"internal_error"/,
  'a bearer token': /Bearer ey/,
  'a signing secret': /whsec_[A-Za-z0-9+/]{20}/,
}
const stack = /\\n\s+at [^\\]*:\d+:\d+|^\s+at \S.*:\d+:\d+/

export interface LogCheck {
  /** Lines before this one are not looked at. */
  from?: number
  /** Whether even the stack of an error that was expected is a fault: where nothing was made to fail. */
  stacks?: boolean
}

/** Throws with the first line of the system's logs that holds a secret, or what no line may hold. */
export async function logsAreClean(system: TestedSystem, { from = 0, stacks = false }: LogCheck = {}): Promise<void> {
  for (const line of (await system.control?.logged())?.slice(from) ?? []) {
    for (const [what, pattern] of Object.entries(forbidden))
      ensureText(!pattern.test(line), `a log line holds ${what}: ${line.slice(0, 600)}`)
    if (stacks) ensureText(!stack.test(line), `a log line holds a stack: ${line.slice(0, 600)}`)
    for (const [word] of line.matchAll(/[\w+/=-]{20,}/g))
      ensureText(!system.secrets.has(word), `a log line holds a secret: ${line.replaceAll(word, '***').slice(0, 600)}`)
  }
}
