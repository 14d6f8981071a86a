import { openReceiver, type ReceivedRequest, type Receiver, type ReceiverReply } from '@frontdesk/testing'
import { createClient, type ClientOptions, type FrontdeskClient } from '../src/index.ts'

/** A server in place of a gateway: it issues tokens and answers all other requests as the test says. */
export interface GatewayDouble extends AsyncDisposable {
  url: string
  client(options?: Partial<ClientOptions>): FrontdeskClient
  /** The received requests, without those for tokens. */
  calls(): ReceivedRequest[]
  logins(): ReceivedRequest[]
  /** Sets the answers to calls, in order; the last one repeats. */
  answers(...replies: (ReceiverReply | ((request: ReceivedRequest) => ReceiverReply))[]): void
  /** Sets the answers of the token endpoint. By default each login gets `token-<count>`. */
  answersLogins(...replies: ReceiverReply[]): void
}

export async function openGatewayDouble(): Promise<GatewayDouble> {
  const receiver: Receiver = await openReceiver()
  let replies: (ReceiverReply | ((request: ReceivedRequest) => ReceiverReply))[] = []
  let loginReplies: ReceiverReply[] = []
  let logins = 0
  const isLogin = ({ path }: ReceivedRequest) => path === '/oauth2/token'
  const next = <Item>(items: Item[]) => (items.length > 1 ? items.shift() : items[0])

  receiver.reply((request) => {
    if (isLogin(request)) {
      logins += 1
      return next(loginReplies) ?? json(200, { access_token: `token-${logins}`, token_type: 'Bearer', expires_in: 900 })
    }
    const reply = next(replies) ?? json(200, {})
    return typeof reply === 'function' ? reply(request) : reply
  })
  return {
    url: receiver.url,
    client: (options = {}) =>
      createClient({ baseUrl: receiver.url, credentials: { clientId: 'demo', clientSecret: 's3:cret' }, ...options }),
    calls: () => receiver.requests.filter((request) => !isLogin(request)),
    logins: () => receiver.requests.filter(isLogin),
    answers: (...next) => void (replies = next),
    answersLogins: (...next) => void (loginReplies = next),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): ReceiverReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** Returns a refusal in the form of Frontdesk's problems. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): ReceiverReply {
  const body = { type: `/docs/errors#${code}`, title: `The title of ${code}`, status, code }
  return json(status, body, { 'content-type': 'application/problem+json', ...headers })
}
