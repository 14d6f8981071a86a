import { openReceiver, type ReceivedRequest, type Receiver, type ReceiverReply } from '@frontdesk/testing'
import { createClient, type ClientOptions, type FrontdeskClient } from '@frontdesk/client'

/** An HTTP server in a gateway's place: it issues tokens, and answers the rest as the test says. */
export interface GatewayDouble extends AsyncDisposable {
  url: string
  client(options?: Partial<ClientOptions>): FrontdeskClient
  /** What came, without the requests for tokens. */
  calls(): ReceivedRequest[]
  logins(): ReceivedRequest[]
  /** Answers calls with these, one after the other; the last one for all that follow. */
  answers(...replies: (ReceiverReply | ((request: ReceivedRequest) => ReceiverReply))[]): void
  /** The same for the token endpoint; without it each login gets `token-<count>`. */
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

/** A refusal as Frontdesk writes it. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): ReceiverReply {
  const body = { type: `urn:frontdesk:problem:${code}`, title: `The title of ${code}`, status, code }
  return json(status, body, { 'content-type': 'application/problem+json', ...headers })
}
