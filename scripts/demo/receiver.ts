import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isPaymentEvent, verifyWebhook, type PaymentEvent } from '@frontdesk/client'
import { HTTP, type CloudEvent } from 'cloudevents'
import { DemoFault } from './narrator.ts'

export interface Received {
  event: PaymentEvent
  webhookId: string
  /** The same event as the CloudEvents SDK reads it. */
  cloudEvent: CloudEvent<unknown>
  headers: IncomingHttpHeaders
}

export interface DemoReceiver extends AsyncDisposable {
  url: string
  /** From now on deliveries are verified with this secret. */
  trust(secret: string): void
  /** The outcome of a payment, as soon as it is delivered. */
  outcomeOf(recordId: string): Promise<Received>
  /** Everything delivered for a payment so far. */
  receivedOf(recordId: string): Received[]
}

/** A subscriber as an integrator would write it: checks the signature, then reads the event, then answers 204. */
export async function openReceiver(): Promise<DemoReceiver> {
  const received: Received[] = []
  const faults: Error[] = []
  const waiting = new Set<() => void>()
  let secret = ''

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      try {
        const body = Buffer.concat(chunks)
        const { id, event } = verifyWebhook({ body, headers: request.headers, secret })
        const cloudEvent = HTTP.toEvent({ headers: request.headers, body: body.toString('utf8') })
        if (Array.isArray(cloudEvent) || !isPaymentEvent(event))
          throw new Error(`an unexpected delivery: ${event.type}`)
        received.push({ event, webhookId: id, cloudEvent: cloudEvent as CloudEvent<unknown>, headers: request.headers })
        response.writeHead(204).end()
      } catch (error) {
        faults.push(error as Error)
        response.writeHead(400).end()
      }
      for (const wake of waiting) wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const receivedOf = (recordId: string) => received.filter(({ event }) => event.data.recordId === recordId)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/frontdesk`,
    trust(fresh) {
      secret = fresh
    },
    receivedOf,
    async outcomeOf(recordId) {
      const deadline = Date.now() + 30_000
      for (;;) {
        const [fault] = faults
        if (fault !== undefined) throw new DemoFault(`a delivery did not hold: ${fault.message}`)
        const [outcome] = receivedOf(recordId)
        if (outcome !== undefined) return outcome
        const left = deadline - Date.now()
        if (left <= 0) throw new DemoFault(`no webhook for payment ${recordId} within 30 s`)
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            clearTimeout(timer)
            resolve()
          }
          const timer = setTimeout(wake, left)
          waiting.add(wake)
        })
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
