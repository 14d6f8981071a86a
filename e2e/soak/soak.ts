import { eachOf } from '../system/each-of.ts'
import { seededRandom } from '../system/random.ts'
import type { FaultsMet } from '../system/provider.ts'
import type { Audit } from './audit.ts'
import { depart, type Departure } from './departures.ts'
import { callsPerSecond, openEnvironment, type Environment, type EnvironmentOptions } from './environment.ts'
import { startKilling } from './kill-services.ts'
import { planPayments } from './plan.ts'
import { runPayment, type RequestedPayment } from './run-payment.ts'
import { settleAndAudit } from './settle.ts'

export interface SoakOptions extends Omit<EnvironmentOptions, 'practices' | 'departing'> {
  payments: number
  seed: number
  /** Payments that run at once. */
  atATime: number
  /** The shortest and the longest time in which all services run between two kills, in milliseconds. */
  betweenKills: readonly [number, number]
  say: (text: string) => void
}

export interface SoakResult {
  audit: Audit
  /** How often each fault was met, by place. */
  faultsMet: FaultsMet
  kills: Readonly<Record<string, number>>
  seconds: { payments: number; settling: number }
}

const practiceCount = 5
/** One of so many payments is of a practice that disconnects. */
const paymentsBetweenDepartures = 400
const paymentsOfDeparture = 6
/** Each at 5 %. */
const share = { rate: 0.05 }
/** As at a provider whose rate limit is exceeded now and then: it refuses every call for a while. */
const rateLimitSpells = { rate: 1, spells: { lastMs: 1_500, betweenMs: 18_500 } }
const everyFault = {
  api: {
    rateLimit: rateLimitSpells,
    conflict: share,
    errorBefore: share,
    errorAfter: share,
    savedErrorBefore: share,
    savedErrorAfter: share,
    hang: share,
    reset: share,
    slow: { ...share, ms: 500 },
  },
  // The provider's clock is behind ours, besides the skew of our services.
  rules: { callsPerSecond, retryAfter: 1, signatureClockMs: -30_000 },
  refunds: { pending: { rate: 0.2 } },
  webhooks: { duplicate: share, reorder: { ...share, ms: 3_000 }, delay: { ...share, ms: 4_000 }, drop: share },
}

/**
 * Runs payments while the provider has every fault and services are killed; then ends the faults, waits until everything
 * has settled, and compares the records of all sides. `signal` stops everything; its reason is thrown.
 */
export async function soak({ home, onLine, signal, skewMs, patienceMs, ...options }: SoakOptions): Promise<SoakResult> {
  const departing = Math.max(1, Math.floor(options.payments / paymentsBetweenDepartures))
  const starting = {
    home,
    skewMs,
    patienceMs,
    practices: practiceCount,
    departing,
    ...(onLine && { onLine }),
    ...(signal && { signal }),
  }
  await using environment = await openEnvironment(starting)
  return await Promise.race([runAndAudit(environment, options), untilAborted(signal)])
}

type RunOptions = Omit<SoakOptions, 'home' | 'skewMs' | 'patienceMs'>

async function runAndAudit(environment: Environment, options: RunOptions): Promise<SoakResult> {
  const { payments, seed, betweenKills, say } = options
  const { provider, devStack } = environment
  const random = seededRandom(seed)
  const errors: string[] = []
  say(
    `the system runs; now the provider has every fault at 5 % and refuses all calls in spells, and services are killed`,
  )
  await provider.setFaults(everyFault)
  const killing = startKilling(devStack, { random, between: betweenKills })
  const startedAt = performance.now()
  let played: Played
  try {
    played = await playAll(environment, options, random, errors)
  } finally {
    await killing.stop()
  }
  const { requested, departures } = played
  const madeAt = performance.now()
  await provider.setFaults({})
  say(`all ${payments} payments are made; faults and kills have ended`)
  const result = await settleAndAudit(environment, requested, say, departures)
  return {
    audit: { ...result, faults: [...errors, ...result.faults] },
    faultsMet: await provider.faultsMet(),
    kills: killing.kills,
    seconds: { payments: (madeAt - startedAt) / 1_000, settling: (performance.now() - madeAt) / 1_000 },
  }
}

interface Played {
  requested: RequestedPayment[]
  departures: Departure[]
}

/** Plays the payments and, spread over them, the departures. Errors are collected: each one is a fault. */
async function playAll(
  environment: Environment,
  { payments, atATime, say }: RunOptions,
  random: () => number,
  errors: string[],
): Promise<Played> {
  const requested: RequestedPayment[] = []
  const departures: Departure[] = []
  const sites = environment.practices.map(({ slug }) => slug)
  const noted = (error: unknown) => void errors.push(error instanceof Error ? error.message : String(error))
  const works = planPayments(payments, sites, random).map((plan) => async () => {
    const made = await runPayment(environment, plan)
    requested.push(made)
    if (made.fault !== undefined) errors.push(made.fault)
  })
  for (const [index, practice] of environment.departing.entries()) {
    works.splice(Math.floor(((index + 1) * works.length) / (environment.departing.length + 1)), 0, async () => {
      const departure = await depart(environment, practice, paymentsOfDeparture).catch(noted)
      if (departure !== undefined) departures.push(departure)
    })
  }
  const ticker = setInterval(() => say(`${requested.length} of ${payments} payments made`), 15_000)
  try {
    await eachOf(works, atATime, (work) => work())
  } finally {
    clearInterval(ticker)
  }
  return { requested, departures }
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
}
