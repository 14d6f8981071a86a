import { audit, type Audit } from './audit.ts'
import { openEnvironment, type Environment, type EnvironmentOptions } from './environment.ts'
import { startKilling } from './kill-services.ts'
import { planPayments, seededRandom } from './plan.ts'
import { eachOf, readEvents, readRows } from './records.ts'
import { runPayment, type RequestedPayment } from './run-payment.ts'
import { readHealed, settle } from './settle.ts'

export interface SoakOptions extends Omit<EnvironmentOptions, 'practices'> {
  payments: number
  seed: number
  /** Payments that run at once. */
  atATime: number
  /** The shortest and the longest time between two kills, in milliseconds. */
  betweenKills: readonly [number, number]
  say: (text: string) => void
}

export interface SoakResult {
  audit: Audit
  /** How often each fault was met, by place. */
  faultsMet: { api: Record<string, number>; webhooks: Record<string, number> }
  kills: Readonly<Record<string, number>>
  seconds: { payments: number; settling: number }
}

const practiceCount = 5
/** Each at 5 %. */
const share = { rate: 0.05 }
const everyFault = {
  api: {
    rateLimit: share,
    conflict: share,
    errorBefore: share,
    errorAfter: share,
    hang: share,
    reset: share,
    slow: { ...share, ms: 500 },
  },
  webhooks: { duplicate: share, reorder: { ...share, ms: 3_000 }, delay: { ...share, ms: 4_000 }, drop: share },
}

/**
 * Runs payments while the provider has every fault and services are killed; then ends the faults, waits until everything
 * has settled, and compares the records of all sides. `signal` stops everything; its reason is thrown.
 */
export async function soak({ home, onLine, signal, ...options }: SoakOptions): Promise<SoakResult> {
  const starting = { home, practices: practiceCount, ...(onLine && { onLine }), ...(signal && { signal }) }
  await using environment = await openEnvironment(starting)
  return await Promise.race([runAndAudit(environment, options), untilAborted(signal)])
}

async function runAndAudit(
  environment: Environment,
  { payments, seed, atATime, betweenKills, say }: Omit<SoakOptions, 'home'>,
): Promise<SoakResult> {
  const { provider, practices, devStack } = environment
  const random = seededRandom(seed)
  const sites = practices.map(({ slug }) => slug)
  const plans = planPayments(payments, sites, random)
  say(`the system runs with ${sites.length} sites; now the provider has every fault at 5 %, and services are killed`)
  await provider.setFaults(everyFault)
  const killing = startKilling(devStack, { random, between: betweenKills })
  const startedAt = performance.now()
  const requested: RequestedPayment[] = []
  const errors: string[] = []
  const ticker = setInterval(() => say(`${requested.length} of ${payments} payments made`), 15_000)
  try {
    await eachOf(plans, atATime, async (plan) => {
      requested.push(
        await runPayment(environment, plan).catch((error: unknown) => {
          errors.push(error instanceof Error ? error.message : String(error))
          return { plan }
        }),
      )
    })
  } finally {
    clearInterval(ticker)
    await killing.stop()
  }
  const madeAt = performance.now()
  await provider.setFaults({})
  say(`all ${payments} payments are made; faults and kills have ended`)
  await settle(environment, say)
  const [rows, ledger] = [await readRows(environment), await provider.ledger()]
  const shown = await readHealed(environment, rows, ledger, say)
  const events = await readEvents(environment)
  const result = audit({ requested, rows, shown, ledger, events, received: environment.received() })
  return {
    audit: { ...result, faults: [...errors, ...result.faults] },
    faultsMet: await provider.faultsMet(),
    kills: killing.kills,
    seconds: { payments: (madeAt - startedAt) / 1_000, settling: (performance.now() - madeAt) / 1_000 },
  }
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
}
