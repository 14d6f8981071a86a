import type { publicEventTypes } from '@frontdesk/contracts'
import { eventually } from '@frontdesk/testing/eventually'
import { expectThat } from '../system/fault.ts'
import { paymentBody } from '../system/practice.ts'
import type { System } from '../system/system.ts'

export type TriggeredEvent = (typeof publicEventTypes)[number]

/** A site that can take payments, and the client that acts for it. */
export interface Scene extends Pick<System, 'frontdesk' | 'provider'> {
  site: string
}

/** A triggered event. */
export interface Triggered {
  /** The subject of the event. */
  subject: string
  told: string
}

interface OpenPayment {
  recordId: string
  paymentId: string
}

/** How each public event really happens: at the API, and as the customer or the bank at the sandbox. */
export const triggers: Record<TriggeredEvent, (scene: Scene) => Promise<Triggered>> = {
  async 'payment.succeeded'(scene) {
    return triggered(await paid(scene), 'A payment of £45.00 was paid at the sandbox')
  },
  async 'payment.failed'(scene) {
    const payment = await created(scene)
    await scene.provider.atCheckout(payment.paymentId, 'fail')
    return triggered(payment, 'The bank refused a payment of £45.00 for good')
  },
  async 'payment.cancelled'(scene) {
    const payment = await created(scene)
    await scene.frontdesk.payments.cancel({ SiteSlug: scene.site, PaymentIdentifier: payment.recordId })
    return triggered(payment, 'A payment of £45.00 was cancelled')
  },
  async 'refund.succeeded'(scene) {
    const payment = await refunded(scene)
    return triggered(payment, 'A payment of £45.00 was paid, and £15.00 of it refunded')
  },
  async 'refund.failed'(scene) {
    const payment = await refunded(scene)
    await untilStatus(scene, payment, 'PartiallyRefunded')
    await scene.provider.atCheckout(payment.paymentId, 'fail-refund')
    return triggered(payment, 'A payment of £45.00 was paid, and the bank sent a refund of £15.00 back')
  },
  async 'dispute.opened'(scene) {
    const payment = await disputed(scene)
    return triggered(payment, 'A payment of £45.00 was paid, and the customer disputes it')
  },
  async 'dispute.closed'(scene) {
    const payment = await disputed(scene)
    await untilStatus(scene, payment, 'Disputed')
    await scene.provider.atCheckout(payment.paymentId, 'win-dispute')
    return triggered(payment, 'The practice won the dispute about a payment of £45.00')
  },
  async 'account.status_changed'({ frontdesk, provider, site }) {
    const accounts = await frontdesk.accounts.list({ SiteSlug: site })
    const { accountId, externalAccountId, status } = accounts.find((each) => each.paymentProvider === 'Sandbox') ?? {}
    expectThat(accountId !== undefined, `site ${site} has no account at the sandbox`)
    const action = status === 'Active' ? 'restrict' : 'complete'
    await provider.control(`accounts/${externalAccountId}/${action}`)
    const told =
      action === 'restrict' ? 'The provider asks the practice for more' : 'The practice gave what was asked for'
    return { subject: accountId, told: `${told} (account ${accountId})` }
  },
}

function triggered({ recordId }: OpenPayment, told: string): Triggered {
  return { subject: recordId, told: `${told} (payment ${recordId})` }
}

async function created({ frontdesk, site }: Scene): Promise<OpenPayment> {
  const { RecordId, PaymentId = '' } = await frontdesk.payments.create({ SiteSlug: site, body: paymentBody() })
  return { recordId: RecordId, paymentId: PaymentId }
}

/** Takes a payment and waits until its record says so. */
async function paid(scene: Scene): Promise<OpenPayment> {
  const payment = await created(scene)
  await scene.provider.atCheckout(payment.paymentId, 'pay')
  await untilStatus(scene, payment, 'Completed')
  return payment
}

async function refunded(scene: Scene): Promise<OpenPayment> {
  const payment = await paid(scene)
  const body = { Amount: 1_500, Reason: 'One treatment less' }
  await scene.frontdesk.refunds.create({ SiteSlug: scene.site, PaymentIdentifier: payment.recordId, body })
  return payment
}

async function disputed(scene: Scene): Promise<OpenPayment> {
  const payment = await paid(scene)
  await scene.provider.atCheckout(payment.paymentId, 'dispute')
  return payment
}

async function untilStatus({ frontdesk, site }: Scene, { recordId }: OpenPayment, wanted: string): Promise<void> {
  await eventually(
    async () => {
      const { Status } = await frontdesk.payments.get({ SiteSlug: site, PaymentIdentifier: recordId })
      expectThat(Status === wanted, `after 20 s payment ${recordId} is ${Status}, not ${wanted}`)
    },
    { within: 20_000, every: 100 },
  )
}
