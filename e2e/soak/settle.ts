import { setTimeout as wait } from 'node:timers/promises'
import { eachOf } from '../system/each-of.ts'
import { ControlRefused, type LedgerEntry } from '../system/provider.ts'
import { audit, chargeOf, checkoutOf, statusImplied, type Audit } from './audit.ts'
import { succeededSum } from './audit-refunds.ts'
import type { Departure } from './departures.ts'
import { readProven, readRows, readShown, type AuditedSystem, type Requested, type Row, type Shown } from './records.ts'

/** When nothing has changed for this long, nothing will. Must exceed the lease of a process that was killed. */
const patienceMs = 100_000

type Say = (text: string) => void

/** Waits until everything has settled, and compares the records of all sides. */
export async function settleAndAudit(
  system: AuditedSystem,
  requested: readonly Requested[],
  say: Say,
  departures: readonly Departure[] = [],
): Promise<Audit> {
  const departed = new Set(departures.flatMap(({ recordIds }) => recordIds))
  await settle(system, departed, say)
  const { shown, ledger } = await readHealed(system, await readRows(system), departed, say)
  await settleDeliveries(system, say)
  const [rows, events, proven] = [await readRows(system), await system.publicEvents(), await readProven(system)]
  return audit({ requested, rows, shown, ledger, events, received: system.received(), departures, proven })
}

/**
 * Waits, without faults, until every payment and refund has ended. The payments of practices that have departed are left
 * out: nobody tells what becomes of them.
 */
async function settle(system: AuditedSystem, departed: ReadonlySet<string>, say: Say): Promise<void> {
  const { provider } = system
  const followed = async () => (await readRows(system)).filter(({ id }) => !departed.has(id))
  const inStatus = async (...statuses: string[]) =>
    (await followed()).filter(({ status }) => statuses.includes(status)).length
  const refundsIn = async (...statuses: string[]) =>
    (await followed()).flatMap(({ refunds }) => refunds).filter(({ status }) => statuses.includes(status)).length
  await untilNoneLeft('payments of unknown outcome are found', say, () => inStatus('Created'))
  await untilNoneLeft('refunds of unknown outcome are found', say, () => refundsIn('Created'))
  // Clients that gave up left checkouts that nobody will pay.
  const ledger = await provider.ledger()
  const abandoned = ledger.filter(({ status }) => status === 'open')
  say(`${abandoned.length} abandoned checkouts expire`)
  await eachOf(abandoned, 8, ({ paymentId }) => orRefused(provider.atCheckout(paymentId, 'expire')))
  const pending = ledger.flatMap(({ paymentId, charges }) =>
    charges.flatMap(({ refunds }) =>
      refunds.filter(({ status }) => status === 'pending').map(({ id }) => [paymentId, id]),
    ),
  )
  say(`the bank pays ${pending.length} pending refunds`)
  await eachOf(pending, 8, ([paymentId = '', id]) =>
    orRefused(provider.atCheckout(paymentId, `settle-refund?refund=${id}`)),
  )
  await untilNoneLeft('payments come to their ends', say, () =>
    inStatus('Created', 'Pending', 'Declined', 'Processing'),
  )
}

/** Waits until every event has reached its subscriber. */
async function settleDeliveries(system: AuditedSystem, say: Say): Promise<void> {
  await untilNoneLeft('events reach their subscribers', say, async () => {
    const delivered = new Set(system.received().map(({ webhookId }) => webhookId))
    return (await system.publicEvents()).filter(({ id }) => !delivered.has(id)).length
  })
}

/** A checkout may have ended meanwhile. */
async function orRefused(acting: Promise<void>): Promise<void> {
  await acting.catch((error: unknown) => {
    if (!(error instanceof ControlRefused)) throw error
  })
}

/**
 * Reads every payment through the gateway. A refund or dispute whose webhook was lost is healed by such a read, once the
 * provider's last answer is old enough; so payments that differ from the ledger are read again. Both sides are read each
 * time, since a refund that was under way may be made only now.
 */
async function readHealed(
  system: AuditedSystem,
  rows: readonly Row[],
  departed: ReadonlySet<string>,
  say: Say,
): Promise<{ shown: Map<string, Shown>; ledger: LedgerEntry[] }> {
  const startedAt = performance.now()
  const shown = await readShown(system, rows)
  for (;;) {
    const ledger = await system.provider.ledger()
    const checkoutsOf = Map.groupBy(ledger, ({ reference }) => reference ?? '')
    const differing = rows.filter(
      ({ id, paymentId }) =>
        !departed.has(id) && differ(checkoutOf({ paymentId }, checkoutsOf.get(id) ?? []), shown.get(id)),
    )
    const hasWaitedLong = performance.now() - startedAt > longestStaleMs(ledger) + patienceMs
    if (differing.length === 0 || hasWaitedLong) return { shown, ledger }
    say(`${differing.length} payments differ from the provider's ledger and are read again`)
    await wait(10_000)
    for (const [id, again] of await readShown(system, differing)) shown.set(id, again)
  }
}

/** For how long a read may answer without asking: a tenth of the time since the payment's last change (payment/schedule.ts). */
function longestStaleMs(ledger: readonly LedgerEntry[]): number {
  const now = Date.now()
  return Math.max(0, ...ledger.map(({ createdAt }) => (createdAt === undefined ? 0 : now - Date.parse(createdAt)))) / 10
}

/** Whether a payment is not yet as the ledger has it. */
function differ(entry: LedgerEntry | undefined, shown: Shown | undefined): boolean {
  if (entry === undefined || shown === undefined) return false
  const charge = chargeOf(entry.charges)
  const failed = (statuses: readonly { status: string }[], name: string) =>
    statuses.filter(({ status }) => status === name).length
  return (
    statusImplied(entry) !== shown.statuses.at(-1) ||
    (charge !== undefined && succeededSum(charge) !== shown.refundedAmount) ||
    (charge !== undefined && failed(charge.refunds, 'failed') > failed(shown.refunds, 'Failed'))
  )
}

/** Waits until nothing is left, or until the number has not fallen for `patienceMs`. */
async function untilNoneLeft(what: string, say: Say, left: () => Promise<number>): Promise<void> {
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
