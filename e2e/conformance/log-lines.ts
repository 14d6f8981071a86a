import { ensureText } from './check.ts'
import type { TestedSystem } from './tested-system.ts'

/** Patterns that no log line may match. */
const forbidden: Readonly<Record<string, RegExp>> = {
  'an unhandled rejection or exception': /unhandled|uncaught/i,
  'an unexpected error': /"code":"internal_error"|"msg":"internal_error"/,
  'a bearer token': /Bearer ey/,
  'a signing secret': /whsec_[A-Za-z0-9+/]{20}/,
}
const stack = /\\n\s+at [^\\]*:\d+:\d+|^\s+at \S.*:\d+:\d+/

export interface LogCheck {
  /** Index of the first line to check. */
  from?: number
  /** Whether any stack is a fault. Set it if nothing was made to fail. */
  stacks?: boolean
}

/** Throws with the first log line of the system that contains a secret or a forbidden pattern. */
export async function logsAreClean(system: TestedSystem, { from = 0, stacks = false }: LogCheck = {}): Promise<void> {
  for (const line of (await system.control?.logged())?.slice(from) ?? []) {
    for (const [what, pattern] of Object.entries(forbidden))
      ensureText(!pattern.test(line), `a log line contains ${what}: ${line.slice(0, 600)}`)
    if (stacks) ensureText(!stack.test(line), `a log line contains a stack: ${line.slice(0, 600)}`)
    for (const [word] of line.matchAll(/[\w+/=-]{20,}/g))
      ensureText(
        !system.secrets.has(word),
        `a log line contains a secret: ${line.replaceAll(word, '***').slice(0, 600)}`,
      )
  }
}
