import { statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '../system/random.ts'
import type { Allowances, Records } from './audit/records.ts'
import { check, invariants } from './audit/check.ts'
import { untilDrained } from './audit/drain.ts'
import { readRecords, type Span } from './audit/read-records.ts'
import { startLoad } from './load/generator.ts'
import { openHttpClient } from './load/http.ts'
import { failuresByReason } from './load/log.ts'
import type { Outcome, Play, Scenario } from './scenario.ts'
import type { Environment } from './environment.ts'

export interface RunOptions {
  seed: number
  short: boolean
}

const defaultRate = 25
/** A scenario that takes longer hangs. */
const longestMs = { short: 180_000, long: 1_800_000 }
/** Keyed requests must have their answers this long after recovery. */
const answersWithinMs = 20_000

/** Plays one scenario under load, waits until the system has drained, and checks the records. */
export async function runScenario(scenario: Scenario, environment: Environment, options: RunOptions): Promise<Outcome> {
  const startedAt = performance.now()
  const notes: Pick<Outcome, 'injected' | 'counted' | 'held' | 'broken'> = {
    injected: [],
    counted: [],
    held: [],
    broken: [],
  }
  const hanging = new AbortController()
  const tooLong = async (): Promise<never> => {
    await wait(options.short ? longestMs.short : longestMs.long, undefined, { signal: hanging.signal })
    throw new Error('it hangs')
  }
  try {
    await Promise.race([playAndCheck(scenario, environment, options, notes), tooLong()])
  } catch (error) {
    notes.broken.push(`it did not finish: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    hanging.abort()
  }
  const { name, title } = scenario
  const seconds = (performance.now() - startedAt) / 1_000
  return { name, title, verdict: notes.broken.length === 0 ? 'held' : 'broke', seconds, ...notes }
}

async function playAndCheck(
  scenario: Scenario,
  environment: Environment,
  { seed, short }: RunOptions,
  notes: Pick<Outcome, 'injected' | 'counted' | 'held' | 'broken'>,
): Promise<void> {
  const { system, practices, logFile } = environment
  const { rows } = await system.database('payments').query<{ now: Date }>('select now()')
  const span: Span = { since: rows[0]?.now ?? new Date(), logOffset: statSync(logFile).size }
  const random = seededRandom(seed)
  const token = await system.newToken('bench')
  await using http = openHttpClient(system.baseUrl, () => token)
  const sites = () => practices.map(({ slug, subscriber }) => ({ slug, url: subscriber.url }))
  const prefix = `${scenario.name}-${Date.now().toString(36)}`
  const { rate = defaultRate, mix } = scenario
  const { provider } = system
  const load = startLoad({ http, provider, sites, rate, mix, random: seededRandom(seed + 1), prefix })
  const startedAt = performance.now()
  const allowed: Allowances = {}
  let recoveredAt: number | undefined
  const resources = new AsyncDisposableStack()
  const play: Play = {
    environment,
    load,
    random,
    short,
    allowed,
    inject: (text) => void notes.injected.push(`${((performance.now() - startedAt) / 1_000).toFixed(1)} s  ${text}`),
    count: (text) => void notes.counted.push(text),
    expect: (holds, text) => void (holds ? notes.held : notes.broken).push(text),
    during: (brief, long) => wait((short ? brief : long) * 1_000),
    recovered: () => void (recoveredAt = performance.now()),
    use: (resource) => resources.use(resource),
  }
  try {
    await scenario.play(play)
    recoveredAt ??= performance.now()
    await load.stop(answersWithinMs)
  } finally {
    await load.stop(0)
    await resources.disposeAsync()
  }
  const drained = await untilDrained(environment, load.log, recoveredAt)
  const records = await readRecords(environment, load.log, drained, span)
  notes.counted.push(...figures(records))
  judge(records, allowed, notes)
  await scenario.afterwards?.(play)
}

function judge(records: Records, allowed: Allowances, { held, broken }: Pick<Outcome, 'held' | 'broken'>): void {
  const violations = Map.groupBy(check(records, allowed), ({ invariant }) => invariant)
  for (const [invariant, found] of violations) {
    const shown = found.slice(0, 3).map(({ text }) => text)
    const more = found.length > 3 ? ` (and ${found.length - 3} more)` : ''
    broken.push(`${invariant}, ${invariants[invariant]}: ${shown.join('; ')}${more}`)
  }
  const kept = Object.keys(invariants).filter((name) => !violations.has(name as keyof typeof invariants))
  const asked = kept.filter((name) => name !== 'I10' || allowed.nothingFails === true)
  held.push(asked.filter((name) => name !== 'I5' || allowed.streamWasLost !== true).join(', '))
}

function figures({ log, payments, ledger, outbox, deliveries, receipts, drained, accounts }: Records): string[] {
  const acknowledged = log.creates.filter(({ id }) => id !== undefined).length
  const repeated = receipts.length - new Set(receipts.map(({ webhookId, url }) => webhookId + url)).size
  const paid = ledger.filter(({ paymentStatus }) => paymentStatus === 'paid').length
  return [
    `${log.sent} requests, ${log.acknowledged} acknowledged; failed: ${failuresByReason(log)}`,
    `${log.creates.length} creates, ${acknowledged} acknowledged; ${payments.length} payments, ${paid} paid at the provider; ${accounts.length} accounts`,
    `${outbox.length} events, ${deliveries.length} deliveries in ${receipts.length} posts, ${repeated} of them repetitions`,
    `drained ${drained.seconds.toFixed(1)} s after recovery`,
  ]
}
