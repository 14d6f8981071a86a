import { described } from './exchange.ts'
import type { PrismReport, Violation } from './prism.ts'

/** Returns prism's report as text: the counts, the requests that bypassed prism with reasons, and each violation once. */
export function printedPrismReport(report: PrismReport): string {
  const { operations, others, refused, direct, misjudged, violations } = report
  return [
    `prism checked ${operations} exchanges against the document; in ${refused} of them an invalid request was refused`,
    `${others} exchanges were with addresses that are not operations (tokens, documents, unknown addresses)`,
    ...byCount(direct).map(([reason, count]) => `${count} requests went to the gateway directly: ${reason}`),
    ...byCount(misjudged).map(
      ([reason, count]) => `${count} requests are valid although prism reports them: ${reason}`,
    ),
    ...kinds(violations).flatMap(([what, [first, ...more]]) => [
      `\nviolation: ${what}${more.length === 0 ? '' : ` (and ${more.length} more)`}`,
      first === undefined ? '' : `  ${described(first.answer)}`,
    ]),
    `\n${violations.length} violations`,
  ].join('\n')
}

const byCount = (counts: ReadonlyMap<string, number>) => [...counts].toSorted(([, one], [, other]) => other - one)

/** Groups violations by message and place, regardless of the item of a list. */
function kinds(violations: readonly Violation[]): [string, Violation[]][] {
  const byKind = Map.groupBy(violations, ({ at, message, answer: { question, status } }) =>
    [question.method, status, at, message].join(' ').replaceAll(/\.\d+(?=\.|\s|$)/g, '.*'),
  )
  return [...byKind]
}
