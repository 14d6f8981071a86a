import { rounds, until } from '../harness/wait.ts'
import { openRemote, type RemoteProcess } from '../harness/remote.ts'
import type { Report } from '../harness/results.ts'
import { countStatements, listStatements } from '../harness/statements.ts'
import { percentile } from '../harness/statistics.ts'
import { processTrees, type RunOptions } from '../harness/measured-system.ts'
import { forEachOf, processorTimeOf, shares } from '../harness/processor-time.ts'
import type { ChainMethods } from '../processes/chain.ts'
import type { Answers, Requests, RequestsMethods } from '../processes/requests.ts'
import { newPayment, openPaymentEnvironment, type PaymentEnvironment } from './environment.ts'

const roundCount = 3
const providerMs = 50
const seconds = 10

/** Measures the creation of payments through the gateway, and the time from a payment to its webhook. */
export async function measurePayments(report: Report, options: RunOptions): Promise<void> {
  await using environment = await openPaymentEnvironment(options)
  await using requests = openRemote<RequestsMethods>('requests.ts')
  // First, while no payment is open: the sweep would ask the provider about open ones.
  await measureChain(environment, report)
  await measureCreation(environment, requests, report)
  await countRoundTrips(environment, requests, report)
}

async function measureCreation(
  environment: PaymentEnvironment,
  requests: RemoteProcess<RequestsMethods>,
  report: Report,
): Promise<void> {
  report.say(
    `payments: created through the gateway under Idempotency-Keys, the provider answering after ${providerMs} ms`,
  )
  await environment.delayProvider(providerMs)
  const create = (load: Requests['load'], length: number): Promise<Answers> => run(environment, requests, load, length)
  await create({ atATime: 16 }, 3)
  const trees = processTrees(environment.system, { requests: requests.pid })
  const steady = await rounds(roundCount, async () => {
    const { value, spent } = await processorTimeOf(trees, () => create({ perSecond: 400 }, seconds))
    return { ...value, microseconds: forEachOf(value.latencies.length, spent) }
  })
  report.add('payments.steady400.created_per_s', 'payments/s', steady.map(createdPerSecond), { atLeast: 396 })
  report.add(
    'payments.steady400.p50_ms',
    'ms',
    steady.map(({ latencies }) => percentile([...latencies], 0.5)),
  )
  report.add(
    'payments.steady400.p99_ms',
    'ms',
    steady.map(({ latencies }) => percentile([...latencies], 0.99)),
    { atMost: 200 },
  )
  const microseconds = steady.map((round) => round.microseconds['all'] ?? Number.NaN)
  report.add('payments.steady400.cpu_us_per_create', 'us', microseconds)
  report.say(`of that ${shares(steady.map((round) => round.microseconds))}`)
  const most = await rounds(roundCount, () => create({ atATime: 64 }, 5))
  report.add('payments.most_created_per_s', 'payments/s', most.map(createdPerSecond), { atLeast: 400 })
  await environment.delayProvider(0)
}

async function run(
  { system, sites }: PaymentEnvironment,
  requests: RemoteProcess<RequestsMethods>,
  load: Requests['load'],
  length: number,
): Promise<Answers> {
  const answers = await requests.call.run({
    origin: system.devStack.dev.gateway,
    method: 'POST',
    paths: sites.map((site) => `/api/v1/sites/${site}/payments`),
    headers: { authorization: `Bearer ${await system.newToken('bench')}` },
    body: newPayment,
    seconds: length,
    load,
  })
  if (Object.keys(answers.refused).length > 0) throw new Error(`not created: ${JSON.stringify(answers.refused)}`)
  return answers
}

function createdPerSecond({ latencies, seconds: took }: Answers): number {
  return latencies.length / took
}

/** Why creating a payment needs each of its statements. */
const reasons: Record<string, string> = {
  'idempotency-claim': 'the key, before anything is done under it',
  'payment-basis': 'our copy of the account, whether the site is deleted, and whether the payment exists already',
  'payment-insert': 'the row with the exact request, without which a crash during the call would lose the payment',
  'payment-save': "the provider's answer, with history and event",
  'idempotency-settle': 'the reply that belongs to the key',
  'outbox-pending': 'the relay, beside the request',
  'outbox-published': 'the relay, beside the request',
}

async function countRoundTrips(
  environment: PaymentEnvironment,
  requests: RemoteProcess<RequestsMethods>,
  report: Report,
): Promise<void> {
  let created = 0
  const counts = await countStatements(environment.system, 'payments', async () => {
    created = (await run(environment, requests, { atATime: 8 }, 2)).latencies.length
  })
  // Statements named `payments-...` and `outbox-...` run beside the requests.
  const own = [...counts].filter(([name]) => /^(payment|idempotency)-/.test(name))
  const all = own.reduce((sum, [, count]) => sum + count, 0)
  report.add('payments.round_trips_per_create', 'round trips', [all / created])
  report.say(listStatements(counts, created, reasons))
}

/** Creates and pays at a steady rate; measures from "paid" to the subscriber's socket. */
async function measureChain(environment: PaymentEnvironment, report: Report): Promise<void> {
  await using chain = openRemote<ChainMethods>('chain.ts')
  report.say('the whole chain: created, paid, event, webhook; 100 payments/s, the provider without its delay')
  const pay = async (length: number, perSecond = 100): Promise<number[]> => {
    await environment.receiver.call.expect('/payments')
    const { gateway, sandbox } = environment.system.devStack.dev
    const token = await environment.system.newToken('bench')
    const load = { gateway, sandbox, token, sites: environment.sites, body: newPayment, perSecond, seconds: length }
    const paid = await chain.call.run(load)
    report.check(paid.faults.length === 0, `every payment is created and paid (${paid.faults[0] ?? 'all were'})`)
    return receipts(
      environment,
      new Map(paid.recordIds.map((recordId, index) => [recordId, paid.at[index] ?? Number.NaN])),
    )
  }
  // A fresh system compiles its code and opens its connections first, at a lower rate.
  await pay(10, 40)
  const measured = await rounds(roundCount, () => pay(seconds))
  report.add(
    'payments.paid_to_receipt.p50_ms',
    'ms',
    measured.map((times) => percentile(times, 0.5)),
  )
  report.add(
    'payments.paid_to_receipt.p99_ms',
    'ms',
    measured.map((times) => percentile(times, 0.99)),
    { atMost: 100 },
  )
}

/** Returns the milliseconds from each payment to the arrival of its outcome. */
async function receipts(
  { system, receiver }: PaymentEnvironment,
  paidAt: ReadonlyMap<string, number>,
): Promise<number[]> {
  const all = async (): Promise<boolean> => (await receiver.call.distinct()) >= paidAt.size
  await until('every outcome has arrived', all, { within: 60_000, every: 50 })
  const [arrivals] = await receiver.call.arrivals()
  const events = await system
    .database('payments')
    .query<{ id: string; payment: string }>('select id, aggregate_id as payment from outbox where id = any($1)', [
      arrivals?.ids ?? [],
    ])
  const payments = new Map(events.rows.map(({ id, payment }) => [id, payment]))
  return (arrivals?.ids ?? []).flatMap((id, index) => {
    const since = paidAt.get(payments.get(id) ?? '')
    return since === undefined ? [] : [(arrivals?.at[index] ?? Number.NaN) - since]
  })
}
