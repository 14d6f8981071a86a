/** Returns the environment in which a service's wall clock is so many milliseconds ahead of the host's; below 0: behind. */
export function clockOffset(milliseconds: number): Record<string, string> {
  const preload = new URL('clock-offset.mjs', import.meta.url).href
  return { NODE_OPTIONS: `--import=${preload}`, CLOCK_OFFSET_MS: String(milliseconds) }
}
