import { alertGroups, alerts, recordings, type Alert } from './alerts/index.ts'

/** Where the runbook of an alert is; the host is the deployment's own. */
export const runbookOf = ({ name }: Alert): string => `docs/runbooks.md#${name.toLowerCase()}`

/** Returns deploy/prometheus/rules.yaml. Every value is a double-quoted scalar, which JSON's strings are. */
export function rulesFile(): string {
  const text = JSON.stringify
  return [
    '# Printed by `npm run print-metrics` from scripts/metrics/alerts: do not edit.',
    'groups:',
    '  - name: "objectives, recorded"',
    '    rules:',
    ...recordings.flatMap(({ name, expr }) => [`      - record: ${text(name)}`, `        expr: ${text(expr)}`]),
    ...Object.entries(alertGroups).flatMap(([group, members]) => [
      `  - name: ${text(group)}`,
      '    rules:',
      ...members.flatMap((alert) => [
        `      - alert: ${text(alert.name)}`,
        `        expr: ${text(alert.expr)}`,
        `        for: ${text(alert.for)}`,
        '        labels:',
        `          severity: ${text(alert.severity)}`,
        '        annotations:',
        `          summary: ${text(alert.meaning)}`,
        `          runbook: ${text(runbookOf(alert))}`,
      ]),
    ]),
    '',
  ].join('\n')
}

const at = '40m'

type Series = Readonly<Record<string, string>>

/** Returns the unit tests of the rules for promtool: each alert fires under its series, and is silent under the others. */
export function rulesTests(rules: string): object {
  return {
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [
      ...packed(({ fires }) => fires.series).map((members) =>
        test(
          members,
          ({ fires }) => fires.series,
          (alert) => [
            {
              exp_labels: { severity: alert.severity, ...alert.fires.labels },
              exp_annotations: { summary: alert.meaning, runbook: runbookOf(alert) },
            },
          ],
        ),
      ),
      ...packed(({ silent }) => silent).map((members) =>
        test(
          members,
          ({ silent }) => silent,
          () => [],
        ),
      ),
    ],
  }
}

/** Returns the alerts in as few groups as may share a test, each of which takes promtool 0.3 s: no metric has two sets of series. */
function packed(seriesOf: (alert: Alert) => Series): Alert[][] {
  const groups: { members: Alert[]; sets: Map<string, string> }[] = []
  for (const alert of alerts) {
    const sets = new Map<string, string>()
    for (const [series, values] of Object.entries(seriesOf(alert))) {
      const metric = series.split('{', 1)[0] ?? ''
      sets.set(metric, `${sets.get(metric) ?? ''}${series} ${values};`)
    }
    const fitting = groups.find((group) => [...sets].every(([metric, set]) => (group.sets.get(metric) ?? set) === set))
    if (fitting === undefined) groups.push({ members: [alert], sets })
    else {
      fitting.members.push(alert)
      for (const [metric, set] of sets) fitting.sets.set(metric, set)
    }
  }
  return groups.map(({ members }) => members)
}

function test(
  members: readonly Alert[],
  seriesOf: (alert: Alert) => Series,
  expected: (alert: Alert) => object[],
): object {
  const series = Object.assign({}, ...members.map(seriesOf)) as Series
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([of, values]) => ({ series: of, values })),
    alert_rule_test: members.map((alert) => ({ eval_time: at, alertname: alert.name, exp_alerts: expected(alert) })),
  }
}
