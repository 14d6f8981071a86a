const dayMs = 24 * 60 * 60 * 1000

/** The day of an instant: whole days since 1970, UTC. */
export function dayOf(epochMs: number): number {
  return Math.floor(epochMs / dayMs)
}

/** When a day begins, in epoch milliseconds. */
export function startOfDay(day: number): number {
  return day * dayMs
}

/** The smallest id a UUIDv7 of that instant can have: everything made before is below. */
export function lowestIdAt(epochMs: number): string {
  const hex = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}

/** The instant in a UUIDv7, in epoch milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** A day as the name of its partitions has it: `20261121`. */
export function dayName(day: number): string {
  return new Date(startOfDay(day)).toISOString().slice(0, 10).replaceAll('-', '')
}

/** The day in a partition's name, undefined where there is none. */
export function dayInName(name: string): number | undefined {
  const match = /_(\d{4})(\d{2})(\d{2})$/.exec(name)
  return match === null ? undefined : dayOf(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])))
}
