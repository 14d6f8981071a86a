import type { Pool } from '@frontdesk/database'
import { request as send } from 'undici'
import { checkSignature, type ReceivedWebhook, type SignatureCheck } from './domain.ts'
import { readRequests, readSecrets, storeRequest } from './store.ts'

export interface CheckedWebhook extends ReceivedWebhook {
  signature: SignatureCheck
}

/** The inboxes, each of which receives webhooks at an address of its own. */
export interface Inboxes {
  /** Answers a webhook, and keeps it. Returns the status of the answer. */
  receive(inbox: string, webhook: Pick<ReceivedWebhook, 'headers' | 'body'>): Promise<number>
  /** Returns what an inbox has kept, newest first, each signature checked. */
  read(inbox: string): Promise<CheckedWebhook[]>
  /** Lets an inbox refuse its next webhooks with 503, so that somebody sees them come again. */
  refuseNext(inbox: string, count: number): void
  /** How many of the next webhooks an inbox refuses. */
  refusals(inbox: string): number
  /** Forwards an inbox's webhooks to an address on this machine, until `listenerLeaseMs` after the last call. */
  listen(inbox: string, address: string): void
  unlisten(inbox: string): void
  /** Returns the address that an inbox forwards to, if somebody listens. */
  listener(inbox: string): string | undefined
}

/** How long a listener is there without saying so again. */
export const listenerLeaseMs = 6_000

/** Frontdesk waits 15 s for an answer: a listener's is told before. */
const forwardWithinMs = 13_000

/** Headers of one connection, which are not the next one's. */
const hopHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect', 'te'])

type Outcome = Pick<ReceivedWebhook, 'answer' | 'answeredBy' | 'error'>

export function createInboxes({ pool, now }: { pool: Pool; now: () => Date }): Inboxes {
  const refusals = new Map<string, number>()
  const listeners = new Map<string, { address: string; until: number }>()

  function listener(inbox: string): string | undefined {
    const found = listeners.get(inbox)
    return found !== undefined && found.until > now().getTime() ? found.address : undefined
  }

  async function outcomeOf(inbox: string, webhook: Pick<ReceivedWebhook, 'headers' | 'body'>): Promise<Outcome> {
    const left = refusals.get(inbox) ?? 0
    if (left > 0) {
      refusals.set(inbox, left - 1)
      return { answer: 503, answeredBy: 'inbox', error: null }
    }
    const address = listener(inbox)
    return address === undefined ? { answer: 204, answeredBy: 'inbox', error: null } : forward(address, webhook)
  }

  return {
    async receive(inbox, webhook) {
      const receivedAt = now()
      const outcome = await outcomeOf(inbox, webhook)
      await storeRequest(pool, inbox, { ...webhook, receivedAt, ...outcome })
      return outcome.answer
    },
    async read(inbox) {
      const [requests, secrets] = await Promise.all([readRequests(pool, inbox), readSecrets(pool, inbox)])
      return requests.map((request) => ({ ...request, signature: checkSignature(request, secrets) }))
    },
    refuseNext: (inbox, count) => void refusals.set(inbox, count),
    refusals: (inbox) => refusals.get(inbox) ?? 0,
    listen: (inbox, address) => void listeners.set(inbox, { address, until: now().getTime() + listenerLeaseMs }),
    unlisten: (inbox) => void listeners.delete(inbox),
    listener,
  }
}

/** Sends a webhook on, byte by byte, so that its signature stays good. Without an answer, the status is 502. */
async function forward(
  address: string,
  { headers, body }: Pick<ReceivedWebhook, 'headers' | 'body'>,
): Promise<Outcome> {
  const own = Object.entries(headers).filter(([name]) => !hopHeaders.has(name))
  try {
    const reply = await send(address, {
      method: 'POST',
      headers: Object.fromEntries(own),
      body,
      signal: AbortSignal.timeout(forwardWithinMs),
    })
    await reply.body.dump()
    return { answer: reply.statusCode, answeredBy: address, error: null }
  } catch (error) {
    return { answer: 502, answeredBy: address, error: error instanceof Error ? error.message : String(error) }
  }
}
