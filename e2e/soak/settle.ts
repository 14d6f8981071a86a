import { setTimeout as wait } from 'node:timers/promises'
import { ControlRefused, type LedgerEntry } from '../system/provider.ts'
import { statusImplied } from './audit.ts'
import type { Environment } from './environment.ts'
import { eachOf, readEvents, readRows, readShown, type Row, type Shown } from './records.ts'

/** When nothing has changed for this long, nothing will. Must exceed the lease of a process that was killed. */
const patienceMs = 100_000

/** Waits, without faults, until every payment has ended and every outcome has reached its subscriber. */
export async function settle(environment: Environment, say: (text: string) => void): Promise<void> {
  const { provider } = environment
  const inStatus = async (...statuses: string[]) =>
    (await readRows(environment)).filter(({ status }) => statuses.includes(status)).length
  await untilNoneLeft('payments of unknown outcome are found', say, () => inStatus('Created'))
  // Clients that gave up left checkouts that nobody will pay.
  const abandoned = (await provider.ledger()).filter(({ status }) => status === 'open')
  say(`${abandoned.length} abandoned checkouts expire`)
  await eachOf(abandoned, 8, ({ paymentId }) =>
    provider.atCheckout(paymentId, 'expire').catch((error: unknown) => {
      if (!(error instanceof ControlRefused)) throw error
    }),
  )
  await untilNoneLeft('payments come to their ends', say, () =>
    inStatus('Created', 'Pending', 'Declined', 'Processing'),
  )
  await untilNoneLeft('outcomes reach their subscribers', say, async () => {
    const delivered = new Set(environment.received().map(({ webhookId }) => webhookId))
    return (await readEvents(environment)).filter(({ id }) => !delivered.has(id)).length
  })
}

/**
 * Reads every payment through the gateway. A refund or dispute whose webhook was lost is healed by such a read, once the
 * provider's last answer is old enough; so payments that differ from the ledger are read again.
 */
export async function readHealed(
  environment: Environment,
  rows: readonly Row[],
  ledger: readonly LedgerEntry[],
  say: (text: string) => void,
): Promise<Map<string, Shown>> {
  const implied = new Map(ledger.map((entry) => [entry.reference, statusImplied(entry)]))
  const shown = await readShown(environment, rows)
  const differing = () => rows.filter(({ id }) => implied.has(id) && implied.get(id) !== shown.get(id)?.statuses.at(-1))
  for (let round = 1; differing().length > 0 && round <= 12; round++) {
    say(`${differing().length} payments differ from the provider's ledger and are read again`)
    await wait(10_000)
    for (const [id, again] of await readShown(environment, differing())) shown.set(id, again)
  }
  return shown
}

/** Waits until nothing is left, or until the number has not fallen for `patienceMs`. */
async function untilNoneLeft(what: string, say: (text: string) => void, left: () => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  let since = performance.now()
  for (let polls = 0; ; polls++) {
    const now = await left()
    if (now === 0) return
    if (now < least) {
      least = now
      since = performance.now()
    }
    if (performance.now() - since > patienceMs) return say(`${what}: ${now} are left, and the number no longer falls`)
    if (polls % 20 === 0) say(`${what}: ${now} to go`)
    await wait(500)
  }
}
