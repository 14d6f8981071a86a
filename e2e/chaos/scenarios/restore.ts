import { connectStatements, databaseStatement } from '@frontdesk/database/roles'
import pg from 'pg'
import { readEvents, receivedBy, type PublicEvent } from '../../soak/records.ts'
import type { Manner } from '../../soak/plan.ts'
import { settleAndAudit } from '../../soak/settle.ts'
import type { StartedSystem } from '../../system/start-system.ts'
import { readStreams } from '../audit/read-records.ts'
import type { Play, Scenario } from '../scenario.ts'
import { operate } from './commands.ts'
import { copyStore, rollBack } from './nats.ts'

/** Replaces the database `to` of payments with a copy of `from`. Payments must be stopped. */
async function copyDatabase({ environment: { system } }: Play, from: string, to: string): Promise<void> {
  const client = new pg.Client(system.devStack.dev.postgres.url)
  await client.connect()
  try {
    await client.query(`drop database if exists ${to} with (force)`)
    // Our own sessions would keep Postgres from copying.
    await client.query(`select pg_terminate_backend(pid, 2000) from pg_stat_activity where datname = '${from}'`)
    await client.query(databaseStatement('payments', to, from))
    for (const statement of connectStatements('payments', to)) await client.query(statement)
  } finally {
    await client.end()
  }
}

export const restored: Scenario = {
  name: 'database-restored',
  title:
    'The database of payments goes back by 5 minutes (short: 8 s), the streams by 1 minute (4 s); commands repair it, and the books of the soak balance',
  // The audit compares everything that the system has.
  own: {},
  // The audit reads each payment.
  rate: 15,
  async play(play) {
    const { environment, load, allowed, inject, during, recovered, expect } = play
    const { payments } = environment.replicas
    allowed.databaseWasRestored = true
    allowed.streamWasLost = true
    await during(2, 10)
    await payments.stop()
    await copyDatabase(play, 'payments', 'payments_backup')
    await payments.start()
    const backedUpAt = new Date()
    inject('a backup of payments is made')
    await during(4, 240)
    const copy = await copyStore(play)
    const copiedAt = new Date()
    inject('the store of NATS is copied')
    await during(4, 60)
    // A client that repeated a request of the lost time would make a second payment: its Idempotency-Key is lost.
    await load.rest()
    await payments.stop()
    await copyDatabase(play, 'payments_backup', 'payments')
    await rollBack(play, copy)
    inject('payments has its backup, NATS its earlier store')
    // The order of docs/operating.md: the payments are known again before anything of the restored state is sent.
    const since = (time: Date) => new Date(time.getTime() - 5_000).toISOString()
    const replayed = ['registry', 'accounts', 'payments', 'webhook-delivery']
    await Promise.all(replayed.map((service) => operate(play, service, 'outbox', 'replay', '--since', since(copiedAt))))
    await operate(play, 'webhook-delivery', 'reconcile', 'streams', '--since', since(copiedAt))
    const reconcile = ['reconcile', 'payments', '--since', since(backedUpAt)]
    await operate(play, 'payments', ...reconcile)
    await payments.start()
    inject('payments is started')
    for (const consumer of ['payments-sites', 'payments-accounts']) {
      await operate(play, 'payments', 'consumers', 'rewind', consumer, '--to', since(backedUpAt))
    }
    await operate(play, 'payments', ...reconcile)
    await operate(play, 'webhook-delivery', 'reconcile', 'deliveries', '--since', since(copiedAt))
    const again = await operate(play, 'payments', ...reconcile, '--dry-run')
    expect(/checkouts [1-9]/.test(again) && !/to be|not repaired/.test(again), 'a further run would change nothing')
    recovered()
    await during(2, 5)
  },
  async afterwards({ environment: { system, practices }, load, inject, count, expect }) {
    const audited = {
      ...system,
      publicEvents: () => publicEvents(system),
      received: () => receivedBy(practices),
    }
    const requested = load.log.creates.flatMap(({ kind, name, id: recordId }) =>
      kind === 'payment' ? [{ plan: { name, manner: mannerOf(recordId) }, recordId }] : [],
    )
    const { faults, rows, checkouts, money, events, webhooks } = await settleAndAudit(audited, requested, inject)
    count(
      `${requested.length} payments requested, ${rows} in the records, ${checkouts} checkouts; ` +
        `${money.atProvider.taken} minor units at the provider, ${money.inRecords.taken} in the records; ` +
        `${events.outcomes} outcomes, ${webhooks.distinct} webhook-ids`,
    )
    const shown = faults.length === 0 ? '' : `: ${faults.slice(0, 5).join('; ')}`
    expect(faults.length === 0, `the books of the soak balance (${faults.length} contradictions${shown})`)
  },
}

/** How the soak calls a client that was told of its payment, and one that was not and did not ask again. */
const mannerOf = (recordId: string | undefined): Manner => (recordId === undefined ? 'careless' : 'patient')

/** Returns the outcomes in the stream, and those in the outbox that are not: a restored outbox has forgotten some. */
async function publicEvents(system: StartedSystem): Promise<PublicEvent[]> {
  const inStream = (await readStreams(system.devStack.dev.nats.administrator, new Date(0))).flatMap(
    ({ id, type, outcomeOf: recordId }): [string, PublicEvent][] =>
      recordId === undefined ? [] : [[id, { id, recordId, type, published: true }]],
  )
  const inOutbox = (await readEvents(system)).map((event): [string, PublicEvent] => [event.id, event])
  return [...new Map([...inOutbox, ...inStream]).values()]
}
