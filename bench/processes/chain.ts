import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { sharedNow } from '../harness/clock.ts'
import { serveRemote } from '../harness/remote.ts'

export interface Chain {
  gateway: string
  sandbox: string
  token: string
  /** Slugs of the sites to pay, in turn. */
  sites: readonly string[]
  body: unknown
  perSecond: number
  seconds: number
}

/** Payments that were paid, and when the provider confirmed it (shared milliseconds). */
export interface Paid {
  recordIds: string[]
  at: Float64Array
  /** Errors, in words. */
  faults: string[]
}

export type ChainMethods = typeof methods

const methods = {
  /** Creates payments on a fixed schedule, and pays each at once. */
  async run({ gateway, sandbox, token, sites, body, perSecond, seconds }: Chain): Promise<Paid> {
    const api = new Pool(gateway, { connections: 128, pipelining: 1 })
    const provider = new Pool(sandbox, { connections: 128, pipelining: 1 })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const json = JSON.stringify(body)
    const paid: { recordId: string; at: number }[] = []
    const faults: string[] = []

    async function createAndPay(turn: number): Promise<void> {
      const path = `/api/v1/sites/${sites[turn % sites.length]}/payments`
      const own = { ...headers, 'idempotency-key': crypto.randomUUID() }
      const created = await api.request({ path, method: 'POST', headers: own, body: json })
      const text = await created.body.text()
      if (created.statusCode !== 201) throw new Error(`create: ${created.statusCode} ${text}`)
      const payment = JSON.parse(text) as { RecordId: string; PaymentId: string }
      const pay = await provider.request({ path: `/_control/checkouts/${payment.PaymentId}/pay`, method: 'POST' })
      await pay.body.dump()
      if (pay.statusCode !== 204) throw new Error(`pay: ${pay.statusCode}`)
      paid.push({ recordId: payment.RecordId, at: sharedNow() })
    }

    const startedAt = sharedNow()
    const begun: Promise<unknown>[] = []
    while (begun.length < perSecond * seconds) {
      const due = Math.min(perSecond * seconds, ((sharedNow() - startedAt) * perSecond) / 1_000)
      while (begun.length < due) begun.push(createAndPay(begun.length).catch((error) => faults.push(String(error))))
      await wait(1)
    }
    await Promise.all(begun)
    await Promise.all([api.close(), provider.close()])
    return { recordIds: paid.map(({ recordId }) => recordId), at: Float64Array.from(paid, ({ at }) => at), faults }
  },
}

serveRemote(methods)
