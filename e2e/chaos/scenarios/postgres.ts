import { setTimeout as wait } from 'node:timers/promises'
import { databaseStatement } from '@frontdesk/database/roles'
import pg from 'pg'
import { statusOf } from '../replica.ts'
import type { Play, Scenario } from '../scenario.ts'
import type { Service } from '../environment.ts'
import { provision } from './commands.ts'

/** Runs statements on a connection of their own, past the proxies. */
async function administer({ environment: { system } }: Play, ...statements: string[]): Promise<void> {
  const client = new pg.Client(system.devStack.dev.postgres.url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const endSessions = (database: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${database}' and application_name <> 'acceptance' and pid <> pg_backend_pid()`

export const postgresRestart: Scenario = {
  name: 'postgres-restart',
  title: 'Postgres stops at once (SIGQUIT, as in a crash) and starts again, twice',
  async play({ environment, inject, during }) {
    for (let stops = 0; stops < 2; stops++) {
      await during(2, 5)
      environment.system.devStack.kill('postgres', 'SIGQUIT')
      inject('Postgres is stopped at once')
      await during(3, 10)
    }
  },
}

export const readOnly: Scenario = {
  name: 'postgres-read-only',
  title: 'The databases of webhook-delivery and payments are read-only for 70 s (short: 12 s), as after a failover',
  async play(play) {
    const { inject, during, recovered } = play
    const databases = ['webhook_delivery', 'payments']
    await during(2, 5)
    for (const name of databases) {
      // New sessions see the setting, and a failover ends the old ones.
      await administer(play, `alter database ${name} set default_transaction_read_only = on`, endSessions(name))
      inject(`${name} is read-only`)
    }
    await during(12, 70)
    await administer(
      play,
      'set default_transaction_read_only = off',
      ...databases.map((name) => `alter database ${name} reset default_transaction_read_only`),
      ...databases.map(endSessions),
    )
    inject('both can be written')
    recovered()
    await during(2, 10)
  },
}

/** Asks a service for its readiness every 250 ms until `until` aborts. Returns the longest time that an answer took, in ms. */
async function longestProbe({ environment }: Play, service: Service, until: AbortSignal): Promise<number> {
  const url = `http://127.0.0.1:${environment.replicas[service].port}/readyz`
  let longest = 0
  while (!until.aborted) {
    const startedAt = performance.now()
    await statusOf(url)
    longest = Math.max(longest, performance.now() - startedAt)
    await wait(250)
  }
  return longest
}

/** Waits for the first payment of the load that is sent from now on and acknowledged. Returns the seconds; undefined after `within`. */
async function untilCreated({ load }: Play, within: number): Promise<number | undefined> {
  const startedAt = performance.now()
  const known = load.log.creates.length
  for (;;) {
    const seconds = (performance.now() - startedAt) / 1_000
    // Creates that were sent after the fault began.
    if (load.log.creates.slice(known).some(({ kind, id }) => kind === 'payment' && id !== undefined)) return seconds
    if (seconds > within) return undefined
    await wait(50)
  }
}

export const vanishedNode: Scenario = {
  name: 'postgres-node-vanished',
  title: 'The node of Postgres vanishes: existing connections get no byte and no end, new ones work',
  async play(play) {
    const { environment, inject, during, recovered, expect, count } = play
    await during(2, 5)
    const probing = new AbortController()
    const probes = longestProbe(play, 'payments', probing.signal)
    let lost = 0
    for (const proxy of Object.values(environment.network.databases)) lost += proxy.blackHole({ endSessions: true })
    inject(`${lost} connections to Postgres are black-holed`)
    const seconds = await untilCreated(play, 20)
    count(`the first payment after it was acknowledged after ${seconds?.toFixed(1) ?? 'more than 20'} s`)
    expect(seconds !== undefined && seconds <= 15, 'a payment is created within 15 s')
    recovered()
    await during(5, 30)
    probing.abort()
    const slowest = await probes
    count(`the slowest answer of /readyz took ${Math.round(slowest)} ms`)
    expect(slowest < 1_500, '/readyz answers within 1.5 s')
  },
}

export const poolExhausted: Scenario = {
  name: 'pool-exhausted',
  title: 'A lock on the table of payments keeps every connection of payments busy for 30 s (short: 6 s)',
  async play(play) {
    const { environment, inject, during, recovered, expect } = play
    await during(2, 5)
    const probing = new AbortController()
    const probes = longestProbe(play, 'payments', probing.signal)
    const client = new pg.Client(environment.system.devStack.dev.services['payments']?.databaseUrl)
    await client.connect()
    try {
      await client.query('begin')
      await client.query('lock table payments in access exclusive mode')
      inject('the table is locked')
      await during(6, 30)
      await client.query('rollback')
    } finally {
      await client.end()
    }
    inject('the lock is released')
    recovered()
    probing.abort()
    expect((await probes) < 1_500, '/readyz answers within 1.5 s')
    await during(2, 10)
  },
}

export const lateMigration: Scenario = {
  name: 'late-migration',
  title: 'Payments runs 150 s (short: 15 s) before its migrations; events that come meanwhile are held',
  own: { practices: 0 },
  rate: 0,
  async play(play) {
    const { environment, load, inject, during, recovered, expect } = play
    const { payments } = environment.replicas
    await environment.system.devStack.stop('payments')
    await administer(play, 'drop database payments with (force)', databaseStatement('payments', 'payments'))
    await environment.system.devStack.start('payments')
    inject('payments runs on a database without tables')
    await environment.openPractices(3)
    inject('three sites with accounts and subscriptions are opened')
    await during(15, 150)
    const ready = `http://127.0.0.1:${payments.port}/readyz`
    expect((await statusOf(ready)) === 503, '/readyz is 503 while the migration is late')
    await provision(play, 'payments')
    for (const deadline = Date.now() + 15_000; (await statusOf(ready)) !== 200 && Date.now() < deadline;)
      await wait(200)
    expect((await statusOf(ready)) === 200, '/readyz is 200 after it')
    recovered()
    // A create before the copies of the accounts are there would be refused, rightly.
    await wait(5_000)
    load.setRate(25)
    await during(4, 20)
  },
}
