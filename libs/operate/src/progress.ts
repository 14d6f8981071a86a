const everyMs = 1_000

/** Counts work that goes on, and prints the counts at most once a second. */
export interface Progress {
  add(counts: Readonly<Record<string, number>>): void
  /** Returns all counts in words: `replayed 12, failed 1`. */
  summary(): string
  count(name: string): number
}

export function createProgress(print: (line: string) => void): Progress {
  const counts = new Map<string, number>()
  const summary = () => [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
  let printedAt = performance.now()
  return {
    summary,
    count: (name) => counts.get(name) ?? 0,
    add(added) {
      for (const [name, count] of Object.entries(added)) counts.set(name, (counts.get(name) ?? 0) + count)
      if (performance.now() - printedAt < everyMs) return
      printedAt = performance.now()
      print(`... ${summary()}`)
    },
  }
}
