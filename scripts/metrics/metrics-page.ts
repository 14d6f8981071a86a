import { measuredServices, type Family } from './families.ts'

const head = `# Metrics

Printed by \`npm run print-metrics\` from the code: do not edit. Each service serves them at \`/metrics\`, the gateway at a port of its own
(\`METRICS_PORT\`). The label \`job\` of the scrape must be the name of the service: the rules and dashboards below ask by it.

- A figure is of one replica, unless its meaning says that the replica with the leader lock reads it for all: then take \`max\` over replicas.
- No request costs a statement for a metric. What is read from Postgres or JetStream is read every 10 s or more.
- [Alerts](runbooks.md) are in \`deploy/prometheus/rules.yaml\`, dashboards in \`deploy/grafana\`. [Why so](decisions/045-seen-from-outside.md).
`

/** Returns docs/metrics.md. */
export function metricsPage(families: readonly Family[]): string {
  const isOfNode = ({ name }: Family) => /^(nodejs|process)_/.test(name)
  return [
    head,
    '## Our own\n',
    table(families.filter((family) => !isOfNode(family))),
    '## Of Node\n',
    'Every service has them.\n',
    table(families.filter(isOfNode)),
  ].join('\n')
}

function table(families: readonly Family[]): string {
  const rows = families.map(({ name, type, labels, unit, meaning, services }) => {
    const who = services.length === measuredServices.length ? 'all' : services.join(', ')
    const cells = [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), unit, who, meaning]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['| metric | type | labels | unit | services | meaning |', '|---|---|---|---|---|---|', ...rows, ''].join('\n')
}
