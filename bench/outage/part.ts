import { openReplica } from '../harness/replica.ts'
import type { RunOptions } from '../harness/measured-system.ts'
import { openRemote, type RemoteProcess } from '../harness/remote.ts'
import type { Report } from '../harness/results.ts'
import { percentile } from '../harness/statistics.ts'
import { openPaymentEnvironment, newPayment, type PaymentEnvironment } from '../payments/environment.ts'
import type { Answers, RequestsMethods } from '../processes/requests.ts'
import { countUnchecked, readBacklog, spreadChecks } from './backlog.ts'

/** Calls a second that the provider allows; our services share them. */
const budget = 100
/** Below what the payments service may make, so that each payment is created at once. */
const backlogPerSecond = 60
const createsPerSecond = 10
const secondsBefore = 5
/** Payments are looked at again so often. */
const secondsOfARound = 5
/** A check that failed in the outage comes again a minute later; then all others may have gone before it. */
const mostSecondsAfter = 180

interface Environment extends PaymentEnvironment {
  requests: RemoteProcess<RequestsMethods>
  /** Good for longer than the bench runs. */
  token: string
}

/**
 * Leaves many payments open, of which each falls due for a check while the provider answers 500 to every call. Counts the calls
 * of two replicas that the provider gets in and after the outage, and measures how creates fare meanwhile.
 */
export async function measureOutage(report: Report, options: RunOptions): Promise<void> {
  const { openPayments = 2_000, outageSeconds = 60 } = options
  const limit = { SANDBOX_CALLS_PER_SECOND: String(budget) }
  const settings = {
    ...options.settings,
    payments: { ...options.settings['payments'], ...limit },
    accounts: { ...options.settings['accounts'], ...limit },
  }
  await using opened = await openPaymentEnvironment({ settings })
  await using requests = openRemote<RequestsMethods>('requests.ts')
  const { provider, pid, database, newToken } = opened.system
  const environment: Environment = { ...opened, requests, token: await newToken('bench') }
  const payments = database('payments')

  report.say(
    `outage: ${openPayments} open payments, the provider answers 500 for ${outageSeconds} s; two replicas, ${createsPerSecond} creates/s beside`,
  )
  const made = await create(environment, backlogPerSecond, openPayments / backlogPerSecond)
  report.check(made.latencies.length >= openPayments, `${openPayments} payments are open (${outcomesOf(made)})`)
  const backlog = await readBacklog(payments)
  await using _second = await openReplica(pid('payments'))
  const before = await create(environment, createsPerSecond, secondsBefore)

  const startedAt = performance.now()
  await provider.setFaults({ api: { errorBefore: { rate: 1 } } })
  await spreadChecks(payments, backlog, outageSeconds)
  const during = await create(environment, createsPerSecond, outageSeconds)
  await provider.setFaults({})
  const backAt = await markNow(environment)

  const after: Answers[] = []
  let unchecked = backlog.length
  while (unchecked > 0 && after.length * secondsOfARound < mostSecondsAfter) {
    after.push(await create(environment, createsPerSecond, secondsOfARound))
    unchecked = (await countUnchecked(payments, backlog, backAt)).unchecked
  }
  const { lastAfterSeconds } = await countUnchecked(payments, backlog, backAt)
  const { calls, mostInASecond, perSecond } = await provider.calls(
    Math.min(600, Math.ceil((performance.now() - startedAt) / 1_000)),
  )

  report.add('outage.provider_calls_most_per_s', 'calls/s', [mostInASecond], { atMost: budget })
  report.add('outage.all_checked_after_s', 's', [lastAfterSeconds])
  addCreates(report, 'before', [before])
  addCreates(report, 'after', after)
  report.say(`creates in the outage: ${outcomesOf(during)}; after it: ${after.map(outcomesOf).join(', ')}`)
  report.say(
    `${calls} calls in ${perSecond.length} s of outage (${outageSeconds} s) and return, each second's:\n${rowsOf(perSecond)}`,
  )
  report.check(unchecked === 0, `all ${backlog.length} payments are checked after the outage (${unchecked} are not)`)
}

async function create(
  { system, sites, requests, token }: Environment,
  perSecond: number,
  seconds: number,
): Promise<Answers> {
  return requests.call.run({
    origin: system.devStack.dev.gateway,
    method: 'POST',
    paths: sites.map((site) => `/api/v1/sites/${site}/payments`),
    headers: { authorization: `Bearer ${token}` },
    body: newPayment,
    seconds,
    load: { perSecond },
  })
}

/** Returns the time of the payments database. */
async function markNow({ system }: Environment): Promise<Date> {
  const { rows } = await system.database('payments').query<{ now: Date }>('select now() as now')
  return rows[0]?.now ?? new Date(Number.NaN)
}

function addCreates(report: Report, when: string, answers: readonly Answers[]): void {
  const latencies = answers.flatMap((each) => [...each.latencies])
  report.add(`outage.create_${when}.p50_ms`, 'ms', [percentile(latencies, 0.5)])
  report.add(`outage.create_${when}.p99_ms`, 'ms', [percentile(latencies, 0.99)])
}

function outcomesOf({ latencies, refused }: Answers): string {
  const others = Object.entries(refused).map(([outcome, count]) => `, ${count} answered ${outcome}`)
  return `${latencies.length} created${others.join('')}`
}

/** Twenty seconds a row. */
function rowsOf(perSecond: readonly number[]): string {
  const rows = Array.from({ length: Math.ceil(perSecond.length / 20) }, (_, row) =>
    perSecond.slice(row * 20, row * 20 + 20).map((count) => String(count).padStart(4)),
  )
  return rows.map((row) => row.join('')).join('\n')
}
