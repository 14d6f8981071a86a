import type { CallResult } from '@frontdesk/client'
import type { Development } from './development.ts'
import { deleteSite, onboard, openSite, until } from './joining.ts'
import { expect, type Narrator } from './narrator.ts'
import { openReceiver, type DemoReceiver, type Received } from './receiver.ts'

type Payment = CallResult<'createPayment'>
type Stage = Development & { narrator: Narrator; receiver: DemoReceiver; site: string }

/** Plays the main job from the outside: a site, its provider account, a subscription, and five payments with their ends. */
export async function tellTheStory(development: Development, narrator: Narrator): Promise<void> {
  await using receiver = await openReceiver()
  narrator.chapter('A practice joins')
  const site = await openSite(development, narrator)
  try {
    const stage: Stage = { ...development, narrator, receiver, site }
    await onboard(development, narrator, site)
    await subscribe(stage)
    narrator.chapter('Five patients pay, or do not')
    await paid(stage)
    await declinedThenPaid(stage)
    await failed(stage)
    await cancelled(stage)
    await expired(stage)
    narrator.chapter('The practice leaves')
    await unsubscribe(stage)
  } finally {
    await deleteSite(development, narrator, site)
  }
}

async function subscribe({ frontdesk, site, narrator, receiver }: Stage): Promise<void> {
  await narrator.step(async () => {
    const subscription = await frontdesk.subscribe({
      SiteSlug: site,
      body: { EventTypes: ['payment.*'], Url: receiver.url, Headers: [{ Name: 'X-Demo-Key', Value: 'front-desk' }] },
    })
    expect(subscription.SigningSecret !== undefined, 'a new subscription has no signing secret')
    receiver.trust(subscription.SigningSecret)
    return { told: `It subscribed to payment.* at ${receiver.url}`, result: undefined }
  })
}

async function createPayment({ frontdesk, site, narrator }: Stage, reference: string, price: number): Promise<Payment> {
  return narrator.step(async () => {
    const payment = await frontdesk.createPayment({
      SiteSlug: site,
      body: {
        PaymentProvider: 'Sandbox',
        Currency: 'GBP',
        Reference: reference,
        LineItems: [{ ProductName: 'Check-up', Price: price }],
        FeeAmount: 50,
        StatementDescriptor: 'HARBOUR ST DENTAL',
        SuccessUrl: 'https://harbour-street.example/thank-you',
        CancelUrl: 'https://harbour-street.example/back',
      },
    })
    expect(payment.CheckoutUrl !== undefined && payment.PaymentId !== undefined, 'a new payment cannot be paid')
    const page = await (await fetch(payment.CheckoutUrl)).text()
    const total = `£${(price / 100).toFixed(2)}`
    expect(page.includes(total) && page.includes('Harbour Street Dental'), `the checkout page does not show ${total}`)
    return { told: `${reference}: a payment of ${total}, checkout page at ${payment.CheckoutUrl}`, result: payment }
  })
}

async function paid(stage: Stage): Promise<void> {
  const payment = await createPayment(stage, 'INV-1001', 4_500)
  await ends(stage, payment, 'The patient paid', () => stage.atCheckout(payment.PaymentId ?? '', 'pay'), {
    type: 'payment.succeeded',
    status: 'Completed',
  })
}

async function declinedThenPaid(stage: Stage): Promise<void> {
  const payment = await createPayment(stage, 'INV-1002', 12_000)
  await stage.narrator.step(async () => {
    await stage.atCheckout(payment.PaymentId ?? '', 'decline')
    await until('the decline is in the history', async () => (await statusOf(stage, payment)) === 'Declined')
    expect(stage.receiver.receivedOf(payment.RecordId).length === 0, 'a declined card ended the payment')
    return { told: 'The card was declined: noted in the history, and still open', result: undefined }
  })
  await ends(stage, payment, 'Another card worked', () => stage.atCheckout(payment.PaymentId ?? '', 'pay'), {
    type: 'payment.succeeded',
    status: 'Completed',
  })
}

async function failed(stage: Stage): Promise<void> {
  const payment = await createPayment(stage, 'INV-1003', 8_000)
  await ends(stage, payment, 'The bank refused for good', () => stage.atCheckout(payment.PaymentId ?? '', 'fail'), {
    type: 'payment.failed',
    status: 'Failed',
  })
}

async function cancelled(stage: Stage): Promise<void> {
  const payment = await createPayment(stage, 'INV-1004', 2_500)
  const cancel = () => stage.frontdesk.cancelPayment({ SiteSlug: stage.site, PaymentIdentifier: payment.RecordId })
  await ends(stage, payment, 'The practice cancelled', cancel, {
    type: 'payment.cancelled',
    status: 'Cancelled',
    reason: 'requested_by_client',
  })
}

async function expired(stage: Stage): Promise<void> {
  const payment = await createPayment(stage, 'INV-1005', 3_000)
  await ends(stage, payment, 'The checkout ran out', () => stage.atCheckout(payment.PaymentId ?? '', 'expire'), {
    type: 'payment.cancelled',
    status: 'Cancelled',
    reason: 'expired',
  })
}

interface End {
  type: string
  status: string
  reason?: string
}

/** Lets something end a payment, waits for the one webhook of it, and holds webhook and record against each other. */
async function ends(
  stage: Stage,
  payment: Payment,
  what: string,
  act: () => Promise<unknown>,
  end: End,
): Promise<void> {
  await stage.narrator.step(async () => {
    await act()
    const received = await stage.receiver.outcomeOf(payment.RecordId)
    checkDelivery(stage, payment, received, end)
    const status = await statusOf(stage, payment)
    expect(status === end.status, `the record says ${status}, the webhook ${end.type}`)
    return { told: `${what}: ${end.type} arrived, signed, as webhook ${received.webhookId}`, result: undefined }
  })
}

function checkDelivery(
  { site, receiver }: Stage,
  payment: Payment,
  { event, cloudEvent, headers }: Received,
  end: End,
): void {
  expect(event.type === end.type, `expected ${end.type}, got ${event.type}`)
  expect(cloudEvent.type === event.type && cloudEvent.id === event.id, 'the CloudEvents SDK reads another event')
  expect(event.siteslug === site && event.subject === payment.RecordId, 'the event names another site or payment')
  expect(event.data.reference === payment.Reference, 'the event has another reference')
  expect(headers['x-demo-key'] === 'front-desk', "the subscriber's own header is missing")
  if (event.type === 'payment.succeeded') expect(event.data.amount === payment.Amount, 'the event has another amount')
  if (event.type === 'payment.cancelled') {
    expect(event.data.cancellationReason === end.reason, `cancelled because of ${event.data.cancellationReason}`)
  }
  expect(receiver.receivedOf(payment.RecordId).length === 1, 'the payment had more than one outcome')
}

async function statusOf({ frontdesk, site }: Stage, payment: Payment): Promise<string | undefined> {
  const record = await frontdesk.getPayment({ SiteSlug: site, PaymentIdentifier: payment.RecordId })
  return record.History.at(-1)?.Status
}

async function unsubscribe({ frontdesk, site, narrator }: Stage): Promise<void> {
  await narrator.step(async () => {
    const { Headers } = await frontdesk.unsubscribe({ SiteSlug: site })
    expect(Headers[0]?.Name === 'X-Demo-Key', 'the removed subscription does not show its headers')
    return { told: 'It unsubscribed', result: undefined }
  })
}
