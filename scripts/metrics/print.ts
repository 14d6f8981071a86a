import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { dashboards, grafanaDashboard } from './dashboards.ts'
import { metricFamilies } from './families.ts'
import { metricsPage } from './metrics-page.ts'
import { rulesFile } from './rules.ts'
import { runbooksPage } from './runbooks.ts'

export const root = resolve(import.meta.dirname, '../..')

/** Returns what is printed of metrics and alerts as text, by path in the repository. */
export async function printedMetrics(): Promise<Record<string, string>> {
  return {
    'docs/metrics.md': metricsPage(await metricFamilies()),
    'docs/runbooks.md': runbooksPage(),
    'deploy/prometheus/rules.yaml': rulesFile(),
    ...Object.fromEntries(
      Object.entries(dashboards).map(([name, dashboard]) => [
        `deploy/grafana/${name}.json`,
        `${JSON.stringify(grafanaDashboard(name, dashboard), null, 2)}\n`,
      ]),
    ),
  }
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await printedMetrics())) {
    await mkdir(dirname(resolve(root, path)), { recursive: true })
    await writeFile(resolve(root, path), text)
  }
}
