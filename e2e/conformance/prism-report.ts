import { described } from './exchange.ts'
import type { PrismReport, Violation } from './prism.ts'

/** What prism saw, as text: the counts, what did not go through it and why, and every violation once. */
export function printedPrismReport(report: PrismReport): string {
  const { operations, others, refused, direct, misjudged, violations } = report
  return [
    `prism held ${operations} exchanges against the document; in ${refused} the request was wrong, and refused`,
    `${others} exchanges were with addresses that are no operations (tokens, documents, what does not exist)`,
    ...byCount(direct).map(([reason, count]) => `${count} requests went to the gateway directly: ${reason}`),
    ...byCount(misjudged).map(([reason, count]) => `${count} requests are in order all the same: ${reason}`),
    ...kinds(violations).flatMap(([what, [first, ...more]]) => [
      `\nviolation: ${what}${more.length === 0 ? '' : ` (and ${more.length} more)`}`,
      first === undefined ? '' : `  ${described(first.answer)}`,
    ]),
    `\n${violations.length} violations`,
  ].join('\n')
}

const byCount = (counts: ReadonlyMap<string, number>) => [...counts].toSorted(([, one], [, other]) => other - one)

/** Violations by what they say and where, whichever item of a list they are about. */
function kinds(violations: readonly Violation[]): [string, Violation[]][] {
  const byKind = Map.groupBy(violations, ({ at, message, answer: { question, status } }) =>
    [question.method, status, at, message].join(' ').replaceAll(/\.\d+(?=\.|\s|$)/g, '.*'),
  )
  return [...byKind]
}
