import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskProblem } from '#client'
import { paymentBody, type Practice } from '../system/practice.ts'
import { isTemporary, type Environment } from './environment.ts'
import { asError, startWaiting } from './patience.ts'
import { idIn, post } from './requests.ts'

/** A practice that disconnected its account at the provider while payments were open. */
export interface Departure {
  site: string
  /** The payments that it had; the provider tells nothing about them any more. */
  recordIds: string[]
  /** Whether the practice could open another account afterwards; otherwise the code that refused it. */
  returned: true | string
}

/**
 * Lets a practice take payments, of which every second one is paid, and disconnect at that moment. Then it opens another
 * account, which must be possible whatever is open on the old one.
 */
export async function depart(environment: Environment, practice: Practice, payments: number): Promise<Departure> {
  const { provider } = environment
  const { slug: site, account } = practice
  const made = await Promise.all(
    Array.from({ length: payments }, async (_, index) => {
      const key = `DEPARTURE-${site}-${index}`
      const body = paymentBody({ Reference: key, FeeAmount: 25 })
      const send = { path: '/payments', site, body, key }
      const answer = await post(environment, 'patient', {
        ...send,
        send: (client) => client.payments.create({ SiteSlug: site, body, idempotencyKey: key }),
      })
      const recordId = idIn(answer, 'RecordId')
      if (!('body' in answer) || recordId === undefined) throw new Error(`${key}: ${JSON.stringify(answer)}`)
      return { recordId, paymentId: String(answer.body['PaymentId']) }
    }),
  )
  const paid = made.filter((_, index) => index % 2 === 0)
  await Promise.all(paid.map(({ paymentId }) => provider.atCheckout(paymentId, 'pay')))
  await provider.control(`accounts/${account.externalAccountId}/deauthorize`)
  const returned = await reconnect(environment, site, account.externalAccountId)
  return { site, recordIds: made.map(({ recordId }) => recordId), returned }
}

/** Opens an account until there is an answer. Throws PatienceLost. */
async function reconnect(
  { once, patienceMs }: Environment,
  site: string,
  formerId: string | undefined,
): Promise<Departure['returned']> {
  const waitOn = startWaiting('no answer', patienceMs)
  for (;;) {
    try {
      const { account } = await once.accounts.create({ SiteSlug: site, body: { paymentProvider: 'Sandbox' } })
      return account.externalAccountId !== formerId || 'the same account'
    } catch (error) {
      if (error instanceof FrontdeskProblem && error.status === 422) return error.code
      if (!isTemporary(error)) throw error
      waitOn(asError(error))
      await wait(500)
    }
  }
}
