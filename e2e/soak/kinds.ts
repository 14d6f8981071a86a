/** Faults that say the same of different things. */
export interface KindOfFault {
  kind: string
  faults: readonly string[]
}

/** Returns the first line of a fault without its ids and numbers. */
export function kindOf(fault: string): string {
  const [first = ''] = fault.split('\n', 1)
  return (
    first
      // Whatever has a digit: numbers, references and nearly every id. Then slugs that have none.
      .replaceAll(/[\w-]*\d[\w-]*/g, '#')
      .replaceAll(/\b[osl](?=[a-z]*[A-Z])[a-zA-Z]{11}\b/g, '#')
  )
}

/** Groups faults by kind, the most frequent first. */
export function kindsOf(faults: readonly string[]): KindOfFault[] {
  return [...Map.groupBy(faults, kindOf)]
    .map(([kind, own]) => ({ kind, faults: own }))
    .toSorted((a, b) => b.faults.length - a.faults.length)
}
