const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** Returns `500ms`, `5s`, `30m` or `2h` in milliseconds. Throws RangeError on anything else. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim())
  if (match === null) throw new RangeError(`not a duration: ${text}`)
  return Math.round(Number(match[1]) * units[match[2] as keyof typeof units])
}

/** Returns the waits of a schedule such as `5s,5m,30m` in milliseconds. Throws RangeError. */
export function parseSchedule(text: string): number[] {
  return text.split(',').map(parseDuration)
}
