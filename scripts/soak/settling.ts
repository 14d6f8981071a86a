import { setTimeout as wait } from 'node:timers/promises'
import { statusImplied } from './audit.ts'
import { eachOf, readEvents, readLedger, readRows, readShown, type LedgerEntry, type Row, type Shown } from './books.ts'
import type { Stage } from './stage.ts'

/** Nothing has moved for so long: what still waits, waits for ever. Longer than a lease of a process that was killed. */
const patienceMs = 100_000

/** Waits, with all well again, until every payment has come to an end and every outcome to its subscriber. */
export async function settle(stage: Stage, say: (text: string) => void): Promise<void> {
  await quiet('payments of unknown outcome are found', say, async () => {
    const rows = await readRows(stage)
    return rows.filter(({ status }) => status === 'Created').length
  })
  // Who gave up left pages behind that nobody will pay: their time runs out.
  const abandoned = (await readLedger(stage)).filter(({ status }) => status === 'open')
  say(`${abandoned.length} checkouts that were left behind run out`)
  await eachOf(abandoned, 8, async ({ paymentId }) => void (await stage.control(`checkouts/${paymentId}/expire`)))
  await quiet('payments come to their ends', say, async () => {
    const rows = await readRows(stage)
    return rows.filter(({ status }) => ['Created', 'Pending', 'Declined', 'Processing'].includes(status)).length
  })
  await quiet('outcomes reach their subscribers', say, async () => {
    const delivered = new Set(stage.deliveries.map(({ webhookId }) => webhookId))
    return (await readEvents(stage)).filter(({ id }) => !delivered.has(id)).length
  })
}

/**
 * Reads every payment through the gateway. What changed after it was paid (refunds, disputes) and whose webhook got lost
 * is healed by reading it: once the provider's last answer is old enough.
 */
export async function readHealed(
  stage: Stage,
  rows: readonly Row[],
  ledger: readonly LedgerEntry[],
  say: (text: string) => void,
): Promise<Map<string, Shown>> {
  const implied = new Map(ledger.map((entry) => [entry.reference, statusImplied(entry)]))
  const shown = await readShown(stage, rows)
  const differing = () => rows.filter(({ id }) => implied.has(id) && implied.get(id) !== shown.get(id)?.statuses.at(-1))
  for (let round = 1; differing().length > 0 && round <= 12; round++) {
    say(`${differing().length} payments are read again until they show what the provider has`)
    await wait(10_000)
    for (const [id, again] of await readShown(stage, differing())) shown.set(id, again)
  }
  return shown
}

/** Waits until nothing is left, or what is left has stayed the same for too long. */
async function quiet(what: string, say: (text: string) => void, left: () => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  for (let looks = 0; ; looks++) {
    const now = await left()
    if (now === 0) return
    if (now < least) {
      least = now
      since = performance.now()
    }
    if (performance.now() - since > patienceMs) return say(`${what}: ${now} are left, and nothing moves any more`)
    if (looks % 20 === 0) say(`${what}: ${now} to go`)
    await wait(500)
  }
}
