import { median } from './statistics.ts'

/** One figure in the results file. */
export interface Result {
  name: string
  unit: string
  median: number
  min: number
  max: number
  rounds: number
}

/** The limit of a figure. */
export type Limit = { atLeast: number } | { atMost: number } | { exactly: number }

/** The figures of a run. */
export interface Report {
  readonly results: readonly Result[]
  /** Broken promises of the system, such as lost events, in words. */
  readonly failures: readonly string[]
  /** Adds a figure with one value a round, and prints it. */
  add(name: string, unit: string, values: readonly number[], limit?: Limit): void
  /** Prints an explanation of the figures. */
  say(text: string): void
  /** Records a broken promise unless `holds`. */
  check(holds: boolean, promise: string): void
}

/** Opens a report that prints each line at once. */
export function openReport(print: (line: string) => void): Report {
  const results: Result[] = []
  const failures: string[] = []
  return {
    results,
    failures,
    add(name, unit, values, limit) {
      const result = {
        name,
        unit,
        median: rounded(median(values)),
        min: rounded(Math.min(...values)),
        max: rounded(Math.max(...values)),
        rounds: values.length,
      }
      results.push(result)
      print(row(result, limit))
    },
    say: (text) => print(text.replaceAll(/^/gm, '    ')),
    check(holds, promise) {
      print(`    ${holds ? 'holds' : 'BROKEN'}: ${promise}`)
      if (!holds) failures.push(promise)
    },
  }
}

function row({ name, unit, ...figures }: Result, limit: Limit | undefined): string {
  const spread = figures.rounds === 1 ? '' : `${shown(figures.min)} - ${shown(figures.max)}`
  const columns = [`  ${name}`.padEnd(44), shown(figures.median).padStart(10), unit.padEnd(14), spread.padEnd(22)]
  return `${columns.join(' ')} ${limit === undefined ? '' : verdict(figures.median, limit)}`.trimEnd()
}

function verdict(value: number, limit: Limit): string {
  if ('atLeast' in limit) return `${value >= limit.atLeast ? 'ok' : 'MISSED'} (at least ${shown(limit.atLeast)})`
  if ('atMost' in limit) return `${value <= limit.atMost ? 'ok' : 'MISSED'} (at most ${shown(limit.atMost)})`
  return `${value === limit.exactly ? 'ok' : 'MISSED'} (must be ${shown(limit.exactly)})`
}

/** Four significant digits: more would be noise. */
function rounded(value: number): number {
  return Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(4))
}

function shown(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 2 })
}
