import { Type, type TString } from 'typebox'

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

const form = String.raw`\d+(\.\d+)?(ms|s|m|h)`
/** The form of a duration: a number and its unit. A number alone is refused, since nobody sees which unit it has. */
export const durationPattern = `^${form}$`
/** The form of a list of durations. */
export const schedulePattern = String.raw`^${form}(\s*,\s*${form})*$`

const isDuration = new RegExp(durationPattern)

/** Returns the schema of a setting such as `500ms`, `25s`, `30m` or `2h`; `parseDuration` reads it. */
export function duration(preset: string): TString {
  return Type.String({ default: preset, pattern: durationPattern })
}

/** Returns the schema of a setting such as `5s,5m,30m`; `parseSchedule` reads it. */
export function schedule(preset: string): TString {
  return Type.String({ default: preset, pattern: schedulePattern })
}

/** Returns `500ms`, `5s`, `30m` or `2h` in milliseconds. Throws RangeError on anything else. */
export function parseDuration(text: string): number {
  const match = isDuration.exec(text.trim())
  if (match === null) throw new RangeError(`not a duration: ${text}`)
  return Math.round(Number.parseFloat(match[0]) * units[match[2] as keyof typeof units])
}

/** Returns the waits of a schedule such as `5s,5m,30m` in milliseconds. Throws RangeError. */
export function parseSchedule(text: string): number[] {
  return text.split(',').map(parseDuration)
}
