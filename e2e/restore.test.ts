import { connectStatements, databaseStatement } from '@frontdesk/database/roles'
import { execFile } from 'node:child_process'
import { eventually } from '@frontdesk/testing/eventually'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPractice, type Practice } from './system/practice.ts'
import { startSystem, type StartedSystem } from './system/start-system.ts'

let system: StartedSystem
let practice: Practice

beforeAll(async () => {
  system = await startSystem()
  practice = await openPractice(system)
})
afterAll(async () => {
  await practice?.[Symbol.asyncDispose]()
  await system?.[Symbol.asyncDispose]()
})

/** Runs `npm run operate` in this checkout, against the running dev stack. */
function operate(...args: string[]): Promise<{ code: number; text: string }> {
  return new Promise((done) => {
    const env = { ...process.env, FRONTDESK_HOME: system.devStack.home }
    const child = execFile(process.execPath, ['scripts/operate.ts', ...args], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, text: stdout + stderr }),
    )
  })
}

/** Runs statements on the server itself. Payments must be stopped: nobody may be connected to its database. */
async function onServer(...statements: string[]): Promise<void> {
  const server = new pg.Client(system.devStack.dev.postgres.url)
  await server.connect()
  try {
    for (const statement of statements) await server.query(statement)
  } finally {
    await server.end()
  }
}

async function statusOf(recordId: string): Promise<string | undefined> {
  const payment = await system.frontdesk.payments.get({ SiteSlug: practice.slug, PaymentIdentifier: recordId })
  return payment.History.at(-1)?.Status
}

// Each command starts a process, which takes seconds on a busy machine.
test(
  'After the database of payments is restored to an earlier time, the documented commands bring everything back',
  { timeout: 300_000 },
  async () => {
    const open = await practice.createPayment()
    await system.devStack.stop('payments')
    await onServer('drop database if exists payments_then', databaseStatement('payments', 'payments_then', 'payments'))
    await system.devStack.start('payments')
    // In the time that is lost: one payment is paid, one is made and paid, one is made and stays open.
    await system.provider.control(`checkouts/${open.paymentId}/pay`)
    const lost = await practice.createPayment({ Reference: 'INV-2', FeeAmount: 50 })
    await system.provider.control(`checkouts/${lost.paymentId}/pay`)
    const waiting = await practice.createPayment()
    expect(await practice.outcomeOf(open.recordId)).toBe('payment.succeeded')
    expect(await practice.outcomeOf(lost.recordId)).toBe('payment.succeeded')
    const before = await system.frontdesk.payments.get({ SiteSlug: practice.slug, PaymentIdentifier: lost.recordId })

    await system.devStack.stop('payments')
    await onServer(
      'drop database payments',
      'alter database payments_then rename to payments',
      ...connectStatements('payments', 'payments'),
    )
    const repaired = await operate('payments', 'reconcile', 'payments', '--since', '10m')
    expect(repaired).toMatchObject({ code: 0, text: expect.stringMatching(/restored 2/) })
    expect(repaired.text).toContain('brought forward 1')

    await system.devStack.start('payments')
    const rewind = (consumer: string) => operate('payments', 'consumers', 'rewind', consumer, '--to', '10m')
    const rewound = await Promise.all([rewind('payments-sites'), rewind('payments-accounts')])
    expect(rewound.map(({ code }) => code)).toEqual([0, 0])
    await eventually(
      async () =>
        expect(
          (await operate('payments', 'consumers', 'list')).text.match(/: acknowledged to \d+; 0 wait/g),
        ).toHaveLength(3),
      { within: 30_000 },
    )
    expect((await operate('payments', 'reconcile', 'payments', '--since', '10m')).text).not.toMatch(/restored|forward/)

    expect(await statusOf(open.recordId)).toBe('Completed')
    const after = await system.frontdesk.payments.get({ SiteSlug: practice.slug, PaymentIdentifier: lost.recordId })
    expect(after).toEqual({ ...before, History: expect.any(Array) })
    expect(after.History.at(-1)?.Status).toBe('Completed')
    expect(await statusOf(waiting.recordId)).toBe('Pending')
    // A payment that was open goes on as if nothing had happened.
    await system.provider.control(`checkouts/${waiting.paymentId}/pay`)
    expect(await practice.outcomeOf(waiting.recordId)).toBe('payment.succeeded')

    expect(await operate('webhook-delivery', 'reconcile', 'deliveries')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/events \d+, taken in 0/),
    })
    // Each outcome was heard once: what the stream has is not sent again.
    const heard = [open, lost, waiting].map(({ recordId }) => practice.subscriber.deliveriesOf(recordId))
    expect(heard.map((deliveries) => new Set(deliveries.map(({ webhookId }) => webhookId)).size)).toEqual([1, 1, 1])
  },
)
