import { alertGroups, alerts, type Alert } from './alerts/index.ts'

const head = `# Runbooks

Printed by \`npm run print-metrics\` from \`scripts/metrics/alerts\`: do not edit. One section for each alert of
\`deploy/prometheus/rules.yaml\`. **page**: clients or money suffer, now. **ticket**: within a working day. Figures are explained in
[metrics](metrics.md), commands in [operating](operating.md). Objectives: 99.9 % of requests get an answer without 5xx in a month, and
99 % of deliveries are first tried within 10 s of their event.
`

const titles: Readonly<Record<string, string>> = {
  objectives: 'Objectives',
  parts: 'Processes, Postgres, NATS, clocks',
  events: 'Events and webhooks',
  money: 'Money and providers',
}

/** Returns docs/runbooks.md. */
export function runbooksPage(): string {
  return [
    head,
    ...Object.entries(alertGroups).flatMap(([group, members]) => [
      `## ${titles[group] ?? group}\n`,
      ...members.map(section),
    ]),
    '## Drills\n',
    'What moves the figures of each alert on purpose: a scenario of [`npm run chaos`](chaos.md), played for longer than the alert waits, or a test that',
    'breaks the part. The rules themselves are proven with `promtool`: each fires under its series, and stays silent under others.\n',
    '| alert | severity | drill |',
    '|---|---|---|',
    ...alerts.map(
      (alert) => `| [${alert.name}](#${alert.name.toLowerCase()}) | ${alert.severity} | ${drillOf(alert)} |`,
    ),
    '',
  ].join('\n')
}

function section({ name, severity, expr, for: held, meaning, see, act }: Alert): string {
  const fires = held === '0m' ? 'at once' : `after ${held}`
  return [
    `### ${name}\n`,
    `**${severity}**, ${fires}: \`${expr}\`\n`,
    `- **Meaning.** ${meaning}`,
    `- **See.** ${see}`,
    `- **Do.** ${act}`,
    '',
  ].join('\n')
}

function drillOf({ drill }: Alert): string {
  if ('byHand' in drill) return `by hand: ${drill.byHand}`
  return 'scenario' in drill ? `scenario \`${drill.scenario}\`` : `test \`${drill.test}\``
}
