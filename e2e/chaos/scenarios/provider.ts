import { openCredentials } from '@frontdesk/dev-stack/services'
import { craftWebhook } from '@frontdesk/testing/crafted-webhook'
import type { Scenario } from '../scenario.ts'

export const providerWebhooks: Scenario = {
  name: 'provider-webhooks',
  title: 'Each webhook of the provider comes twice and out of order, one comes 100 times, and forged ones come too',
  async play({ environment, load, inject, during, recovered, expect, count }) {
    const { provider, devStack, baseUrl } = environment.system
    await provider.setFaults({ webhooks: { duplicate: { rate: 1 }, reorder: { rate: 0.5, ms: 2_000 } } })
    inject('every webhook is sent twice, half of them out of order')
    await during(5, 30)
    const victim = load.log.creates.find(({ kind, paymentId, paid }) => kind === 'payment' && paymentId && !paid)
    expect(victim !== undefined, 'there is a payment that nobody has paid')
    const { dev, home } = devStack
    const { sandboxWebhookSecret } = openCredentials(home, Object.keys(dev.services), dev.sandbox)
    const object = { id: victim?.paymentId, object: 'checkout.session', status: 'complete', payment_status: 'paid' }
    const webhook = { for: 'payments', type: 'checkout.session.completed', object } as const
    const post = async ({ body, signature }: { body: Buffer; signature: string }): Promise<number> => {
      const url = `${baseUrl}/providers/sandbox/webhooks/payments`
      const request = { 'content-type': 'application/json', 'stripe-signature': signature }
      const reply = await fetch(url, { method: 'POST', headers: request, body: new Uint8Array(body) })
      return reply.status
    }
    const forged = [
      craftWebhook('whsec_of_somebody_else', webhook),
      craftWebhook(sandboxWebhookSecret, { ...webhook, at: Date.now() - 3_600_000 }),
      { ...craftWebhook(sandboxWebhookSecret, webhook), signature: '' },
    ]
    const refused = await Promise.all(forged.map(post))
    inject('three forged webhooks: another secret, an old signature, none')
    expect(
      refused.every((status) => status >= 400 && status < 500),
      `forged ones are refused (${refused.join(', ')})`,
    )
    // Signed well, but false: the provider has no money for this payment.
    const replayed = craftWebhook(sandboxWebhookSecret, webhook)
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(replayed)))
    inject('one false webhook with a right signature, 100 times')
    const accepted = answers.filter((status) => status >= 200 && status < 300).length
    count(`${accepted} of 100 repetitions were acknowledged`)
    expect(accepted === 100, 'a repetition is acknowledged')
    await provider.setFaults({})
    recovered()
    await during(2, 5)
    const { rows } = await environment.system
      .database('payments')
      .query<{ status: string }>('select status from payments where id = $1', [victim?.id])
    expect(rows[0]?.status === 'Pending', `the provider is asked, and the payment stays Pending (${rows[0]?.status})`)
  },
}
