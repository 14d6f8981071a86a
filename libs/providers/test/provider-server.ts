import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Provider } from '../src/port.ts'
import { openProviders, type ProviderConfig } from '../src/providers.ts'
import type { StripeSettings } from '../src/stripe/adapter.ts'
import { stripeConfig } from '../src/stripe/settings.ts'

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  params: URLSearchParams
}

/** Answers one request. */
export type Reply = (response: ServerResponse) => void

export const json =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const refusal = (status: number, error: object, headers: Record<string, string> = {}): Reply =>
  json(status, { error }, headers)

export const page =
  (status: number): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>proxy</h1>')

export const reset: Reply = (response) => void response.socket?.destroy()
export const hang: Reply = () => undefined

/** Sends headers at once, then a byte every 50 ms without end, so that no silence time-out fires. */
export const drip: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}

export const session = (changes: object = {}) =>
  json(200, {
    id: 'cs_1',
    object: 'checkout.session',
    status: 'open',
    payment_status: 'unpaid',
    currency: 'gbp',
    amount_total: 4_500,
    payment_intent: null,
    url: 'https://checkout.example/cs_1',
    expires_at: 1_795_000_000,
    ...changes,
  })

/** A refund as Stripe shows it. */
export const refund = (id: string, amount: number, changes: object = {}) => ({
  id,
  object: 'refund',
  amount,
  currency: 'gbp',
  status: 'succeeded',
  reason: null,
  metadata: {},
  created: 1_794_991_000,
  ...changes,
})

/** A page of a list of refunds, newest first. */
export const refundPage = (data: object[], hasMore = false) => json(200, { object: 'list', data, has_more: hasMore })

export interface ProviderServer {
  url: string
  requests: SeenRequest[]
  /** Sets the replies, in order; the last one repeats. */
  replies(...replies: Reply[]): void
  /** Sets a reply for each request by what it asks. */
  answers(reply: (request: SeenRequest) => Reply): void
  open(settings?: Partial<StripeSettings & ProviderConfig>): Provider & { [Symbol.asyncDispose](): Promise<void> }
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a server on loopback that sends the given replies, among them failures that no stand-in provider shows. */
export async function openProviderServer(): Promise<ProviderServer> {
  const requests: SeenRequest[] = []
  let coming: Reply[] = [hang]
  let chosen: ((request: SeenRequest) => Reply) | undefined

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://provider')
    const params = new URLSearchParams(Buffer.concat(chunks).toString('utf8') || url.searchParams)
    const seen = { method: request.method ?? '', path: url.pathname, headers: request.headers, params }
    requests.push(seen)
    const reply = chosen?.(seen) ?? (coming.length > 1 ? coming.shift() : coming[0])
    reply?.(response)
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    requests,
    replies(...replies) {
      coming = replies
      chosen = undefined
    },
    answers: (reply) => void (chosen = reply),
    open({ timeoutMs = 2_000, breaker, ...settings } = {}) {
      const own: StripeSettings = {
        name: 'Sandbox',
        secretKey: 'sk_test_1',
        publishableKey: 'pk_test_1',
        webhookSecrets: [],
        baseUrl: url,
        ...settings,
      }
      const providers = openProviders([stripeConfig(own, { timeoutMs, breaker })])
      const provider = providers.get('Sandbox')
      if (provider === undefined) throw new Error('not configured')
      return { ...provider, [Symbol.asyncDispose]: () => providers[Symbol.asyncDispose]() }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
