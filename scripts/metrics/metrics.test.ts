import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { expect, test } from 'vitest'
import { alerts, recordings } from './alerts/index.ts'
import { dashboards, grafanaDashboard } from './dashboards.ts'
import { unknownIn } from './expressions.ts'
import { metricFamilies } from './families.ts'
import { printedMetrics, root } from './print.ts'
import { rulesFile, rulesTests, runbookOf } from './rules.ts'

const read = (path: string) => readFileSync(resolve(root, path), 'utf8')

test('what is printed of metrics, alerts and dashboards is what the code says', async () => {
  for (const [path, text] of Object.entries(await printedMetrics()))
    expect(existsSync(resolve(root, path)) && read(path) === text, `${path}: run npm run print-metrics`).toBe(true)
})

test('every metric has a meaning, and every one of ours has a unit', async () => {
  for (const { name, meaning, unit } of await metricFamilies()) {
    expect(meaning.length, name).toBeGreaterThan(10)
    expect(unit, name).not.toBe('')
  }
})

test('alerts, dashboards and runbooks ask for metrics and labels that exist', async () => {
  const families = await metricFamilies()
  const recorded = recordings.map(({ name }) => name)
  const faults = (where: string, expr: string) =>
    unknownIn(expr, families, recorded).map((fault) => `${where}: ${fault}`)
  const panels = Object.entries(dashboards).flatMap(([name, dashboard]) => {
    const { panels: drawn } = JSON.parse(JSON.stringify(grafanaDashboard(name, dashboard))) as {
      panels: { title: string; targets: { expr: string; legendFormat: string }[] }[]
    }
    return drawn.flatMap(({ title, targets }) => targets.flatMap(({ expr }) => faults(`${name}, ${title}`, expr)))
  })
  expect(panels).toEqual([])
  expect([...recordings, ...alerts].flatMap(({ name, expr }) => faults(name, expr))).toEqual([])
  // Whatever looks like a metric in the advice of a runbook.
  const advice = alerts.flatMap(({ name, see, act }) =>
    [...`${see} ${act}`.matchAll(/`([^`]+)`/g)]
      .map(([, code = '']) => code)
      .filter((code) => /^[a-z]+(_[a-z]+)+(\{.*\})?$|(rate|increase|count) ?(by|\()/.test(code))
      .filter((code) => !/^(select|pg_|kubectl)/.test(code) && !families.some(({ name: metric }) => metric === code))
      .flatMap((code) => faults(name, code)),
  )
  expect(advice).toEqual([])
})

test('an expression is refused that asks for a metric or a label that does not exist', async () => {
  const families = await metricFamilies()
  expect(unknownIn('max by (job) (outbox_oldest_second) > 60', families)).toEqual([
    'there is no metric outbox_oldest_second',
  ])
  expect(unknownIn('events_consumer_bound{name="a"}', families)).toEqual(['events_consumer_bound has no label name'])
  expect(unknownIn('sum by (code) (rate(gateway_shed_total[5m]))', families)).toEqual([
    'no metric of it has the label code',
  ])
  expect(unknownIn('rate(http_request_duration_seconds[5m])', families)).toHaveLength(1)
})

test('each alert has its runbook, and each runbook its alert', () => {
  const sections = [...read('docs/runbooks.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  expect(sections).toEqual(alerts.map(({ name }) => name))
  expect(new Set(sections).size).toBe(sections.length)
  for (const alert of alerts) expect(runbookOf(alert)).toBe(`docs/runbooks.md#${alert.name.toLowerCase()}`)
})

test('each alert has a drill: a chaos scenario or a test that exists, and by hand only what pages nobody', () => {
  const played = read('docs/chaos.md')
  for (const { name, severity, drill } of alerts) {
    if ('scenario' in drill) expect(played, name).toContain(`\`${drill.scenario}\``)
    else if ('byHand' in drill) expect(severity, name).toBe('ticket')
    else expect(existsSync(resolve(root, drill.test)), `${name}: ${drill.test}`).toBe(true)
  }
})

/** Returns the command of promtool: of this machine, or the one beside the other programs that tests use. */
function promtool(): string | undefined {
  return ['promtool', resolve(root, 'node_modules/.cache/frontdesk/bin/promtool')].find((command) => {
    try {
      execFileSync(command, ['--version'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

const command = promtool()
if (command === undefined)
  console.warn('promtool is missing (Debian has it in the package prometheus): no rule is played here')

test.skipIf(command === undefined)(
  'each alert fires under its series and is silent under others, says promtool',
  async () => {
    await using folder = await throwAwayFolder()
    await writeFile(join(folder.path, 'rules.yaml'), rulesFile())
    await writeFile(join(folder.path, 'tests.yaml'), JSON.stringify(rulesTests('rules.yaml')))
    const run = (...args: string[]) => promisify(execFile)(command ?? '', args, { cwd: folder.path })
    await run('check', 'rules', 'rules.yaml')
    await run('test', 'rules', 'tests.yaml')
    // It can fail: without its threshold an alert fires that must be silent.
    await writeFile(
      join(folder.path, 'rules.yaml'),
      rulesFile().replace('(outbox_oldest_seconds) > 60', '(outbox_oldest_seconds) >= 0'),
    )
    await expect(run('test', 'rules', 'tests.yaml')).rejects.toMatchObject({
      stderr: expect.stringContaining('OutboxStuck'),
    })
  },
)
