import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient, FrontdeskProblem, verifyWebhook, type FrontdeskClient } from '@frontdesk/client'
import { openReceiver, type ReceivedRequest, type ReceiverReply } from '@frontdesk/testing'
import { startDevStack, type DevStack } from '@frontdesk/dev-stack'
import pg from 'pg'

/** What a subscriber received, its signature checked. */
export interface Delivery {
  webhookId: string
  recordId: string
  type: string
}

/** The whole system, every part a process, with sites that take payments and are subscribed to. */
export interface Stage extends AsyncDisposable {
  constellation: DevStack
  /** Tries again until the system answers: for what is not under test. */
  frontdesk: FrontdeskClient
  /** Tries once. */
  once: FrontdeskClient
  /** An access token, for requests without the client. */
  token(): Promise<string>
  /** Slugs of the sites. */
  sites: string[]
  /** Everything that subscribers received so far, repetitions included. */
  deliveries: Delivery[]
  /** The payments service's database, for the books. */
  database: pg.Pool
  /** Calls the control API of the provider's stand-in; returns the answer's status. */
  control(path: string, body?: object): Promise<number>
  /** Reads from it. */
  look<Answer>(path: string): Promise<Answer>
}

export interface StageOptions {
  home: string
  sites: number
  onLine: (part: string, line: string) => void
  /** Gives up the start. */
  signal: AbortSignal
}

/** Clocks that make healing a matter of seconds; all else is as in production. */
const env = {
  payments: { PAYMENTS_CHECK_SCHEDULE: '5s,10s,20s,40s,80s,160s,5m,10m,20m' },
  'webhook-delivery': { DELIVERY_RETRY_SCHEDULE: '500ms,1s,2s,4s,8s,15s,30s' },
}

/** Starts the system and opens its sites, all well so far. */
export async function openStage({ home, sites: siteCount, onLine, signal }: StageOptions): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const constellation = opened.use(await startDevStack({ home: join(home, 'state'), env, onLine, signal }))
  const { gateway, sandbox, clients, services } = constellation.dev
  const clientSecret = clients.find(({ id }) => id === 'bench')?.secret ?? ''
  const open = (attempts: number) =>
    createClient({
      baseUrl: gateway,
      credentials: { clientId: 'bench', clientSecret },
      attempts,
      longestWaitMs: 65_000,
    })
  const database = new pg.Pool({ connectionString: services['payments']?.databaseUrl, max: 4 })
  opened.defer(() => database.end())

  const stage: Omit<Stage, typeof Symbol.asyncDispose> = {
    constellation,
    frontdesk: open(200),
    once: open(1),
    token: openTokens(gateway, clientSecret),
    sites: [],
    deliveries: [],
    database,
    async control(path, body) {
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const answer = await fetch(`${sandbox}/_control/${path}`, { method: 'POST', ...(body === undefined ? {} : json) })
      await answer.arrayBuffer()
      return answer.status
    },
    async look<Answer>(path: string) {
      return (await (await fetch(`${sandbox}/_control/${path}`)).json()) as Answer
    },
  }
  for (let number = 1; number <= siteCount; number++) {
    const receiver = opened.use(await openReceiver())
    const { slug, secret } = await openSite(stage, receiver.url, number)
    stage.sites.push(slug)
    receiver.reply((request) => received(stage.deliveries, request, secret))
  }
  const owned = opened.move()
  return { ...stage, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function openSite(
  { frontdesk, control }: Pick<Stage, 'frontdesk' | 'control'>,
  url: string,
  number: number,
): Promise<{ slug: string; secret: string }> {
  const { Identity } = await frontdesk.createSite({ body: { Name: `Soak ${number}`, Currency: 'GBP' } })
  const slug = Identity.SiteSlug
  const { account } = await frontdesk.createAccount({ SiteSlug: slug, body: { paymentProvider: 'Sandbox' } })
  await control(`accounts/${account.externalAccountId}/complete`)
  for (let tries = 0; ; tries++) {
    const { status } = await frontdesk.getAccount({ SiteSlug: slug, AccountId: account.accountId })
    if (status === 'Active') break
    if (tries > 200) throw new Error(`the account of ${slug} stays ${status}`)
    await wait(100)
  }
  const subscription = { EventTypes: ['payment.*'], Url: url }
  const { SigningSecret: secret = '' } = await frontdesk.subscribe({ SiteSlug: slug, body: subscription })
  return { slug, secret }
}

/** Subscribers have their faults too: one answer in 30 says that it went wrong, when it did not. */
function received(deliveries: Delivery[], { body, headers }: ReceivedRequest, secret: string): ReceiverReply {
  const { id, event } = verifyWebhook({ body, headers, secret })
  deliveries.push({ webhookId: id, recordId: event.subject ?? '', type: event.type })
  return { status: Math.random() < 1 / 30 ? 500 : 204 }
}

/** Asks for tokens as they run out, again and again while the gateway is down. */
function openTokens(gateway: string, clientSecret: string): () => Promise<string> {
  let token = ''
  let usableUntil = 0
  return async () => {
    while (performance.now() > usableUntil) {
      try {
        const answer = await fetch(`${gateway}/oauth2/token`, {
          method: 'POST',
          headers: { authorization: `Basic ${Buffer.from(`bench:${clientSecret}`).toString('base64')}` },
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
        })
        token = ((await answer.json()) as { access_token: string }).access_token
        usableUntil = performance.now() + 5 * 60_000
      } catch {
        await wait(200)
      }
    }
    return token
  }
}

/** Whether the client was told that nothing is known yet, or nothing could be done: to ask again is right. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof FrontdeskProblem) || error.status >= 500 || error.code === 'idempotency_key_in_use'
}
