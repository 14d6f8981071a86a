import { practiceManagementSystems } from '@frontdesk/contracts'
import type { Principal } from '@frontdesk/service/tokens'
import { openRemote, type RemoteProcess } from '../harness/remote.ts'
import type { Report } from '../harness/results.ts'
import { percentile } from '../harness/statistics.ts'
import { startMeasuredSystem, type RunOptions, type MeasuredSystem } from '../harness/measured-system.ts'
import type { PagesMethods } from '../processes/pages.ts'
import { listsOf, queryOf, type List } from './lists.ts'
import { explainStatements } from './plans.ts'
import { populate } from './population.ts'

const siteCount = 1_000_000
const limitMs = 20

interface Environment {
  system: MeasuredSystem
  reader: RemoteProcess<PagesMethods>
}

/** Measures the lists of a registry with a million sites, at the service: every filter, page after page. */
export async function measureSites(report: Report, options: RunOptions): Promise<void> {
  await using system = await startMeasuredSystem(options)
  await using reader = openRemote<PagesMethods>('pages.ts')
  const environment: Environment = { system, reader }
  const startedAt = performance.now()
  const pool = system.database('registry')
  const population = await populate(pool, siteCount)
  const lists = await listsOf(pool, population)
  report.say(
    `sites: ${siteCount} in the database (filled in ${seconds(startedAt)} s); pages of 250, one after the other`,
  )
  const all: number[] = []
  const medians: { name: string; p50: number }[] = []
  // The first reads bring the table into memory and are not measured.
  for (const list of lists.slice(1)) await readList(environment, { ...list, pages: 3 })
  for (const list of lists) {
    const times = await readList(environment, list)
    all.push(...times)
    medians.push({ name: list.name, p50: percentile(times, 0.5) })
    const figures = `p50 ${percentile(times, 0.5).toFixed(1)}, p99 ${percentile(times, 0.99).toFixed(1)}, most ${Math.max(...times).toFixed(1)} ms`
    report.say(`${list.name.padEnd(48)} ${String(times.length).padStart(5)} pages, ${figures}`)
  }
  const slowest = medians.reduce((worst, next) => (next.p50 > worst.p50 ? next : worst))
  report.add('sites.slowest_list_p50_ms', 'ms', [slowest.p50], { atMost: limitMs })
  report.say(`the slowest list: ${slowest.name}`)
  report.add('sites.page_p50_ms', 'ms', [percentile(all, 0.5)])
  report.add('sites.page_p99_ms', 'ms', [percentile(all, 0.99)], { atMost: limitMs })
  report.add('sites.page_most_ms', 'ms', [Math.max(...all)])
  const late = all.filter((time) => time >= limitMs).length
  report.say(`${late} of ${all.length} pages took ${limitMs} ms or longer`)
  await explain(environment, report, lists)
}

/** Reports, for each list, the indexes by which Postgres reads the table. */
async function explain(environment: Environment, report: Report, lists: readonly List[]): Promise<void> {
  report.say('EXPLAIN (analyze) of the statements of each first and second page:')
  await using explaining = await explainStatements(environment.system)
  const wholeTable: string[] = []
  for (const list of lists.slice(1)) {
    const plans = await explaining.plansOf(async () => void (await readList(environment, { ...list, pages: 2 })))
    report.say(`${list.name.padEnd(48)} ${plans.scans.join(', ')}; ${plans.removed} rows thrown away`)
    if (plans.isWholeTable || plans.scans.length === 0) wholeTable.push(list.name)
  }
  report.check(wholeTable.length === 0, `no filter scans the table (${wholeTable.join(', ') || 'none does'})`)
}

/** Reads a list page by page; returns how long each took, in milliseconds. */
async function readList({ system, reader }: Environment, { filters, system: named, pages }: List): Promise<number[]> {
  const systems = practiceManagementSystems.map(({ code }) => code)
  const principal: Principal = { id: 'client:bench', scopes: ['sites:read'], practiceManagementSystems: systems }
  const times: number[] = []
  let token: string | undefined
  do {
    const headers = {
      authorization: `Bearer ${await internalToken(system, principal)}`,
      ...(named === undefined ? {} : { 'x-practice-management-software': named }),
    }
    const { keyFiles } = system
    const path = `/api/v1/sites?${queryOf(filters)}`
    // These are read within the life of an internal token.
    const most = Math.min(500, pages - times.length)
    const read = await reader.call.read({ origin: system.url('registry'), path, headers, keyFiles, token, most })
    times.push(...read.times)
    token = read.token
  } while (token !== undefined && times.length < pages)
  return times
}

const tokens = { value: '', until: 0 }

/** Returns an internal token, renewed every half minute as in the gateway. */
async function internalToken({ issuer }: MeasuredSystem, principal: Principal): Promise<string> {
  if (performance.now() > tokens.until) {
    tokens.value = await issuer.mint('registry', { principal })
    tokens.until = performance.now() + 30_000
  }
  return tokens.value
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1_000)
}
