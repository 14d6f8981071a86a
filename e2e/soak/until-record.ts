import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskProblem, type PaymentRecord } from '#client'
import type { Environment } from './environment.ts'

type Waiting = Pick<Environment, 'once' | 'provider' | 'database' | 'patienceMs'>

/**
 * Waits until a payment's record is as it must become. If it does not within the patience of the run, throws an error that
 * tells what each side says, so that a product that is wrong can be told from a system that has too much to do.
 */
export async function untilRecord(
  environment: Waiting,
  { site, recordId }: { site: string; recordId: string },
  isSo: (record: PaymentRecord) => boolean,
): Promise<void> {
  const { once, patienceMs } = environment
  const startedAt = performance.now()
  for (;;) {
    const answer = await once.payments
      .get({ SiteSlug: site, PaymentIdentifier: recordId })
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
    if (!(answer instanceof Error) && isSo(answer)) return
    const waitedMs = performance.now() - startedAt
    if (waitedMs > patienceMs) throw await notSo(environment, recordId, waitedMs, answer)
    await wait(500)
  }
}

async function notSo(
  { provider, database }: Waiting,
  recordId: string,
  waitedMs: number,
  answer: PaymentRecord | Error,
): Promise<Error> {
  const ledger = await provider.ledgerOf(recordId).catch((error: unknown) => [{ error: String(error) }])
  const behind = await database('payments').query<Behind>(
    `select count(*)::int as due, coalesce(extract(epoch from now() - min(next_check_at)), 0)::int as seconds
       from payments where next_check_at <= now()`,
  )
  return new Error(describeWait({ recordId, waitedMs, answer, ledger, behind: behind.rows[0] }))
}

/** How many checks are due, and since how many seconds the oldest is. */
interface Behind {
  due: number
  seconds: number
}

export interface LostWait {
  recordId: string
  waitedMs: number
  answer: Pick<PaymentRecord, 'Status' | 'PaidAmount' | 'Amount' | 'Refunds'> | Error
  ledger: readonly object[]
  behind: Behind | undefined
}

/** Says how long was waited, and what each side had to say at the end. */
export function describeWait({ recordId, waitedMs, answer, ledger, behind }: LostWait): string {
  return [
    `not so after ${(waitedMs / 1_000).toFixed(0)} s`,
    `payment ${recordId}: our API last answered ${describeAnswer(answer)}`,
    `the provider has ${JSON.stringify(ledger)}`,
    `${behind?.due ?? 0} checks are due, the oldest since ${behind?.seconds ?? 0} s`,
  ].join('\n')
}

function describeAnswer(answer: LostWait['answer']): string {
  if (answer instanceof FrontdeskProblem) return `${answer.status} ${answer.code}`
  if (answer instanceof Error) return `nothing: ${answer.message}`
  const refunds = answer.Refunds.map(({ Amount, Status }) => `${Amount} ${Status}`).join(', ')
  return `200 ${answer.Status}, paid ${answer.PaidAmount ?? 0} of ${answer.Amount}, refunds: ${refunds || 'none'}`
}
