import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskProblem, type PaymentRecord } from '#client'
import type { Environment } from './environment.ts'

/** What our API last said: a record, or why there was none. */
export type LastAnswer = Pick<PaymentRecord, 'Status' | 'PaidAmount' | 'Amount' | 'Refunds'> | Error

/** Thrown when something has not come about within the patience of the run. */
export class PatienceLost extends Error {
  override name = 'PatienceLost'

  constructor(what: string, waitedMs: number, answer: LastAnswer) {
    super(`${what} after ${(waitedMs / 1_000).toFixed(0)} s\nour API last answered ${describeAnswer(answer)}`)
  }
}

/** Starts to wait. The returned function throws PatienceLost once that takes longer than `patienceMs`. */
export function startWaiting(what: string, patienceMs: number): (answer: LastAnswer) => void {
  const startedAt = performance.now()
  return (answer) => {
    const waitedMs = performance.now() - startedAt
    if (waitedMs > patienceMs) throw new PatienceLost(what, waitedMs, answer)
  }
}

/** Waits until a payment's record is as it must become. Throws PatienceLost. */
export async function untilRecord(
  { once, patienceMs }: Pick<Environment, 'once' | 'patienceMs'>,
  { site, recordId }: { site: string; recordId: string },
  isSo: (record: PaymentRecord) => boolean,
): Promise<void> {
  const waitOn = startWaiting('not so', patienceMs)
  for (;;) {
    const answer = await once.payments.get({ SiteSlug: site, PaymentIdentifier: recordId }).catch(asError)
    if (!(answer instanceof Error) && isSo(answer)) return
    waitOn(answer)
    await wait(500)
  }
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function describeAnswer(answer: LastAnswer): string {
  if (answer instanceof FrontdeskProblem) return `${answer.status} ${answer.code}`
  if (answer instanceof Error) return `nothing: ${answer.message}`
  const refunds = answer.Refunds.map(({ Amount, Status }) => `${Amount} ${Status}`).join(', ')
  return `200 ${answer.Status}, paid ${answer.PaidAmount ?? 0} of ${answer.Amount}, refunds: ${refunds || 'none'}`
}
