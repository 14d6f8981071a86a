import { durationPattern, parseDuration } from '@frontdesk/service/process'

const dayMs = 24 * 60 * 60 * 1000
const isDuration = new RegExp(durationPattern)

/** Returns the time that a person wrote: ISO 8601 with its zone, or how long ago (`5m`, `2h`, `3d`). Undefined if it is neither. */
export function parseTime(text: string, now: Date): Date | undefined {
  const days = /^(\d{1,5})d$/.exec(text)
  if (days !== null) return new Date(now.getTime() - Number(days[1]) * dayMs)
  if (isDuration.test(text)) return new Date(now.getTime() - parseDuration(text))
  // Without a zone the time would depend on the machine that the command runs on.
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? undefined : time
}
