const module = new URL('set-clock.js', import.meta.url)

/** Returns the environment in which a process of Node has a clock that is ahead by so much, or behind if negative. */
export function skewedClock(ms: number): Record<string, string> {
  return ms === 0 ? {} : { NODE_OPTIONS: `--import=${module.href}`, CLOCK_SKEW_MS: String(ms) }
}
