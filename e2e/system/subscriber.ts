import { verifyWebhook, WebhookVerificationError, type Envelope, type PaymentEvent } from '#client'
import { eventually } from '@frontdesk/testing/eventually'
import { openReceiver, type ReceivedRequest, type ReceiverReply } from '@frontdesk/testing/receiver'
import { SystemFault } from './fault.ts'

/** A webhook that arrived, its signature checked. */
export interface Delivery {
  webhookId: string
  event: PaymentEvent | Envelope
  request: ReceivedRequest
}

/** A subscriber as an integrator would write it: checks the signature, then reads the event, then answers. */
export interface Subscriber extends AsyncDisposable {
  url: string
  /** Everything that arrived so far, repetitions included. */
  deliveries: readonly Delivery[]
  /** Requests whose signature did not match. */
  unverified: readonly ReceivedRequest[]
  /** Sets the secret that signatures are checked with. */
  trust(secret: string): void
  /** Sets how deliveries are answered; the default is 204. */
  reply(answer: (delivery: Delivery) => ReceiverReply): void
  /** Returns the deliveries about a payment. Throws SystemFault if a signature did not match. */
  deliveriesOf(recordId: string): Delivery[]
  /** Waits for the first delivery about a payment; at most `within` milliseconds, 30 s by default. */
  outcomeOf(recordId: string, within?: number): Promise<Delivery>
}

/**
 * Opens a subscriber on this machine. What does not match its secret is answered with 400.
 *
 * @param host the name by which the system reaches this machine; by default they share loopback
 */
export async function openSubscriber(host?: string): Promise<Subscriber> {
  const receiver = await openReceiver({ host })
  const deliveries: Delivery[] = []
  const unverified: ReceivedRequest[] = []
  let secret = ''
  let fault: WebhookVerificationError | undefined
  let answer: (delivery: Delivery) => ReceiverReply = () => ({ status: 204 })

  receiver.reply(async (request) => {
    try {
      const { id, event } = await verifyWebhook({ body: request.body, headers: request.headers, secret })
      const delivery = { webhookId: id, event, request }
      deliveries.push(delivery)
      return answer(delivery)
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      fault = error
      unverified.push(request)
      return { status: 400 }
    }
  })

  function deliveriesOf(recordId: string): Delivery[] {
    if (fault !== undefined) throw new SystemFault(`a delivery was not signed as it must be: ${fault.message}`)
    return deliveries.filter(({ event }) => event.subject === recordId)
  }
  return {
    url: receiver.url,
    deliveries,
    unverified,
    trust: (fresh) => void (secret = fresh),
    reply: (next) => void (answer = next),
    deliveriesOf,
    outcomeOf: (recordId, within = 30_000) =>
      eventually(
        () => {
          const [first] = deliveriesOf(recordId)
          if (first === undefined) throw new SystemFault(`no webhook for payment ${recordId} within ${within / 1000} s`)
          return first
        },
        { within },
      ),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}
