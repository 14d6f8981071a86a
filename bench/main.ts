import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { deliverySections, measureDelivery } from './delivery/part.ts'
import { measureGateway } from './gateway/part.ts'
import { describeCommit, describeMachine } from './harness/machine.ts'
import { describeProfiles, profilingSettings } from './harness/profile.ts'
import { watchNoise } from './harness/noise.ts'
import { openReport, type Report } from './harness/results.ts'
import type { RunOptions } from './harness/measured-system.ts'
import { measureOutage } from './outage/part.ts'
import { measurePayments } from './payments/part.ts'
import { measureRetention } from './retention/part.ts'
import { measureSites } from './sites/part.ts'
import { measureValidation } from './validation/part.ts'

const file = resolve(import.meta.dirname, 'results/latest.json')

interface Part {
  measure: (report: Report, options: RunOptions) => Promise<void>
  /** Sections that can be measured alone, as PART:SECTION. */
  sections: readonly string[]
}

/** The parts, in the order of a whole run. */
const parts: Record<string, Part> = {
  delivery: { measure: measureDelivery, sections: deliverySections },
  gateway: { measure: measureGateway, sections: [] },
  sites: { measure: measureSites, sections: [] },
  payments: { measure: measurePayments, sections: [] },
  outage: { measure: measureOutage, sections: [] },
  retention: { measure: measureRetention, sections: [] },
  validation: { measure: measureValidation, sections: [] },
}
const names = Object.entries(parts).flatMap(([part, { sections }]) => [
  part,
  ...sections.map((name) => `${part}:${name}`),
])

/**
 * `npm run bench [-- PART[:SECTION] ...] [--full] [--minutes N] [--open-payments N] [--outage-seconds N]
 * [--profile SERVICE]`: measures, prints a table and writes results/latest.json. Returns the exit code: 1 if a promise was
 * broken, for instance if an event was lost.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      full: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      'open-payments': { type: 'string' },
      'outage-seconds': { type: 'string' },
      profile: { type: 'string', multiple: true, default: [] },
    },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}. The parts are ${names.join(', ')}.`)
    return 1
  }
  const [minutes, openPayments, outageSeconds] = [
    values.minutes,
    values['open-payments'],
    values['outage-seconds'],
  ].map((text) => (text === undefined ? undefined : Number(text)))
  if ([minutes, openPayments, outageSeconds].some((number) => number !== undefined && !(number > 0))) {
    console.error('--minutes, --open-payments and --outage-seconds are numbers above 0')
    return 1
  }
  if (process.platform !== 'linux') {
    console.error('The bench reads processor times from /proc, which only Linux has.')
    return 1
  }
  const machine = describeMachine()
  const noise = watchNoise()
  const commit = describeCommit()
  console.log(`machine  ${machine}\ncommit   ${commit}\n`)
  console.log('  figure                                           median unit           spread of the rounds')
  const report = openReport(console.log)
  const settings = profilingSettings(values.profile)
  for (const [name, { measure }] of Object.entries(parts)) {
    const asked = positionals.map((one) => one.split(':')).filter(([part]) => part === name)
    if (positionals.length > 0 && asked.length === 0) continue
    const sections = asked.flatMap(([, section]) => section ?? [])
    const startedAt = performance.now()
    const noise = watchNoise()
    await measure(report, { full: values.full, sections, settings, minutes, openPayments, outageSeconds })
    for (const service of values.profile) report.say(`where ${service} spends its time:\n${describeProfiles(service)}`)
    report.say(`${name}: ${Math.round((performance.now() - startedAt) / 1_000)} s in all; ${noise()}\n`)
  }
  mkdirSync(resolve(file, '..'), { recursive: true })
  writeFileSync(
    file,
    `${JSON.stringify({ machine: `${machine}; ${noise()}`, commit, results: report.results }, undefined, 2)}\n`,
  )
  console.log(`written to ${file}`)
  for (const failure of report.failures) console.error(`broken promise: ${failure}`)
  return report.failures.length === 0 ? 0 : 1
}

process.exitCode = await main()
