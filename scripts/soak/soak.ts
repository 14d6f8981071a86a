import { audit, type Audit } from './audit.ts'
import { eachOf, readEvents, readLedger, readRows } from './books.ts'
import { startKilling } from './killing.ts'
import { planPayments, seededRandom } from './plan.ts'
import { playPayment, type PlayedPayment } from './play.ts'
import { readHealed, settle } from './settling.ts'
import { openStage, type Stage } from './stage.ts'

export interface SoakOptions {
  payments: number
  seed: number
  /** Payments that are played at a time. */
  atATime: number
  /** The shortest and the longest time between two kills, in milliseconds. */
  betweenKills: readonly [number, number]
  /** Folder of the system's state. */
  home: string
  say: (text: string) => void
  onLine?: (part: string, line: string) => void
  /** Stops everything, and throws its reason. */
  signal?: AbortSignal
}

export interface SoakResult {
  audit: Audit
  /** How often each fault hit, by where it did. */
  faultsMet: { api: Record<string, number>; webhooks: Record<string, number> }
  kills: Readonly<Record<string, number>>
  seconds: { play: number; settling: number }
}

const siteCount = 5
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
 * Plays payments while the provider has every fault and services are killed, lets all be well again, waits until
 * everything has settled, and holds the books of all sides against each other.
 */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { home, onLine = () => {}, signal = new AbortController().signal } = options
  await using stage = await openStage({ home, sites: siteCount, onLine, signal })
  return await Promise.race([playAndAudit(stage, options), untilAborted(signal)])
}

async function playAndAudit(stage: Stage, options: SoakOptions): Promise<SoakResult> {
  const { payments, seed, say } = options
  const random = seededRandom(seed)
  const plans = planPayments(payments, stage.sites, random)
  say(`the system runs, with ${siteCount} sites; now every fault at 5 %, and services are killed`)
  await set(stage, everyFault)
  const killing = startKilling(stage.constellation, { random, between: options.betweenKills })
  const startedAt = performance.now()
  const played: PlayedPayment[] = []
  const troubles: string[] = []
  const ticker = setInterval(() => say(`${played.length} of ${payments} payments played`), 15_000)
  try {
    await eachOf(plans, options.atATime, async (plan) => {
      played.push(
        await playPayment(stage, plan).catch((error: unknown) => {
          troubles.push(error instanceof Error ? error.message : String(error))
          return { plan }
        }),
      )
    })
  } finally {
    clearInterval(ticker)
    await killing.stop()
  }
  const playedAt = performance.now()
  await set(stage, {})
  say(`all ${payments} played; the faults and the killing have ended`)
  await settle(stage, say)
  const [rows, ledger] = [await readRows(stage), await readLedger(stage)]
  const shown = await readHealed(stage, rows, ledger, say)
  const events = await readEvents(stage)
  const verdict = audit({ played, rows, shown, ledger, events, deliveries: stage.deliveries })
  return {
    audit: { ...verdict, faults: [...troubles, ...verdict.faults] },
    faultsMet: await stage.look('faults/met'),
    kills: killing.kills,
    seconds: { play: (playedAt - startedAt) / 1_000, settling: (performance.now() - playedAt) / 1_000 },
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

async function set({ control }: Stage, faults: object): Promise<void> {
  const status = await control('faults', faults)
  if (status !== 204) throw new Error(`the faults were answered ${status}`)
}
