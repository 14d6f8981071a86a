import { isPaymentEvent, isRefundEvent, type PaymentRecord } from '#client'
import { eventually } from '@frontdesk/testing/eventually'
import { HTTP } from 'cloudevents'
import { expectThat } from '../system/fault.ts'
import { paymentBody } from '../system/practice.ts'
import { openSubscriber, type Delivery, type Subscriber } from '../system/subscriber.ts'
import type { Demo } from './narrator.ts'
import { deleteSite, onboard, openSite } from './site.ts'

interface Story extends Demo {
  subscriber: Subscriber
  site: string
}

/** Runs the main use case from outside: a site, its provider account, a subscription, five payments with their ends, and two refunds. */
export async function runStory(demo: Demo): Promise<void> {
  const { narrator } = demo
  await using subscriber = await openSubscriber(demo.receivers)
  narrator.chapter('A practice joins')
  const site = await openSite(demo)
  try {
    const story: Story = { ...demo, subscriber, site }
    await onboard(demo, site)
    await subscribe(story)
    narrator.chapter('Five patients pay, or do not')
    const payment = await paid(story)
    await declinedThenPaid(story)
    await failed(story)
    await cancelled(story)
    await expired(story)
    narrator.chapter('The first patient gets money back')
    await refunded(story, payment)
    await refundReversed(story, payment)
    narrator.chapter('The practice leaves')
    await unsubscribe(story)
  } finally {
    await deleteSite(demo, site)
  }
}

async function subscribe({ frontdesk, site, narrator, subscriber }: Story): Promise<void> {
  await narrator.step(async () => {
    const { url } = subscriber
    const Headers = [{ Name: 'X-Demo-Key', Value: 'front-desk' }]
    const body = { EventTypes: ['payment.*', 'refund.*'], Url: url, Headers }
    const { SigningSecret } = await frontdesk.webhooks.subscribe({ SiteSlug: site, body })
    expectThat(SigningSecret !== undefined, 'a new subscription has no signing secret')
    subscriber.trust(SigningSecret)
    return { told: `It subscribed to payment.* and refund.* at ${url}` }
  })
}

function createPayment({ frontdesk, site, narrator }: Story, reference: string, price: number): Promise<PaymentRecord> {
  return narrator.step(async () => {
    const payment = await frontdesk.payments.create({
      SiteSlug: site,
      body: paymentBody({
        Reference: reference,
        LineItems: [{ ProductName: 'Check-up', Price: price }],
        FeeAmount: 50,
        StatementDescriptor: 'HARBOUR ST DENTAL',
        SuccessUrl: 'https://harbour-street.example/thank-you',
        CancelUrl: 'https://harbour-street.example/back',
      }),
    })
    const { CheckoutUrl, PaymentId } = payment
    expectThat(CheckoutUrl !== undefined && PaymentId !== undefined, 'a new payment cannot be paid')
    const page = await (await fetch(CheckoutUrl)).text()
    const total = `£${(price / 100).toFixed(2)}`
    const isRight = page.includes(total) && page.includes('Harbour Street Dental')
    expectThat(isRight, `the checkout page does not show ${total}`)
    return { told: `${reference}: a payment of ${total}, checkout page at ${CheckoutUrl}`, result: payment }
  })
}

async function paid(story: Story): Promise<PaymentRecord> {
  const payment = await createPayment(story, 'INV-1001', 4_500)
  const outcome = { type: 'payment.succeeded', status: 'Completed' }
  await ends(story, payment, 'The patient paid', () => atCheckout(story, payment, 'pay'), outcome)
  return payment
}

