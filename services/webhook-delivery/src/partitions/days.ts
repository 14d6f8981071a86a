const dayMs = 24 * 60 * 60 * 1000

/** The day of an instant: whole days since 1970, UTC. */
export function dayOf(epochMs: number): number {
  return Math.floor(epochMs / dayMs)
}

/** When a day begins, in epoch milliseconds. */
export function startOfDay(day: number): number {
  return day * dayMs
}

/** A day in the form that the names of its partitions have: `20261121`. */
export function dayName(day: number): string {
  return new Date(startOfDay(day)).toISOString().slice(0, 10).replaceAll('-', '')
}

/** The day in a partition's name; undefined for a name without one. */
export function dayInName(name: string): number | undefined {
  const match = /_(\d{4})(\d{2})(\d{2})$/.exec(name)
  return match === null ? undefined : dayOf(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])))
}
