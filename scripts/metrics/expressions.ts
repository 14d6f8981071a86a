import type { Family } from './families.ts'

/** Labels that Prometheus itself adds. */
const ofPrometheus = new Set(['job', 'instance', 'le'])
const parts = { histogram: ['_bucket', '_count', '_sum'], summary: ['_count', '_sum'] }

/**
 * Returns what a PromQL expression asks for that no service has: metrics, and labels of its metrics. `recorded` are the names of
 * recording rules. Enough of the language is read for our rules and panels; `promtool` reads all of it.
 */
export function unknownIn(expr: string, families: readonly Family[], recorded: readonly string[] = []): string[] {
  const labelsOf = new Map<string, readonly string[]>([['up', []], ...recorded.map((name) => [name, []] as const)])
  for (const { name, type, labels } of families) {
    const suffixes = parts[type as keyof typeof parts] ?? ['']
    for (const suffix of suffixes) labelsOf.set(name + suffix, labels)
  }
  const unquoted = expr.replaceAll(/"[^"]*"/g, '""')
  const faults: string[] = []
  const labels = new Set<string>()
  const grouped = [...unquoted.matchAll(/\b(?:by|without|on|ignoring) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(/,\s*/),
  )
  const bare = unquoted.replaceAll(/\b(?:by|without|on|ignoring) \([^)]*\)/g, ' ').replaceAll(/\[[^\]]*\]/g, ' ')
  for (const [, name = '', selector = ''] of bare.matchAll(/([a-zA-Z_:][\w:]*)\s*(\{[^}]*\}|\(|)/g)) {
    // A function, an operator, or a label within a selector that was read with its metric.
    if (selector === '(' || ['and', 'or', 'unless'].includes(name)) continue
    const known = labelsOf.get(name)
    if (known === undefined) {
      faults.push(`there is no metric ${name}`)
      continue
    }
    for (const label of known) labels.add(label)
    for (const [, label = ''] of selector.matchAll(/(\w+)\s*(?:=|!=|=~|!~)/g))
      if (!known.includes(label) && !ofPrometheus.has(label)) faults.push(`${name} has no label ${label}`)
  }
  for (const label of grouped)
    if (!labels.has(label) && !ofPrometheus.has(label)) faults.push(`no metric of it has the label ${label}`)
  return faults
}