async function declinedThenPaid(story: Story): Promise<void> {
  const { narrator, subscriber } = story
  const payment = await createPayment(story, 'INV-1002', 12_000)
  await narrator.step(async () => {
    await atCheckout(story, payment, 'decline')
    await eventually(
      async () => {
        const status = await statusOf(story, payment)
        expectThat(status === 'Declined', `after 20 s the record says ${status}, not Declined`)
      },
      { within: 20_000, every: 150 },
    )
    expectThat(subscriber.deliveriesOf(payment.RecordId).length === 0, 'a declined card ended the payment')
    return { told: 'The card was declined: noted in the history, and still open' }
  })
  const outcome = { type: 'payment.succeeded', status: 'Completed' }
  await ends(story, payment, 'Another card worked', () => atCheckout(story, payment, 'pay'), outcome)
}

async function failed(story: Story): Promise<void> {
  const payment = await createPayment(story, 'INV-1003', 8_000)
  const outcome = { type: 'payment.failed', status: 'Failed' }
  await ends(story, payment, 'The bank refused for good', () => atCheckout(story, payment, 'fail'), outcome)
}

async function cancelled(story: Story): Promise<void> {
  const payment = await createPayment(story, 'INV-1004', 2_500)
  const cancel = () => story.frontdesk.payments.cancel({ SiteSlug: story.site, PaymentIdentifier: payment.RecordId })
  const outcome = { type: 'payment.cancelled', status: 'Cancelled', reason: 'requested_by_client' }
  await ends(story, payment, 'The practice cancelled', cancel, outcome)
}

async function expired(story: Story): Promise<void> {
  const payment = await createPayment(story, 'INV-1005', 3_000)
  const outcome = { type: 'payment.cancelled', status: 'Cancelled', reason: 'expired' }
  await ends(story, payment, 'The checkout ran out', () => atCheckout(story, payment, 'expire'), outcome)
}

async function refunded(story: Story, payment: PaymentRecord): Promise<void> {
  const { frontdesk, site, narrator } = story
  await narrator.step(async () => {
    const body = { Amount: 1_500, Reason: 'One treatment less', Reference: 'CREDIT-17' }
    const refund = await frontdesk.refunds.create({ SiteSlug: site, PaymentIdentifier: payment.RecordId, body })
    expectThat(refund.Amount === 1_500, `the refund is of ${refund.Amount}`)
    const webhookId = await refundEvent(story, payment, refund.RefundId, 'refund.succeeded', 1_500)
    await recordSays(story, payment, 'PartiallyRefunded', 1_500)
    return { told: `£15.00 of £45.00 went back: refund.succeeded arrived, signed, as webhook ${webhookId}` }
  })
}

/** The rest is refunded as well, and the bank sends that money back: the patient's card is closed. */
async function refundReversed(story: Story, payment: PaymentRecord): Promise<void> {
  const { frontdesk, site, narrator } = story
  const refund = await narrator.step(async () => {
    const rest = await frontdesk.refunds.create({ SiteSlug: site, PaymentIdentifier: payment.RecordId, body: {} })
    expectThat(rest.Amount === 3_000, `the rest is ${rest.Amount}`)
    await refundEvent(story, payment, rest.RefundId, 'refund.succeeded', 4_500)
    await recordSays(story, payment, 'Refunded', 4_500)
    return { told: 'Then the rest of it, £30.00: the record says Refunded', result: rest }
  })
  await narrator.step(async () => {
    await atCheckout(story, payment, 'fail-refund')
    const webhookId = await refundEvent(story, payment, refund.RefundId, 'refund.failed', 1_500)
    await recordSays(story, payment, 'PartiallyRefunded', 1_500)
    const { Status, FailureReason } = await frontdesk.refunds.get({
      SiteSlug: site,
      PaymentIdentifier: payment.RecordId,
      RefundIdentifier: refund.RefundId,
    })
    expectThat(Status === 'Failed', `the refund is ${Status}`)
    const told = `The bank sent the £30.00 back (${FailureReason}): refund.failed arrived as webhook ${webhookId}`
    return { told: `${told}, and the record says PartiallyRefunded again` }
  })
}

