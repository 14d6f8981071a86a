import { setTimeout as wait } from 'node:timers/promises'
import { paymentBody } from '../../system/practice.ts'
import { ControlRefused, type Provider } from '../../system/provider.ts'
import { oneOf } from '../../system/random.ts'
import type { HttpClient, Reply, Sent } from './http.ts'
import { openLog, type Create, type LoadLog } from './log.ts'

export interface LoadSite {
  slug: string
  /** Where its subscriber listens. */
  url: string
}

export interface LoadOptions {
  http: HttpClient
  provider: Provider
  /** Returns the sites that requests are for; asked for each. */
  sites: () => readonly LoadSite[]
  /** Requests a second; 0 sends none. */
  rate: number
  /** Default: mostly creations. */
  mix?: Mix | undefined
  random: () => number
  /** Begins the names of what is created. */
  prefix: string
}

/** Requests that are being sent, at a rate that does not fall when answers are slow. */
export interface Load {
  log: LoadLog
  /** Sends this many requests a second from now on. */
  setRate(rate: number): void
  /** Sends no new requests, and waits until those under way have their answers. `setRate` goes on. */
  rest(): Promise<void>
  /** Sends no new requests; waits until the keyed ones have their answers and customers have paid, at most `within` ms. */
  stop(within: number): Promise<void>
}

/** Kinds of requests, with their weights. */
export type Mix = Readonly<Record<Kind, number>>
type Kind = 'keyed payment' | 'unkeyed payment' | 'read' | 'list' | 'change site' | 'subscribe' | 'site'

/** Mostly creations: most faults are about them. */
const creations: Mix = {
  'keyed payment': 40,
  'unkeyed payment': 18,
  read: 28,
  list: 6,
  'change site': 4,
  subscribe: 2,
  site: 2,
}

/** As practice software asks: it reads far more than it creates. */
export const everyday: Mix = {
  'keyed payment': 10,
  'unkeyed payment': 6,
  read: 62,
  list: 12,
  'change site': 6,
  subscribe: 2,
  site: 2,
}

/** More requests than this are not under way at once: a client has limits too. */
const mostUnderWay = 600
const shortestWaitMs = 150
const longestWaitMs = 3_000