/** Waits for an event about a refund. Returns its webhook-id. */
function refundEvent(
  { subscriber }: Story,
  { RecordId }: PaymentRecord,
  refundId: string,
  type: string,
  refundedAmount: number,
): Promise<string> {
  return eventually(
    () => {
      const found = subscriber
        .deliveriesOf(RecordId)
        .find(({ event }) => event.type === type && isRefundEvent(event) && event.data.refundId === refundId)
      expectThat(found !== undefined && isRefundEvent(found.event), `${type} has not arrived within 30 s`)
      const sum = found.event.data.refundedAmount
      expectThat(sum === refundedAmount, `${type} says that ${sum} are refunded`)
      return found.webhookId
    },
    { within: 30_000 },
  )
}

async function recordSays(
  { frontdesk, site }: Story,
  { RecordId }: PaymentRecord,
  status: string,
  refundedAmount: number,
): Promise<void> {
  await eventually(
    async () => {
      const record = await frontdesk.payments.get({ SiteSlug: site, PaymentIdentifier: RecordId })
      const { Status, RefundedAmount } = record
      const isSo = Status === status && RefundedAmount === refundedAmount
      expectThat(isSo, `after 20 s the record says ${Status}, with ${RefundedAmount} refunded`)
    },
    { within: 20_000, every: 150 },
  )
}

function atCheckout({ provider }: Story, { PaymentId = '' }: PaymentRecord, action: string): Promise<void> {
  return provider.atCheckout(PaymentId, action)
}

interface Outcome {
  type: string
  status: string
  reason?: string
}

/** Ends a payment, waits for its one webhook, and compares webhook and record. */
async function ends(
  story: Story,
  payment: PaymentRecord,
  what: string,
  act: () => Promise<unknown>,
  outcome: Outcome,
): Promise<void> {
  await story.narrator.step(async () => {
    await act()
    const delivery = await story.subscriber.outcomeOf(payment.RecordId)
    checkDelivery(story, payment, delivery, outcome)
    const status = await statusOf(story, payment)
    expectThat(status === outcome.status, `the record says ${status}, the webhook ${outcome.type}`)
    return { told: `${what}: ${outcome.type} arrived, signed, as webhook ${delivery.webhookId}` }
  })
}

function checkDelivery(
  { site, subscriber }: Story,
  payment: PaymentRecord,
  { event, request: { headers, body } }: Delivery,
  { type, reason }: Outcome,
): void {
  expectThat(event.type === type && isPaymentEvent(event), `expected ${type}, got ${event.type}`)
  const cloudEvent = HTTP.toEvent({ headers, body })
  const isSame = !Array.isArray(cloudEvent) && cloudEvent.type === event.type && cloudEvent.id === event.id
  expectThat(isSame, 'the CloudEvents SDK reads another event')
  expectThat(event.siteslug === site && event.subject === payment.RecordId, 'the event names another site or payment')
  expectThat(event.data.recordId === payment.RecordId, 'the event has another record id')
  expectThat(event.data.reference === payment.Reference, 'the event has another reference')
  expectThat(headers['x-demo-key'] === 'front-desk', "the subscriber's own header is missing")
  if (event.type === 'payment.succeeded')
    expectThat(event.data.amount === payment.Amount, 'the event has another amount')
  if (event.type === 'payment.cancelled')
    expectThat(event.data.cancellationReason === reason, `cancelled because of ${event.data.cancellationReason}`)
  expectThat(subscriber.deliveriesOf(payment.RecordId).length === 1, 'the payment had more than one outcome')
}

async function statusOf({ frontdesk, site }: Story, payment: PaymentRecord): Promise<string | undefined> {
  const record = await frontdesk.payments.get({ SiteSlug: site, PaymentIdentifier: payment.RecordId })
  return record.History.at(-1)?.Status
}

async function unsubscribe({ frontdesk, site, narrator }: Story): Promise<void> {
  await narrator.step(async () => {
    const { Headers } = await frontdesk.webhooks.unsubscribe({ SiteSlug: site })
    expectThat(Headers[0]?.Name === 'X-Demo-Key', 'the removed subscription does not show its headers')
    return { told: 'It unsubscribed' }
  })
}