/** Starts sending requests in an order that the random numbers give. */
export function startLoad(options: LoadOptions): Load {
  const { http, provider, sites, random, prefix, mix = creations } = options
  const kinds = (Object.keys(mix) as Kind[]).flatMap((kind) => Array<Kind>(mix[kind]).fill(kind))
  const log = openLog()
  const startedAt = performance.now()
  const issuing = new AbortController()
  const giveUp = new AbortController()
  const running = new Set<Promise<void>>()
  let rate = options.rate
  let number = 0

  /** Sends once, and logs what came of it. */
  async function send(kind: string, sent: Sent): Promise<Reply> {
    log.sent++
    const reply = await http.send(sent)
    const { status, reason } = reply
    const at = performance.now() - startedAt
    if (isSuccess(reply)) log.acknowledged++
    else if (isRefusal(reply)) log.refusals.push(`${kind}: ${reason} (${text(reply, 'detail')})`)
    else log.failures.push({ at, kind, keyed: sent.key !== undefined, status, reason })
    return reply
  }

  /** Sends again and again under the same key, until there is an answer. */
  async function sendUntilAnswered(kind: string, sent: Sent): Promise<Reply> {
    for (let backoffMs = shortestWaitMs; ; backoffMs *= 2) {
      const reply = await send(kind, sent)
      if (isSuccess(reply) || isRefusal(reply) || giveUp.signal.aborted) return reply
      await wait(Math.min(longestWaitMs, Math.max(backoffMs, reply.retryAfterMs)), undefined, {
        signal: giveUp.signal,
      }).catch(() => {})
    }
  }

  async function createPayment(create: Create, willPay: boolean): Promise<void> {
    const { name, site, keyed } = create
    const sent: Sent = {
      method: 'POST',
      path: `/api/v1/sites/${site}/payments`,
      body: paymentBody({ Reference: name }),
      ...(keyed && { key: name }),
    }
    const reply = keyed ? await sendUntilAnswered('payment', sent) : await send('payment', sent)
    if (!isSuccess(reply)) return
    create.id = text(reply, 'RecordId')
    create.paymentId = text(reply, 'PaymentId')
    if (willPay) await pay(create)
  }

  async function pay(create: Create): Promise<void> {
    for (let asked = 0; !giveUp.signal.aborted; asked++) {
      try {
        await provider.atCheckout(create.paymentId ?? '', 'pay')
        create.paid = true
        return
      } catch (error) {
        // The sandbox died after it took the money and before it answered.
        if (error instanceof ControlRefused && error.status === 409 && asked > 0) return void (create.paid = true)
        await wait(200)
      }
    }
  }

  /** Returns the work of a request. All of its random numbers are drawn at once, so that answers do not change the order. */
  function drawn(): () => Promise<unknown> {
    const kind = oneOf(kinds, random)
    const site = oneOf(sites(), random)
    const draw = random()
    const name = `${prefix}-${String(++number).padStart(5, '0')}`
    const create = (more: Pick<Create, 'kind' | 'keyed'>): Create => {
      const made: Create = { name, site: site.slug, ...more }
      log.creates.push(made)
      return made
    }
    switch (kind) {
      case 'keyed payment':
        return () => createPayment(create({ kind: 'payment', keyed: true }), draw < 0.7)
      case 'unkeyed payment':
        return () => createPayment(create({ kind: 'payment', keyed: false }), draw < 0.7)
      case 'read': {
        const known = log.creates.filter(({ kind: what, id }) => what === 'payment' && id !== undefined)
        const payment = known[Math.floor(draw * known.length)]
        const path = payment && `/api/v1/sites/${payment.site}/payments/${payment.id}`
        return () => send('read', { method: 'GET', path: path ?? `/api/v1/sites/${site.slug}/payments` })
      }
      case 'list':
        return () => send('list', { method: 'GET', path: `/api/v1/sites/${site.slug}/payments` })
      case 'change site':
        return () =>
          send('change site', {
            method: 'PATCH',
            path: `/api/v1/management/sites/${site.slug}`,
            body: { ApplicationVersion: name },
          })
      case 'subscribe': {
        const Headers = [{ Name: 'X-Chaos', Value: name }]
        const body = { EventTypes: ['payment.*'], Url: site.url, Headers }
        return () => send('subscribe', { method: 'POST', path: `/api/v1/sites/${site.slug}/webhooks/payments`, body })
      }
      case 'site':
        return () => createSite(create({ kind: 'site', keyed: true }))
    }
  }

  async function createSite(create: Create): Promise<void> {
    const { name: Name } = create
    const reply = await sendUntilAnswered('site', {
      method: 'POST',
      path: '/api/v1/management/sites',
      body: { Name },
      key: Name,
    })
    const { SiteSlug } = (reply.body['Identity'] ?? {}) as { SiteSlug?: string }
    if (SiteSlug !== undefined) create.id = SiteSlug
  }

  async function issue(): Promise<void> {
    let due = performance.now()
    for (;;) {
      while (rate === 0 && !issuing.signal.aborted) {
        await wait(50)
        due = performance.now()
      }
      const early = due - performance.now()
      if (early > 0) await wait(early, undefined, { signal: issuing.signal }).catch(() => {})
      if (issuing.signal.aborted) return
      // After a pause of this process it does not send everything that it missed.
      if (early < -1_000) due = performance.now()
      due += 1_000 / rate
      const work = drawn()
      if (running.size >= mostUnderWay) {
        log.skipped++
        continue
      }
      const working: Promise<void> = work().then(() => void running.delete(working))
      running.add(working)
    }
  }

  const issued = issue()
  return {
    log,
    setRate: (next) => void (rate = next),
    async rest() {
      rate = 0
      await Promise.all(running)
    },
    async stop(within) {
      issuing.abort()
      await issued
      const timer = setTimeout(() => giveUp.abort(), within)
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}

/** Returns a member of a reply's body; '' if it is not a text. */
function text({ body }: Reply, name: string): string {
  const value = body[name]
  return typeof value === 'string' ? value : ''
}

function isSuccess({ status }: Reply): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Whether an answer is final: the request is wrong. 429, 409 of a key in use and 5xx may change. */
function isRefusal({ status, reason }: Reply): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 429 && !reason.endsWith('_in_use')
}
